"""Keys that Kafka removed or never had are not in the catalogue."""

from __future__ import annotations

from mirrorstack.mm2 import key_history
from mirrorstack.mm2.catalogue import Section, keys_in


def test_no_removed_or_later_key_is_declared_by_the_present_classes() -> None:
    connectors = (Section.SOURCE, Section.CHECKPOINT, Section.HEARTBEAT)
    clients = (Section.CONSUMER, Section.PRODUCER, Section.ADMIN)
    declared = {
        section: set(keys_in(section)) for section in (*connectors, *clients, Section.WORKER)
    }

    for section in connectors:
        assert not declared[section] & {*key_history.CONNECTORS, *key_history.LATER}
    for section in clients:
        assert not declared[section] & set(key_history.CLIENTS)
    assert not declared[Section.WORKER] & set(key_history.WORKERS)


def test_every_key_with_a_release_is_in_the_catalogue() -> None:
    assert all(name in keys_in(Section(section)) for section, name in key_history.SINCE)
