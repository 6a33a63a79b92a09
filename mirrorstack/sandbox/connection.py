"""How a program connects to one of the sandbox's clusters as one of its principals."""

from __future__ import annotations

from pathlib import Path

from mirrorstack.findings import UserError
from mirrorstack.kafka.connection import Connection
from mirrorstack.sandbox import passwords as password_file
from mirrorstack.sandbox import settings as settings_file
from mirrorstack.sandbox.layout import Layout, home
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
    below: Path | None = None,
) -> Connection:
    """The connection to a sandbox that was brought up before; `below` is another home."""
    chosen, who = _cluster(cluster), _principal(principal)
    layout = Layout(below or home(), name)
    settings, passwords = settings_file.load(layout), password_file.load(layout)
    if settings is None or passwords is None:
        raise UserError(
            f"there is no sandbox {name!r} in {layout.all_sandboxes}",
            f"start it: `{command('up', name)}`",
        )
    return connect(layout, settings, passwords, chosen, who)


def connect(
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
        raise UserError(f"cluster is {text!r}", f"one of {', '.join(Cluster)}")
    return Cluster(text)


def _principal(text: str) -> Principal:
    if text not in CLIENT_PRINCIPALS:
        raise UserError(f"principal is {text!r}", f"one of {', '.join(CLIENT_PRINCIPALS)}")
    return Principal(text)
