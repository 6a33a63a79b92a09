"""Normalising a connector's config, and the secrets in it."""

from __future__ import annotations

import pytest

from mirrorstack.connect.config import HIDDEN, normalise, plain_secrets, without_secrets

JAAS = "org.apache.kafka.common.security.scram.ScramLoginModule required"


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        (2, "2"),
        (2.0, "2"),
        (0.5, "0.5"),
        (True, "true"),
        (False, "false"),
        ("", ""),
        (["orders", "payments"], "orders,payments"),
    ],
)
def test_every_value_becomes_the_string_that_kafka_reads(given: object, kept: str) -> None:
    assert normalise({"key": given}) == {"key": kept}


def test_missing_values_and_the_name_are_left_out() -> None:
    assert normalise({"name": "orders", "topics": None, "tasks.max": "1"}) == {"tasks.max": "1"}


@pytest.mark.parametrize(
    "key",
    [
        "source.cluster.sasl.jaas.config",
        "source.cluster.ssl.keystore.password",
        "ssl.key.password",
        "ssl.keystore.key",
        "basic.auth.user.info",
        "aws.secret.access.key",
        "oauth.client.secret",
    ],
)
def test_a_plain_value_under_such_a_key_is_a_secret(key: str) -> None:
    assert plain_secrets({key: "hunter2"}) == [key]
    assert plain_secrets({key: "${file:/run/secrets/east.properties:jaas}"}) == []
    assert plain_secrets({key: "${env:EAST_JAAS}"}) == []
    assert plain_secrets({key: ""}) == []


@pytest.mark.parametrize(
    "key", ["topics", "sasl.oauthbearer.token.endpoint.url", "ssl.truststore.certificates"]
)
def test_other_keys_are_not_secrets(key: str) -> None:
    assert plain_secrets({key: "anything"}) == []


def test_jaas_with_references_is_not_a_secret() -> None:
    config = f'{JAAS} username="mirror" password="${{file:/run/east:password}}";'

    assert plain_secrets({"sasl.jaas.config": config}) == []


@pytest.mark.parametrize("password", ['"hunter2"', '"a \\" quote"', "hunter2"])
def test_jaas_with_a_password_is_a_secret_under_any_key(password: str) -> None:
    config = f'{JAAS} username="mirror" password={password};'

    assert plain_secrets({"some.key": config}) == ["some.key"]


def test_a_reference_within_other_text_is_a_secret() -> None:
    assert plain_secrets({"ssl.key.password": "x${file:/run/east:password}"}) == [
        "ssl.key.password"
    ]


def test_only_plain_secrets_are_hidden() -> None:
    config = {"topics": "orders", "a.password": "hunter2", "b.password": "${file:/run/b:p}"}

    assert without_secrets(config) == config | {"a.password": HIDDEN}
