"""One kafka provider per cluster that a stack administers."""

from __future__ import annotations

import pulumi
import pulumi_kafka as kafka

from mirrorstack.kafka.connection import Connection

MECHANISMS = {"PLAIN": "plain", "SCRAM-SHA-256": "scram-sha256", "SCRAM-SHA-512": "scram-sha512"}


def kafka_provider(
    name: str, connection: Connection, opts: pulumi.ResourceOptions | None = None
) -> kafka.Provider:
    """The password is a secret before Pulumi first sees it, so the state holds only ciphertext."""
    with_password = connection.protocol.startswith("SASL_")
    return kafka.Provider(
        name,
        bootstrap_servers=connection.bootstrap_servers.split(","),
        ca_cert=connection.ca_path.read_text() if connection.ca_path else None,
        sasl_mechanism=MECHANISMS[connection.mechanism] if with_password else None,
        sasl_username=connection.username if with_password else None,
        sasl_password=pulumi.Output.secret(connection.password) if with_password else None,
        tls_enabled=connection.protocol.endswith("SSL"),
        opts=opts,
    )
