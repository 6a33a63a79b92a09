"""Settings for Java clients."""

from __future__ import annotations

import pytest

from mirrorstack.kafka.java_client import ClientAccess, prefixed


@pytest.mark.parametrize(
    ("mechanism", "module"), [("PLAIN", "PlainLoginModule"), ("SCRAM-SHA-256", "ScramLoginModule")]
)
def test_the_login_module_follows_the_mechanism(mechanism: str, module: str) -> None:
    access = ClientAccess("east", "east:9093", "mirror", "${env:P}", mechanism=mechanism)

    properties = access.client_properties()

    assert properties["sasl.mechanism"] == mechanism
    assert f".{module} required" in properties["sasl.jaas.config"]


def test_plaintext_needs_no_more_than_the_servers() -> None:
    access = ClientAccess("east", "east:9092", "ANONYMOUS", "", protocol="PLAINTEXT")

    assert access.client_properties() == {
        "bootstrap.servers": "east:9092",
        "security.protocol": "PLAINTEXT",
    }


def test_keys_are_prefixed() -> None:
    assert prefixed("source.cluster.", {"a": "1"}) == {"source.cluster.a": "1"}
