"""One kafka provider for each cluster that a stack administers."""

from __future__ import annotations

from dataclasses import dataclass

import pulumi
import pulumi_kafka as kafka

from mirrorstack.kafka.connection import Connection

MECHANISMS = {"PLAIN": "plain", "SCRAM-SHA-256": "scram-sha256", "SCRAM-SHA-512": "scram-sha512"}


@dataclass(frozen=True, kw_only=True)
class KafkaProviderArgs:
    connection: Connection
    """As the admin."""
    ca_certificates: str | None = None
    """PEM text; None: those that the machine trusts."""


class KafkaProvider(kafka.Provider):
    """The only resource that keeps a password: encrypted, because the plugin needs it."""

    def __init__(
        self, name: str, args: KafkaProviderArgs, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        connection = args.connection
        has_password = connection.protocol.startswith("SASL_")
        super().__init__(
            name,
            bootstrap_servers=connection.bootstrap_servers.split(","),
            ca_cert=args.ca_certificates,
            sasl_mechanism=MECHANISMS[connection.mechanism] if has_password else None,
            sasl_username=connection.username if has_password else None,
            # A secret before Pulumi first sees it, so that the state holds only ciphertext.
            sasl_password=pulumi.Output.secret(connection.password) if has_password else None,
            tls_enabled=connection.protocol.endswith("SSL"),
            opts=opts,
        )
