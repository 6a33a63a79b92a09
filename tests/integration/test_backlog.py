"""Whether a topic holds records after an offset, on a real cluster: offsets alone do not tell."""

from __future__ import annotations

import uuid

import pytest
from confluent_kafka import Producer

from mirrorstack.kafka.admin import KafkaCluster
from mirrorstack.kafka.backlog import topics_with_backlog
from mirrorstack.kafka.connection import Connection
from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.sandbox.names import Cluster, Principal
from mirrorstack.sandbox.sandbox import Sandbox
from tests.integration.conftest import create_topic


@pytest.fixture
def app(sandbox: Sandbox) -> Connection:
    return sandbox.connection(Cluster.EAST, Principal.APP)


@pytest.fixture
def topic(app: Connection) -> str:
    name = f"backlog-{uuid.uuid4().hex[:8]}"
    create_topic(app, name)
    return name


def reader(connection: Connection) -> KafkaCluster:
    return KafkaCluster("east", connection, "")


def in_transaction(app: Connection, topic: str, *, commit: bool) -> None:
    """One record and its marker: two offsets."""
    producer = Producer(app.client_config() | {"transactional.id": uuid.uuid4().hex})
    producer.init_transactions(30)
    producer.begin_transaction()
    producer.produce(topic, b"record")
    producer.flush(15)
    if commit:
        producer.commit_transaction(30)
    else:
        producer.abort_transaction(30)


def test_markers_and_aborted_records_do_not_count(app: Connection, topic: str) -> None:
    in_transaction(app, topic, commit=True)
    in_transaction(app, topic, commit=False)

    assert topics_with_backlog(reader(app), {TopicPartition(topic, 0): -1}) == {topic}
    assert topics_with_backlog(reader(app), {TopicPartition(topic, 0): 0}) == frozenset(), (
        "three offsets follow, no record"
    )


def test_an_empty_topic_holds_no_more(app: Connection, topic: str) -> None:
    assert topics_with_backlog(reader(app), {TopicPartition(topic, 0): -1}) == frozenset()


def test_a_topic_that_may_not_be_read_counts_as_holding_more(
    sandbox: Sandbox, topic: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mirrorstack.kafka.backlog.SECONDS", 3.0)
    stranger = sandbox.connection(Cluster.EAST, Principal.MIRROR)

    assert topics_with_backlog(reader(stranger), {TopicPartition(topic, 0): -1}) == {topic}
