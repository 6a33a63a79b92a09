"""The catalogue of the keys that Kafka's classes declare."""

from __future__ import annotations

from mirrorstack.mm2.catalogue import (
    CONNECTORS,
    Section,
    Type,
    connector_section,
    kafka_version,
    keys_in,
)
from toolchain import versions

SOURCE, CHECKPOINT, HEARTBEAT = CONNECTORS


def test_it_was_written_from_the_pinned_kafka() -> None:
    assert kafka_version() == versions.KAFKA, "type `make catalogue`"


def test_it_has_every_section() -> None:
    assert all(len(keys_in(section)) > 1 for section in Section)


def test_a_key_has_its_type_default_rule_and_release() -> None:
    keys = keys_in(Section.SOURCE)
    location = keys["offset-syncs.topic.location"]

    assert (location.type, location.default) == (Type.STRING, "source")
    assert location.choices == ("source", "target")
    assert keys["heartbeats.replication.enabled"].since == "4.0"
    assert keys_in(Section.PRODUCER)["compression.zstd.level"].max == 22


def test_a_connector_is_known_by_three_names() -> None:
    for name in (SOURCE, "MirrorSourceConnector", "MirrorSource"):
        assert connector_section(name) is Section.SOURCE
    assert connector_section(CHECKPOINT) is Section.CHECKPOINT
    assert connector_section(HEARTBEAT) is Section.HEARTBEAT


def test_another_connector_has_no_section() -> None:
    assert connector_section("org.example.Sink") is None
