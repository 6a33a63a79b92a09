"""Connect workers as pods: what is declared, and where the secrets are."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import kubernetes_validate
import pulumi
import pytest
from pulumi.runtime import rpc, set_all_config

from components.platforms.kubernetes_workers import kubernetes_workers
from mirrorstack.config.workers import WorkerSettings
from mirrorstack.findings import UserError
from mirrorstack.mm2.worker_group import WorkerGroup
from mirrorstack.planning.connections import PasswordReference
from mirrorstack.planning.deployment import WorkerDeployment
from mirrorstack.planning.policy_jars import PolicyJar
from mirrorstack.runtimes.kubernetes import KubernetesRuntime
from tests.unit.components.declaring import Declared, Registration, declare

SECRETS = {"east-mirror-password": 'hun"ter2', "west-connect-password": "hunter3"}
NAME = "mirrorstack-dr-west"


@pytest.fixture(autouse=True)
def stack_config() -> None:
    set_all_config({f"mirrorstack:{key}": value for key, value in SECRETS.items()}, [])


def declared(
    *, jars: tuple[PolicyJar, ...] = (), heap_mb: int = 704, count: int = 2, **kubernetes: Any
) -> Declared:
    settings = WorkerSettings.model_validate(
        {
            "runtime": "kubernetes",
            "count": count,
            "kubernetes": {"namespace": "kafka", **kubernetes},
        }
    )
    runtime = KubernetesRuntime("dr", Path("/home"))
    placement = runtime.place_workers("west", settings, None)
    workers = WorkerDeployment(
        group=WorkerGroup.of("west", ()),
        settings=settings,
        placement=placement,
        configs=({"group.id": "mine", **runtime.worker_properties(placement.rest_url)},),
        heap_mb=heap_mb,
        passwords={"east": PasswordReference(config_key="east-mirror-password")},
        jars=jars,
        password_fingerprint="fingerprint",
    )
    return declare(lambda: kubernetes_workers("workers", workers, pulumi.ResourceOptions()))


def one(stack: Declared, kind: str) -> Registration:
    (found,) = stack.of_type(f":{kind}")
    return found


def decoded(registration: Registration) -> dict[str, str]:
    data = registration.inputs["data"]
    return {key: base64.b64decode(value).decode() for key, value in data.items()}


def test_what_is_declared_is_valid_for_kubernetes() -> None:
    stack = declared()

    objects = [
        each.inputs for each in stack.resources.values() if each.type.startswith("kubernetes:")
    ]
    assert len(objects) == 9
    for manifest in objects:
        kubernetes_validate.validate(_with_integers(manifest), "1.36", strict=True)


def test_all_objects_use_the_context_and_the_namespace_of_the_stack_file() -> None:
    stack = declared(context="prod-west")

    provider = one(stack, "kubernetes")
    assert provider.inputs["context"] == "prod-west"
    assert provider.inputs["namespace"] == "kafka"
    stateful_set = one(stack, "StatefulSet")
    assert stateful_set.provider == provider.name
    assert stateful_set.inputs["metadata"]["name"] == NAME


def test_pods_come_after_what_they_mount_and_the_wait_comes_after_the_pods() -> None:
    stack = declared()

    stateful_set, rollout = one(stack, "StatefulSet"), one(stack, "PodRollout")
    mounted = {each.name for kind in ("ConfigMap", "Secret") for each in stack.of_type(f":{kind}")}
    assert mounted <= stateful_set.dependencies
    assert stateful_set.name in rollout.dependencies
    assert rollout.inputs["replicas"] == 2


def test_passwords_are_escaped_for_jaas_and_only_in_secrets() -> None:
    stack = declared()

    login, passwords = stack.of_type(":Secret")
    assert decoded(passwords) == {"east": 'hun\\"ter2'}
    assert "mirrorstack=hunter3" in decoded(login)["rest-users.properties"]
    others = [each.inputs for each in stack.resources.values() if not each.type.endswith(":Secret")]
    shown = json.dumps(others)
    assert "hunter" not in shown
    assert base64.b64encode(b"hunter3").decode() not in shown


def test_secrets_are_encrypted_in_the_state() -> None:
    for secret in declared().of_type(":Secret"):
        sent = rpc.deserialize_properties(secret.request.object, keep_unknowns=True)

        plain = json.dumps(sent["data"], default=lambda _secret: "[secret]")
        assert "data" in secret.secrets or set(json.loads(plain).values()) == {"[secret]"}


def test_an_existing_secret_is_mounted_and_not_created() -> None:
    stack = declared(secret="theirs")

    assert [each.inputs["metadata"]["name"] for each in stack.of_type(":Secret")] == [
        f"{NAME}-login"
    ]
    assert '"secretName": "theirs"' in json.dumps(one(stack, "StatefulSet").inputs)


def test_memory_and_cpu_follow_from_the_heap() -> None:
    (container,) = _pod(declared(heap_mb=1024))["containers"]

    assert container["resources"]["requests"] == {"cpu": "1000m", "memory": "1536Mi"}
    (container,) = _pod(declared(cpu=2))["containers"]
    assert container["resources"]["requests"]["cpu"] == "2"


def test_metrics_come_from_an_agent_in_the_image() -> None:
    stack = declared(metrics={"agent": "/opt/jmx.jar"})

    (container,) = _pod(stack)["containers"]
    options = {each["name"]: each.get("value") for each in container["env"]}["KAFKA_OPTS"]
    assert "-javaagent:/opt/jmx.jar=9404:/etc/mirrorstack/config/metrics.yaml" in options
    assert "metrics.yaml" in one(stack, "ConfigMap").inputs["data"]


def test_jars_of_replication_policies_are_mounted(tmp_path: Path) -> None:
    (tmp_path / "policy.jar").write_bytes(b"PK")

    stack = declared(jars=(PolicyJar.read(tmp_path / "policy.jar"),))

    config, jars = stack.of_type(":ConfigMap")
    assert jars.inputs["binaryData"] == {"1-policy.jar": "UEs="}
    assert config.inputs["metadata"]["name"] == f"{NAME}-config"


def test_a_jar_that_no_config_map_can_hold_is_refused(tmp_path: Path) -> None:
    (tmp_path / "policy.jar").write_bytes(bytes(1_000_001))

    with pytest.raises(UserError, match="1000001 bytes"):
        declared(jars=(PolicyJar.read(tmp_path / "policy.jar"),))


def _pod(stack: Declared) -> dict[str, Any]:
    spec = one(stack, "StatefulSet").inputs["spec"]["template"]["spec"]
    return dict(spec)


def _with_integers(value: Any) -> Any:
    """Pulumi's protocol has only floating-point numbers."""
    if isinstance(value, dict):
        return {key: _with_integers(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_with_integers(item) for item in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value
