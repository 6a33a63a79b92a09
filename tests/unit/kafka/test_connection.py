"""Connection settings for librdkafka and for Java clients."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from mirrorstack.kafka.connection import Connection, in_jaas

SECURE = Connection(
    bootstrap_servers="east:9093", username="mirror", password='p"w\\', ca_path=Path("/ca.pem")
)


def test_the_password_is_not_in_the_repr() -> None:
    assert 'p"w' not in repr(SECURE)


def test_librdkafka_gets_sasl_and_the_ca() -> None:
    assert SECURE.client_config() == {
        "bootstrap.servers": "east:9093",
        "security.protocol": "SASL_SSL",
        "sasl.mechanism": "SCRAM-SHA-512",
        "sasl.username": "mirror",
        "sasl.password": 'p"w\\',
        "ssl.ca.location": "/ca.pem",
    }


@pytest.mark.parametrize(
    ("protocol", "keys"),
    [
        ("PLAINTEXT", set()),
        ("SSL", {"ssl.ca.location"}),
        ("SASL_PLAINTEXT", {"sasl.mechanism", "sasl.username", "sasl.password"}),
    ],
)
def test_only_the_settings_of_the_protocol_are_set(protocol: str, keys: set[str]) -> None:
    config = replace(SECURE, protocol=protocol).client_config()

    assert config.keys() - {"bootstrap.servers", "security.protocol"} == keys


def test_java_properties_quote_the_password_for_jaas() -> None:
    jaas = SECURE.java_properties()["sasl.jaas.config"]

    assert jaas.endswith(r'required username="mirror" password="p\"w\\";')
    assert in_jaas("plain") == "plain"


def test_a_worker_gets_a_reference_instead_of_the_password() -> None:
    access = SECURE.access("east", "${file:/secrets:east}")

    assert access.principal == "mirror"
    assert 'password="${file:/secrets:east}"' in access.client_properties()["sasl.jaas.config"]


def test_portable_properties_contain_the_certificates(tmp_path: Path) -> None:
    (tmp_path / "ca.pem").write_text("certificate")

    found = replace(SECURE, ca_path=tmp_path / "ca.pem").java_properties(portable=True)

    assert found["ssl.truststore.certificates"] == "certificate"
    assert "ssl.truststore.location" not in found
