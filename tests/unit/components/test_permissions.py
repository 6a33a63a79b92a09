"""Effective permissions as a resource."""

from __future__ import annotations

from typing import Any

import pytest

from components import permissions
from components.permissions import (
    EffectivePermissions,
    EffectivePermissionsArgs,
    PermissionsProvider,
)
from mirrorstack.findings import UserError
from mirrorstack.kafka.acls import Operation, ResourceType
from mirrorstack.kafka.admin import KafkaCluster
from mirrorstack.kafka.permissions import EffectivePermission
from mirrorstack.planning.connections import PasswordReference
from tests.unit.components.declaring import declare
from tests.unit.planning.fake_clusters import sandbox_connection

READ = EffectivePermission(ResourceType.TOPIC, "orders", Operation.READ, "it reads")
CLUSTER = KafkaCluster("east", sandbox_connection("default", "east", "mirror"), "start it")


@pytest.fixture
def props() -> dict[str, Any]:
    args = EffectivePermissionsArgs(
        cluster=CLUSTER,
        password=PasswordReference(config_key="east-mirror-password"),
        permissions=[READ],
    )
    return declare(lambda: EffectivePermissions("it", args)).resources["it"].inputs


@pytest.fixture
def lacking(monkeypatch: pytest.MonkeyPatch) -> list[EffectivePermission]:
    """What the fake cluster says is missing."""
    found: list[EffectivePermission] = []
    monkeypatch.setattr(permissions, "missing_permissions", lambda _cluster, _wanted: found)
    return found


def _missing(provider: PermissionsProvider, props: dict[str, Any]) -> Any:
    return (provider.read("east", props).outs or {})["missing"]


def test_no_password_is_among_the_inputs(props: dict[str, Any]) -> None:
    assert CLUSTER.connection.password not in str(props)
    assert props["cluster"]["password"] == {"config_key": "east-mirror-password"}


def test_a_missing_permission_is_a_change_though_nothing_was_declared(
    props: dict[str, Any], lacking: list[EffectivePermission]
) -> None:
    provider = PermissionsProvider()
    assert provider.diff("east", props, props).changes is False

    lacking.append(READ)

    assert provider.diff("east", props, props).changes is True
    assert _missing(provider, props) == [READ.description]


def test_a_cluster_that_refuses_is_shown_with_its_message(
    props: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuses(*_: object) -> None:
        raise UserError("east refuses mirror", "set the password")

    monkeypatch.setattr(permissions, "missing_permissions", refuses)

    assert _missing(PermissionsProvider(), props) == ["east refuses mirror"]


def test_the_permissions_are_asked_for_as_they_were_declared(
    props: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Any] = []
    monkeypatch.setattr(permissions, "wait_for_permissions", lambda *args: asked.append(args))

    result = PermissionsProvider().create(props)

    assert asked[0][1] == [READ]
    assert asked[0][0].connection.username == "mirror"
    assert (result.id, (result.outs or {})["missing"]) == ("east", [])


def test_one_more_permission_does_not_change_the_others(props: dict[str, Any]) -> None:
    write = EffectivePermission(ResourceType.TOPIC, "orders", Operation.WRITE, "it writes")
    args = EffectivePermissionsArgs(
        cluster=CLUSTER,
        password=PasswordReference(config_key="east-mirror-password"),
        permissions=[write, READ],
    )
    more = declare(lambda: EffectivePermissions("it", args)).resources["it"].inputs

    assert set(more["permissions"]) == {"Read on Topic, it reads", "Write on Topic, it writes"}
    assert props["permissions"].items() < more["permissions"].items()
