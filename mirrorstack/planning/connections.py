"""How the clusters of a stack are reached, by alias and role.

A sandbox knows its own addresses and passwords. Whoever may use the sandbox passes in the function
that asks it, so that planning works without it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from mirrorstack.config.clusters import ClusterSettings, Role, password_key
from mirrorstack.config.settings import StackSettings
from mirrorstack.findings import UserError
from mirrorstack.kafka.connection import Connection

Connections = Callable[[str, Role], Connection]
"""The connection to a cluster, by its alias, as the principal of a role."""

SandboxConnections = Callable[[str, str, str], Connection]
"""The connection to a sandbox's cluster: the sandbox's name, the cluster's name, the principal."""


@dataclass(frozen=True)
class PasswordReference:
    """Where a password is, without the password itself: a resource's state may hold this."""

    config_key: str = ""
    """The key of the stack's config, such as `east-mirror-password`; a secret there."""
    sandbox: str = ""
    """Else the name of a sandbox, and the cluster and principal in it."""
    cluster: str = ""
    principal: str = ""

    def resolve(self, secret: Callable[[str], str], sandbox: SandboxConnections) -> str:
        """`secret`: the value of a config key, empty where there is none."""
        if self.sandbox:
            return sandbox(self.sandbox, self.cluster, self.principal).password
        return secret(self.config_key)

    def as_dict(self) -> dict[str, str]:
        return {key: value for key, value in asdict(self).items() if value}


def password_reference(settings: StackSettings, alias: str, role: Role) -> PasswordReference:
    cluster = settings.clusters[alias]
    if cluster.sandbox is not None:
        return PasswordReference(
            sandbox=cluster.sandbox, cluster=cluster.cluster or alias, principal=role.value
        )
    return PasswordReference(config_key=password_key(alias, role))


def fingerprint(passwords: Mapping[str, str]) -> str:
    """Changes when one of the passwords changes."""
    text = "\n".join(f"{alias}\t{passwords[alias]}" for alias in sorted(passwords))
    return hashlib.sha256(text.encode()).hexdigest()


def _no_sandbox(name: str, _cluster: str, _principal: str) -> Connection:
    raise UserError(
        f"This command cannot reach clusters of the sandbox {name!r}.",
        "name the clusters by their addresses: `bootstrap-servers`",
    )


def stack_connections(
    settings: StackSettings,
    passwords: Mapping[str, str] = MappingProxyType({}),
    *,
    sandbox: SandboxConnections = _no_sandbox,
) -> Connections:
    """`passwords` by config key, `<alias>-<role>-password`, for clusters outside of sandboxes."""

    def connection(alias: str, role: Role) -> Connection:
        cluster = settings.clusters[alias]
        if cluster.sandbox is not None:
            return sandbox(cluster.sandbox, cluster.cluster or alias, role.value)
        return Connection(
            bootstrap_servers=",".join(cluster.bootstrap_servers or ()),
            username=cluster.principal(role) or "ANONYMOUS",
            password=passwords.get(password_key(alias, role), ""),
            protocol=cluster.security.protocol,
            mechanism=cluster.security.mechanism,
            ca_path=_ca_path(alias, cluster),
        )

    return connection


def connections_as_json(settings: StackSettings, connections: Connections) -> dict[str, Any]:
    """All connections of a stack, with passwords: for the standard input of a child process."""
    return {
        alias: {
            role.value: {
                key: str(value) if isinstance(value, Path) else value
                for key, value in asdict(connections(alias, role)).items()
            }
            for role in cluster.roles
        }
        for alias, cluster in settings.clusters.items()
    }


def connections_from_json(given: Mapping[str, Any]) -> Connections:
    """The inverse of `connections_as_json`."""

    def connection(alias: str, role: Role) -> Connection:
        fields = given[alias][role.value]
        ca_path = fields["ca_path"]
        return Connection(**{**fields, "ca_path": Path(ca_path) if ca_path else None})

    return connection


def _ca_path(alias: str, cluster: ClusterSettings) -> Path | None:
    """Absolute, because a worker starts in a directory of its own."""
    if cluster.security.ca_file is None:
        return None
    path = Path(cluster.security.ca_file).expanduser().resolve()
    if not path.is_file():
        raise UserError(
            f"clusters.{alias}.security.ca-file is {cluster.security.ca_file}: {path} does not "
            "exist.",
            "name a PEM file, relative to the project's directory or with its absolute path",
            path=("clusters", alias, "security", "ca-file"),
            cluster=alias,
        )
    return path
