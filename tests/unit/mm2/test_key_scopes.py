"""Which keys are read where."""

from __future__ import annotations

import pytest

from mirrorstack.mm2.catalogue import Section
from mirrorstack.mm2.key_scopes import connector_scope, worker_scope

SOURCE = connector_scope(Section.SOURCE, {"topic.creation.groups": "big", "transforms": "route"})


@pytest.mark.parametrize(
    ("name", "prefix"),
    [
        ("tasks.max", ""),
        (
            "consumer.poll.timeout.ms",
            "",
        ),  # declared by MirrorMaker, although it looks like a client's
        ("consumer.max.poll.records", "consumer."),
        ("producer.override.batch.size", "producer.override."),
        ("source.cluster.sasl.mechanism", "source.cluster."),
        ("source.consumer.max.poll.records", "source.consumer."),
        ("topic.creation.big.partitions", "topic.creation.big."),
    ],
)
def test_the_longest_prefix_leads_to_the_scope_of_a_key(name: str, prefix: str) -> None:
    assert SOURCE.resolve(name)[1] == prefix
    assert SOURCE.reads(name)


@pytest.mark.parametrize("name", ["transforms.route.anything", "key.converter.schemas.enable"])
def test_any_key_may_follow_the_prefix_of_a_plugin(name: str) -> None:
    assert SOURCE.reads(name)


@pytest.mark.parametrize(
    "name", ["group.id", "transforms.other.type", "topic.creation.x.partitions"]
)
def test_other_keys_are_not_read(name: str) -> None:
    assert not SOURCE.reads(name)


def test_a_worker_reads_client_and_storage_keys_after_their_prefixes() -> None:
    assert worker_scope().reads("producer.batch.size")
    assert worker_scope().reads("offset.storage.min.insync.replicas")
    assert not worker_scope().reads("tasks.max")


def test_the_closest_key_is_found_by_its_letters_or_its_beginning() -> None:
    assert SOURCE.closest("task.max") == "tasks.max"
    assert SOURCE.closest("emit.offset-syncs") == "emit.offset-syncs.enabled"
    assert SOURCE.closest("nothing.like.it") is None
