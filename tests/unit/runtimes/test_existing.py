"""Connect workers that somebody else runs: what is read from them before a deployment."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mirrorstack.config.workers import WorkerSettings
from mirrorstack.findings import Finding
from mirrorstack.mm2.connector_configs import ConnectorKind
from mirrorstack.runtimes.base import TargetCluster
from mirrorstack.runtimes.existing import ExistingRuntime
from tests.loopback import refused_connections
from tests.unit.connect.scripted import Script, playing

TARGET = TargetCluster(
    "west", "cluster-of-west", "connect-dr", has_members=True, new_connectors=frozenset({"mine"})
)
PLUGINS = [{"class": kind.java_class} for kind in ConnectorKind]


def settings(url: str, **more: Any) -> WorkerSettings:
    return WorkerSettings.model_validate(
        {
            "runtime": "existing",
            "rest-url": url,
            "group": "connect-dr",
            "secret-reference": "${vault:kafka/{alias}:password}",
            **more,
        }
    )


@pytest.fixture
def runtime(tmp_path: Path) -> ExistingRuntime:
    return ExistingRuntime("dr", tmp_path)


@pytest.fixture
def connect(connect: Script) -> Script:
    connect["GET /"] = (200, {"version": "4.3.1", "kafka_cluster_id": "cluster-of-west"})
    connect["GET /connector-plugins"] = (200, PLUGINS)
    connect["GET /connectors?expand=status"] = (200, {})
    return connect


def findings(
    runtime: ExistingRuntime, url: str, target: TargetCluster = TARGET, **security: str
) -> list[Finding]:
    given = settings(url, **({"rest-security": security} if security else {}))
    placement = runtime.place_workers("west", given, None)
    return list(runtime.check_workers(placement, target, lambda key: f"secret-of-{key}"))


def test_configs_refer_to_passwords_as_the_stack_file_says(runtime: ExistingRuntime) -> None:
    runtime.place_workers("west", settings("http://c:8083"), None)

    assert runtime.secret_reference("west", "east") == "${vault:kafka/east:password}"


def test_the_login_refers_to_the_stack_s_config(runtime: ExistingRuntime) -> None:
    basic = {"authentication": "basic", "username": "deploy", "ca-file": "/ca.pem"}
    login = runtime.place_workers(
        "west", settings("https://c:8083/", **{"rest-security": basic}), None
    )
    bearer = runtime.place_workers(
        "west", settings("https://c", **{"rest-security": {"authentication": "bearer"}}), None
    )

    assert login.rest_url == "https://c:8083"
    assert login.login.as_props() == {
        "username": "deploy",
        "password_key": "west-connect-password",
        "ca_file": "/ca.pem",
    }
    assert bearer.login.as_props() == {"token_key": "west-connect-token"}


def test_workers_of_the_target_with_the_connectors_pass(
    runtime: ExistingRuntime, connect: Script
) -> None:
    assert findings(runtime, connect.url) == []


def test_workers_of_another_cluster_are_an_error(runtime: ExistingRuntime, connect: Script) -> None:
    connect["GET /"] = (200, {"version": "4.3.1", "kafka_cluster_id": "other"})

    (found,) = findings(runtime, connect.url)

    assert "its id is other, and that of west is cluster-of-west" in found.message
    assert found.key == "workers.west.rest-url"


def test_missing_plugins_are_named(runtime: ExistingRuntime, connect: Script) -> None:
    connect["GET /connector-plugins"] = (200, PLUGINS[1:])

    (found,) = findings(runtime, connect.url)

    assert "do not have org.apache.kafka.connect.mirror.MirrorSourceConnector" in found.message
    assert "plugin.path" in found.fix


def test_a_connector_of_somebody_else_with_the_same_name_is_an_error(
    runtime: ExistingRuntime, connect: Script
) -> None:
    status = {"status": {"connector": {"state": "RUNNING"}, "tasks": []}}
    connect["GET /connectors?expand=status"] = (200, {"mine": status, "other": status})

    (found,) = findings(runtime, connect.url)

    assert "connectors that this stack did not create: mine" in found.message


def test_a_group_without_members_is_not_that_of_the_workers(
    runtime: ExistingRuntime, connect: Script
) -> None:
    target = TargetCluster("west", "cluster-of-west", "connect-dr", has_members=False)

    (found,) = findings(runtime, connect.url, target)

    assert found.key == "workers.west.group"


def test_a_reference_that_the_workers_cannot_resolve_is_reported(
    connect: Script, runtime: ExistingRuntime
) -> None:
    validate = f"PUT /connector-plugins/{ConnectorKind.HEARTBEAT.java_class}/config/validate"
    connect[validate] = (500, {"error_code": 500, "message": "Could not read properties"})

    found = findings(runtime, connect.url, replace(TARGET, aliases=("west", "east")))

    assert [each.key for each in found] == ["workers.west.secret-reference"] * 2
    assert "cannot resolve ${vault:kafka/east:password}: Could not read" in found[1].message
    assert connect.count(validate) == 2, "it is not retried: a preview should not wait for it"


def test_a_reference_that_they_resolve_is_not_reported(
    connect: Script, runtime: ExistingRuntime
) -> None:
    validate = f"PUT /connector-plugins/{ConnectorKind.HEARTBEAT.java_class}/config/validate"
    connect[validate] = (200, {"name": "c", "error_count": 0, "groups": [], "configs": []})

    assert findings(runtime, connect.url, replace(TARGET, aliases=("west",))) == []


def test_a_failed_login_names_the_key_and_no_secret(runtime: ExistingRuntime) -> None:
    with playing() as connect:
        connect["GET /"] = (401, {"error_code": 401, "message": "no"})

        (found,) = findings(runtime, connect.url, authentication="basic", username="deploy")

    assert found.key == "workers.west.rest-security"
    assert "login failed" in found.message
    assert "pulumi config set --secret west-connect-password" in found.fix
    assert "secret-of" not in str(found)


def test_workers_that_do_not_respond_are_an_error(runtime: ExistingRuntime) -> None:
    with refused_connections() as url:
        (found,) = findings(runtime, url)

    assert "no Connect worker responds" in found.message
    assert found.key == "workers.west.rest-url"
