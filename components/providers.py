"""One kafka provider per cluster that a stack administers."""

from __future__ import annotations

import pulumi
import pulumi_kafka as kafka

from mirrorstack.sandbox.connection import Connection


def kafka_provider(alias: str, connection: Connection) -> kafka.Provider:
    """The password is a secret before Pulumi first sees it, so the state holds only ciphertext."""
    return kafka.Provider(
        f"kafka-{alias}",
        bootstrap_servers=connection.bootstrap_servers.split(","),
        ca_cert=connection.ca_path.read_text(),
        sasl_mechanism="scram-sha512",
        sasl_username=connection.username,
        sasl_password=pulumi.Output.secret(connection.password),
        tls_enabled=True,
    )
