"""Encryption and authentication in production."""

from __future__ import annotations

import pytest

from mirrorstack.rules.subjects import ProductionClient, ProductionProvider, ProductionWorker
from mirrorstack.rules.transport import (
    production_clients_use_tls,
    production_providers_use_tls,
    production_rest_authentication,
    production_verifies_host_names,
)


@pytest.mark.parametrize(
    ("config", "keys"),
    [
        ({"bootstrap.servers": "x", "security.protocol": "SASL_SSL"}, []),
        ({"bootstrap.servers": "x"}, ["security.protocol"]),
        ({"source.cluster.bootstrap.servers": "x"}, ["source.cluster.security.protocol"]),
        ({"producer.override.security.protocol": "ssl"}, []),
        ({"target.admin.security.protocol": "PLAINTEXT"}, ["target.admin.security.protocol"]),
        ({}, []),
    ],
)
def test_the_protocol_of_every_client_is_checked_with_kafka_s_default(
    config: dict[str, str], keys: list[str]
) -> None:
    found = production_clients_use_tls.findings(ProductionClient("Connector c", config))

    assert [finding.key for finding in found] == keys


def test_a_password_in_plain_text_is_reported() -> None:
    plain = {"security.protocol": "SASL_PLAINTEXT", "sasl.mechanism": "PLAIN"}

    (problem,) = production_clients_use_tls.findings(ProductionClient("Worker w", plain))

    assert "the mechanism PLAIN sends the password itself" in problem.message


@pytest.mark.parametrize(
    ("config", "count"),
    [
        ({"listeners": "http://127.0.0.1:8083"}, 0),
        ({"listeners": "http://localhost:8083, https://[::1]:8443"}, 0),
        ({"listeners": "http://10.0.0.1:8083,http://:8084"}, 2),
        ({"listeners": "http://10.0.0.1:8083", "rest.extension.classes": "a.B"}, 0),
        ({"listeners": "https://x:1", "listeners.https.ssl.client.auth": "required"}, 0),
        ({"listeners": "http://x:1", "ssl.client.auth": "required"}, 1),
        ({}, 1),
    ],
)
def test_a_listener_is_local_or_requires_authentication(config: dict[str, str], count: int) -> None:
    assert (
        len(list(production_rest_authentication.findings(ProductionWorker("w", config)))) == count
    )


def test_a_platform_may_isolate_the_rest_api() -> None:
    worker = ProductionWorker("w", {}, is_isolated=True)

    assert list(production_rest_authentication.findings(worker)) == []


@pytest.mark.parametrize(
    ("tls", "verifies", "path"),
    [(True, True, []), (False, True, [("tlsEnabled",)]), (True, False, [("skipTlsVerify",)])],
)
def test_a_provider_uses_tls_and_verifies_it(
    tls: bool, verifies: bool, path: list[tuple[str, ...]]
) -> None:
    found = production_providers_use_tls.findings(ProductionProvider("p", tls, verifies))

    assert [finding.path for finding in found] == path


@pytest.mark.parametrize(("value", "count"), [("https", 0), ("", 1), (" ", 1)])
def test_an_empty_algorithm_disables_the_verification_of_host_names(value: str, count: int) -> None:
    config = {"producer.ssl.endpoint.identification.algorithm": value}
    found = production_verifies_host_names.findings(ProductionClient("Worker w", config))

    assert len(list(found)) == count
