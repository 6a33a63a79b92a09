"""A cluster's settings from the config of a connector."""

from __future__ import annotations

import pytest

from mirrorstack.findings import Finding
from mirrorstack.importing.clusters import cluster_settings
from tests.unit.importing.deployments import SECURE, from_mm2, notes_text, only_flow


def test_clusters_are_imported_with_addresses_and_protocol() -> None:
    assert from_mm2().values["clusters"] == {
        "east": {
            "bootstrap-servers": ["east-1:9092", "east-2:9092"],
            "security": {"protocol": "PLAINTEXT"},
        },
        "west": {
            "bootstrap-servers": ["west-1:9092"],
            "security": {"protocol": "PLAINTEXT"},
        },
    }


def test_user_names_are_imported_and_passwords_are_not() -> None:
    stack = from_mm2(**SECURE)

    assert stack.values["clusters"]["east"] == {
        "bootstrap-servers": ["east-1:9092", "east-2:9092"],
        "security": {
            "protocol": "SASL_SSL",
            "ca-file": "/etc/ca.pem",
            "mechanism": "SCRAM-SHA-256",
        },
        "principals": {"mirror": "mm2", "admin": "mm2"},
    }
    assert "pulumi config set --secret east-mirror-password" in notes_text(stack)
    assert "hunter2" not in stack.content("mm2.properties")
    assert "override" not in only_flow(stack), "connection settings are not overrides"


def test_a_source_that_is_only_read_is_not_administered() -> None:
    stack = from_mm2(**SECURE, **{"east->west.offset-syncs.topic.location": "target"})

    assert stack.values["clusters"]["east"]["administer"] is False
    assert stack.values["clusters"]["east"]["principals"] == {"mirror": "mm2"}


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"security.protocol": "SSL", "ssl.keystore.location": "/k.jks"}, "client certificates"),
        ({"security.protocol": "SSL", "ssl.truststore.location": "/t.jks"}, "PEM file"),
        ({"security.protocol": "SASL_SSL"}, "sasl.mechanism is GSSAPI"),
        ({"bootstrap.servers": "${file:/etc/x:y}"}, "replace FILL-IN"),
        ({"bootstrap.servers": ""}, "bootstrap.servers is missing"),
    ],
)
def test_settings_that_cannot_be_imported_are_noted(config: dict[str, str], message: str) -> None:
    notes: list[Finding] = []
    given = {"bootstrap.servers": "e:1", **config}

    cluster_settings("east", given, administer=True, notes=notes)

    assert message in "\n".join(map(str, notes))
    assert {one.cluster for one in notes} == {"east"}
