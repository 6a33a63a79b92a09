"""Moving offsets to another connector name, on the mock cluster of librdkafka."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest

from mirrorstack.connect.offset_transfer import (
    ConnectorMove,
    move_offsets,
    new_offsets,
    renamed_key,
)
from mirrorstack.connect.storage import OffsetsLocation
from mirrorstack.findings import UserError
from mirrorstack.kafka.admin import KafkaCluster
from mirrorstack.kafka.keyed_topic import KeyedTopic
from mirrorstack.kafka.record_writer import write_records
from tests.unit.sandbox.mock_cluster import EXISTS, MockCluster

OLD = OffsetsLocation("west-offsets", "east-to-west-source")
NEW = OffsetsLocation("mm2-offsets.east.internal", "MirrorSourceConnector")
MOVE = ConnectorMove("mirrorstack-west", OLD, NEW, tasks=2, exactly_once=True)
PARTITION = b'{"cluster":"east","partition":0,"topic":"orders"}'
MEMBERS = SimpleNamespace(members=["worker-1"])


def key(connector: str, partition: bytes = PARTITION) -> bytes:
    return b'["%s",%s]' % (connector.encode(), partition)


def cluster(members: int = 0) -> KafkaCluster:
    return MockCluster().as_cluster(
        "west",
        describe_topics={OLD.topic: EXISTS, NEW.topic: EXISTS},
        list_groups={MOVE.group: [MEMBERS]} if members else {},
    )


def test_a_key_keeps_its_partition_byte_for_byte() -> None:
    odd = b'{"topic":"a\\u0041","cluster":"east","partition":0}'

    assert renamed_key(key("a", odd), "east->west.MirrorSourceConnector") == key(
        "east->west.MirrorSourceConnector", odd
    )


def test_offsets_of_other_connectors_stay_where_they_are() -> None:
    kept = {key(OLD.connector): b'{"offset":41}', key("another"): b'{"offset":7}'}

    assert new_offsets(MOVE, kept, {}) == [(key(NEW.connector), b'{"offset":41}')]


def test_topics_that_restart_from_earliest_have_no_offsets_afterwards() -> None:
    clicks = PARTITION.replace(b"orders", b"clicks")
    kept = {key(OLD.connector): b'{"offset":41}', key(OLD.connector, clicks): b'{"offset":5}'}
    held = {key(NEW.connector): b'{"offset":3}', key(NEW.connector, clicks): b'{"offset":3}'}
    move = replace(MOVE, restarted=frozenset({"clicks"}))

    assert new_offsets(move, kept, held) == [
        (key(NEW.connector), b'{"offset":41}'),
        (key(NEW.connector, clicks), None),
    ]


def test_a_move_that_was_interrupted_keeps_what_has_moved() -> None:
    """The offsets of clicks are at the new location only."""
    clicks = PARTITION.replace(b"orders", b"clicks")
    west = cluster()
    write_records(west, NEW.topic, [(key(NEW.connector, clicks), b'{"offset":5}')])
    write_records(west, OLD.topic, [(key(OLD.connector), b'{"offset":41}')])

    for _ in range(2):
        move_offsets(west, [MOVE], print)

        assert KeyedTopic(west, NEW.topic).read() == {
            key(NEW.connector, clicks): b'{"offset":5}',
            key(NEW.connector): b'{"offset":41}',
        }


def test_the_offsets_are_in_the_topic_of_the_new_group() -> None:
    west = cluster()
    write_records(west, OLD.topic, [(key(OLD.connector), b'{"offset":41}')])

    move_offsets(west, [MOVE], print)

    assert KeyedTopic(west, NEW.topic).read() == {key(NEW.connector): b'{"offset":41}'}
    assert KeyedTopic(west, OLD.topic).read() == {}, "workers that return must not resume there"


def test_workers_that_are_still_members_prevent_the_move(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("mirrorstack.connect.offset_transfer.LEAVING_SECONDS", 0.0)
    west = cluster(members=1)

    with pytest.raises(UserError, match="mirrorstack-west on west still has members"):
        move_offsets(west, [MOVE], print)

    assert KeyedTopic(west, NEW.topic).read() == {}


def test_transactions_are_ended_where_records_were_written_exactly_once() -> None:
    assert MOVE.transactional_ids == [
        "mirrorstack-west-east-to-west-source-0",
        "mirrorstack-west-east-to-west-source-1",
    ]
    assert ConnectorMove(MOVE.group, OLD, NEW, tasks=2, exactly_once=False).transactional_ids == []
