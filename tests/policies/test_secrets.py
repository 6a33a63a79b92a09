"""Passwords that a program did not mark as secrets are still secrets in the state."""

from __future__ import annotations

from typing import Any

import pytest
from pulumi_policy.secret import Secret

from policies.resources import KAFKA_PROVIDER, LOCAL_WORKER
from tests.policies.conftest import PACK
from tests.policies.harness import UNKNOWN, remediated, resource, violations_of
from tests.pulumi_project import PulumiProject

PROVIDER, WORKERS = "secret-provider-passwords", "secret-worker-passwords"

FORGETFUL = """
    import pulumi_kafka as kafka
    from pulumi.dynamic import CreateResult, Resource, ResourceProvider

    class Nothing(ResourceProvider):
        serialize_as_secret_always = False

        def create(self, props):
            return CreateResult("1", props)

    class Worker(Resource, module="mirrorstack", name="LocalWorker"):
        pass

    kafka.Provider("west", bootstrap_servers=["127.0.0.1:9"], sasl_password="hunter2-admin")
    Worker(Nothing(), "worker", {"password_fingerprint": "hunter2-mirror", "config": {}})
"""


@pytest.mark.parametrize(
    ("rule", "kind", "key", "value"),
    [
        (PROVIDER, KAFKA_PROVIDER, "saslPassword", "hunter2"),
        (PROVIDER, KAFKA_PROVIDER, "clientKey", "hunter2"),
        (WORKERS, LOCAL_WORKER, "password_fingerprint", "hunter2"),
    ],
)
class TestAlone:
    def test_a_plain_password_becomes_a_secret(
        self, rule: str, kind: str, key: str, value: Any
    ) -> None:
        remediated_inputs = remediated(rule, resource(kind, {key: value, "other": "x"}))["__target"]

        assert isinstance(remediated_inputs[key], Secret)
        assert remediated_inputs["other"] == "x"

    def test_a_secret_stays_a_secret(self, rule: str, kind: str, key: str, value: Any) -> None:
        assert remediated(rule, resource(kind, {key: Secret(value)})) is None

    def test_an_absent_key_stays_absent(self, rule: str, kind: str, key: str, value: Any) -> None:
        assert remediated(rule, resource(kind, {})) is None

    def test_an_unknown_value_becomes_a_secret(
        self, rule: str, kind: str, key: str, value: Any
    ) -> None:
        remediated_inputs = remediated(rule, resource(kind, {key: UNKNOWN}))["__target"]

        assert isinstance(remediated_inputs[key], Secret)
        assert violations_of(rule, resource(kind, {key: UNKNOWN})) == []


def test_through_the_engine_no_password_reaches_the_state(project: PulumiProject) -> None:
    project.write("__main__.py", FORGETFUL)

    said = project.up(f"--policy-pack={PACK}")

    assert PROVIDER in said
    assert WORKERS in said
    state = project.pulumi("stack", "export")
    assert "urn:pulumi:dev::shop::pulumi:providers:kafka::west" in state
    assert "hunter2" not in state
    assert "hunter2" not in said
