"""A cluster as the input of a dynamic resource.

A dynamic provider runs in a process of its own and connects itself. Its resources hold a reference
to the password, never the password: the provider resolves it when it runs.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pulumi.dynamic import ConfigureRequest
from pulumi.dynamic.config import Config

from components.provider_errors import ErrorReportingProvider
from mirrorstack.kafka.admin import KafkaCluster
from mirrorstack.kafka.connection import Connection
from mirrorstack.planning.connections import PasswordReference
from mirrorstack.sandbox.connection import connection as sandbox_connection


class PasswordProvider(ErrorReportingProvider):
    """A dynamic provider that needs passwords of the stack's clusters.

    Pulumi hands the whole config of the stack to `configure`, with secrets in plain text.
    """

    serialize_as_secret_always = False
    _config: Config | None = None

    def configure(self, req: ConfigureRequest) -> None:
        self._config = req.config

    def password(self, reference: Mapping[str, str]) -> str:
        """`reference` as `PasswordReference.as_dict` returns it."""
        return PasswordReference(**reference).resolve(self.secret, sandbox_connection)

    def cluster(self, props: Mapping[str, Any]) -> KafkaCluster:
        """The inverse of `cluster_props`, with the password."""
        ca_path = props.get("ca_path")
        return KafkaCluster(
            props["alias"],
            Connection(
                bootstrap_servers=props["bootstrap_servers"],
                username=props["username"],
                password=self.password(props["password"]),
                protocol=props["protocol"],
                mechanism=props["mechanism"],
                ca_path=Path(ca_path) if ca_path else None,
            ),
            props["fix"],
        )

    def secret(self, key: str) -> str:
        """The value of a key of the stack's config; empty where there is none."""
        return str((self._config.get(key) if self._config else None) or "")


def cluster_props(cluster: KafkaCluster, password: PasswordReference) -> dict[str, Any]:
    connection = cluster.connection
    return {
        "alias": cluster.alias,
        "bootstrap_servers": connection.bootstrap_servers,
        "username": connection.username,
        "password": password.as_dict(),
        "protocol": connection.protocol,
        "mechanism": connection.mechanism,
        "fix": cluster.fix,
        **({"ca_path": str(connection.ca_path)} if connection.ca_path else {}),
    }
