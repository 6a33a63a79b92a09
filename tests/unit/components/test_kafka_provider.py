"""The kafka provider of one cluster."""

from __future__ import annotations

from components.kafka_provider import KafkaProvider, KafkaProviderArgs
from mirrorstack.kafka.connection import Connection
from tests.unit.components.declaring import Registration, declare


def provider(connection: Connection, ca: str | None = None) -> Registration:
    args = KafkaProviderArgs(connection=connection, ca_certificates=ca)
    return declare(lambda: KafkaProvider("kafka", args)).resources["kafka"]


def test_the_password_is_a_secret() -> None:
    connection = Connection(bootstrap_servers="a:1,b:2", username="root", password="hunter2")
    resource = provider(connection, "PEM")

    assert resource.inputs["saslPassword"] == "hunter2"
    assert "saslPassword" in resource.secrets
    assert resource.inputs["saslMechanism"] == "scram-sha512"
    assert resource.inputs["caCert"] == "PEM"


def test_without_sasl_there_is_no_user() -> None:
    connection = Connection(
        bootstrap_servers="a:1", username="ANONYMOUS", password="", protocol="PLAINTEXT"
    )

    assert not {"saslPassword", "saslUsername"} & provider(connection).inputs.keys()
