"""Connections to a sandbox's clusters."""

from __future__ import annotations

from pathlib import Path

from mirrorstack.findings import UserError
from mirrorstack.kafka.connection import Connection
from mirrorstack.local.home import home
from mirrorstack.sandbox import passwords as password_file
from mirrorstack.sandbox import settings as settings_file
from mirrorstack.sandbox.layout import Layout
from mirrorstack.sandbox.names import CLIENT_PRINCIPALS, DEFAULT_NAME, Cluster, Principal, command
from mirrorstack.sandbox.nodes import bootstrap_servers
from mirrorstack.sandbox.passwords import Passwords
from mirrorstack.sandbox.server_properties import MECHANISM
from mirrorstack.sandbox.settings import Settings


def connection(
    name: str = DEFAULT_NAME,
    cluster: str = Cluster.EAST,
    principal: str = Principal.APP,
    *,
    home_directory: Path | None = None,
) -> Connection:
    """The connection to a cluster of an existing sandbox."""
    checked_cluster, checked_principal = _cluster(cluster), _principal(principal)
    layout = Layout(home_directory or home(), name)
    settings, passwords = settings_file.load(layout), password_file.load(layout)
    if settings is None or passwords is None:
        raise UserError(
            f"there is no sandbox {name!r} in {layout.all_sandboxes}",
            f"start it: `{command('up', name)}`",
        )
    return connection_of(layout, settings, passwords, checked_cluster, checked_principal)


def connection_of(
    layout: Layout,
    settings: Settings,
    passwords: Passwords,
    cluster: Cluster,
    principal: Principal,
) -> Connection:
    return Connection(
        bootstrap_servers=bootstrap_servers(settings, cluster),
        username=principal.value,
        password=passwords.of(cluster, principal),
        mechanism=MECHANISM,
        ca_path=layout.ca,
    )


def _cluster(text: str) -> Cluster:
    if text not in list(Cluster):
        raise UserError(f"unknown cluster {text!r}", f"one of {', '.join(Cluster)}")
    return Cluster(text)


def _principal(text: str) -> Principal:
    if text not in CLIENT_PRINCIPALS:
        raise UserError(f"unknown principal {text!r}", f"one of {', '.join(CLIENT_PRINCIPALS)}")
    return Principal(text)
