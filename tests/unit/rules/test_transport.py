"""How clients and people reach clusters and workers."""

from __future__ import annotations

import pytest

from mirrorstack.rules.transport import open_listeners, unencrypted


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
def test_every_client_s_protocol_is_looked_at_with_kafka_s_default(
    config: dict[str, str], keys: list[str]
) -> None:
    found = [problem.message for problem in unencrypted("Connector c", config)]

    assert [what.split(" is ")[0] for what in found] == [f"Connector c: {key}" for key in keys]


def test_a_password_that_is_sent_in_plain_text_is_told() -> None:
    plain = {"security.protocol": "SASL_PLAINTEXT", "sasl.mechanism": "PLAIN"}

    (problem,) = unencrypted("Worker w", plain)

    assert "The mechanism PLAIN sends the password itself" in problem.message


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
def test_a_listener_is_local_or_asks_who_is_there(config: dict[str, str], count: int) -> None:
    assert len(list(open_listeners("Worker w", config))) == count
