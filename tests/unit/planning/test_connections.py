"""Connections by alias and role, and references to passwords."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mirrorstack.config.clusters import Role
from mirrorstack.config.settings import StackSettings, parse
from mirrorstack.findings import UserError
from mirrorstack.planning.connections import (
    connections_as_json,
    connections_from_json,
    fingerprint,
    password_reference,
    stack_connections,
)
from tests.unit.planning.fake_clusters import sandbox_connection, stack_settings


def by_address(**security: Any) -> StackSettings:
    east = {
        "bootstrap-servers": ["a.example:9093", "b.example:9093"],
        "principals": {"mirror": "mm2", "admin": "root"},
        "security": security,
    }
    return parse(
        {
            "clusters": {"east": east, "west": {"sandbox": "default"}},
            "flows": [{"from": "east", "to": "west", "topics": ["orders"]}],
        },
        "stack",
    )


def test_a_cluster_by_address_has_its_password_from_the_config() -> None:
    connection = stack_connections(by_address(), {"east-mirror-password": "hunter2"})

    east = connection("east", Role.MIRROR)
    assert east.bootstrap_servers == "a.example:9093,b.example:9093"
    assert (east.username, east.password) == ("mm2", "hunter2")
    assert "hunter2" not in repr(east)


def test_a_sandbox_is_asked_by_name_cluster_and_principal() -> None:
    connection = stack_connections(by_address(), sandbox=sandbox_connection)

    assert connection("west", Role.ADMIN) == sandbox_connection("default", "west", "admin")


def test_without_a_sandbox_its_clusters_cannot_be_reached() -> None:
    with pytest.raises(UserError, match="cannot reach clusters of the sandbox 'default'"):
        stack_connections(by_address())("west", Role.MIRROR)


def test_a_ca_file_that_does_not_exist_is_reported_with_its_key(tmp_path: Path) -> None:
    settings = by_address(**{"ca-file": str(tmp_path / "ca.pem")})

    with pytest.raises(UserError, match=r"ca-file is .* does not exist") as raised:
        stack_connections(settings)("east", Role.MIRROR)

    assert raised.value.findings[0].key == "clusters.east.security.ca-file"


def test_references_resolve_to_the_passwords() -> None:
    settings = by_address()
    secrets = {"east-mirror-password": "hunter2"}

    east = password_reference(settings, "east", Role.MIRROR)
    west = password_reference(settings, "west", Role.MIRROR)

    assert east.as_dict() == {"config_key": "east-mirror-password"}
    assert east.resolve(secrets.__getitem__, sandbox_connection) == "hunter2"
    assert west.resolve(secrets.__getitem__, sandbox_connection) == "password-of-mirror-on-west"


def test_connections_survive_json() -> None:
    settings = stack_settings()
    connection = stack_connections(settings, sandbox=sandbox_connection)

    restored = connections_from_json(connections_as_json(settings, connection))

    assert restored("east", Role.MIRROR) == connection("east", Role.MIRROR)
    assert restored("west", Role.ADMIN) == connection("west", Role.ADMIN)


def test_the_fingerprint_changes_with_a_password_only() -> None:
    assert fingerprint({"a": "1", "b": "2"}) == fingerprint({"b": "2", "a": "1"})
    assert fingerprint({"a": "1"}) != fingerprint({"a": "2"})
