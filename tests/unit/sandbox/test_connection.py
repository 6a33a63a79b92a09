"""Connections to the clusters of a sandbox."""

from __future__ import annotations

import pytest

from mirrorstack.findings import UserError
from mirrorstack.local.files import private_directory
from mirrorstack.sandbox import passwords, settings
from mirrorstack.sandbox.connection import connection
from mirrorstack.sandbox.layout import Layout
from mirrorstack.sandbox.names import Cluster, Principal
from tests.unit.sandbox.conftest import settings_of


def test_a_connection_has_the_address_and_password_of_its_cluster(layout: Layout) -> None:
    private_directory(layout.directory)
    settings.save(layout, settings_of(2))
    known = passwords.ensure(layout, has_data=False)
    found = connection(layout.name, "west", "mirror", home_directory=layout.home)
    assert found.bootstrap_servers == "127.0.0.1:29092,127.0.0.1:29093"
    assert found.username == "mirror"
    assert found.password == known.of(Cluster.WEST, Principal.MIRROR)
    assert found.ca_path == layout.ca


def test_a_sandbox_that_does_not_exist_is_an_error_with_the_command_that_starts_it(
    layout: Layout,
) -> None:
    with pytest.raises(UserError, match="there is no sandbox 'trial'") as raised:
        connection(layout.name, home_directory=layout.home)
    assert raised.value.fix == "start it: `mirrorstack sandbox up --name trial`"


@pytest.mark.parametrize(
    ("cluster", "principal", "message"),
    [
        ("north", "app", "unknown cluster 'north'"),
        ("east", "auditor", "unknown principal 'auditor'"),
        ("east", "broker", "unknown principal 'broker'"),
    ],
)
def test_an_unknown_cluster_or_principal_is_an_error(
    layout: Layout, cluster: str, principal: str, message: str
) -> None:
    with pytest.raises(UserError, match=message):
        connection(layout.name, cluster, principal, home_directory=layout.home)
