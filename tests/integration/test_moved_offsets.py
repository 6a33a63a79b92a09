"""What moving offsets to other workers relies on, on real brokers."""

from __future__ import annotations

import pytest
from confluent_kafka import KafkaException, Producer
from confluent_kafka.admin import NewTopic

from mirrorstack.connect.offset_transfer import ConnectorMove, move_offsets
from mirrorstack.connect.storage import OffsetsLocation
from mirrorstack.kafka.admin import KafkaCluster
from mirrorstack.kafka.keyed_topic import KeyedTopic
from mirrorstack.sandbox.names import Cluster, Principal
from mirrorstack.sandbox.sandbox import Sandbox
from tests.integration.replicated_stack import admin

OLD, NEW = "moved-offsets-old", "moved-offsets-new"
GROUP = "moved-offsets"
PARTITION = b'{"cluster":"east","partition":0,"topic":"orders"}'


def key(connector: str) -> bytes:
    return b'["%s",%s]' % (connector.encode(), PARTITION)


def test_a_transaction_that_a_killed_worker_left_open_does_not_count(sandbox: Sandbox) -> None:
    """Nor can that worker commit it afterwards, should it still be alive."""
    west = KafkaCluster("west", sandbox.connection(Cluster.WEST, Principal.ADMIN), "")
    topics = [NewTopic(name, 3, config={"cleanup.policy": "compact"}) for name in (OLD, NEW)]
    for created in admin(sandbox, Cluster.WEST).create_topics(topics).values():
        created.result(15)
    move = ConnectorMove(
        GROUP,
        OffsetsLocation(OLD, "east-to-west-source"),
        OffsetsLocation(NEW, "MirrorSourceConnector"),
        tasks=1,
        exactly_once=True,
    )
    (transactional_id,) = move.transactional_ids
    worker = Producer(
        {
            **west.connection.client_config(),
            "transactional.id": transactional_id,
            "partitioner": "murmur2",
            "log_level": 0,
        }
    )
    worker.init_transactions(15)
    for offset, commits in ((41, True), (99, False)):
        worker.begin_transaction()
        worker.produce(OLD, b'{"offset":%d}' % offset, key=key("east-to-west-source"))
        worker.flush(15)
        if commits:
            worker.commit_transaction(15)

    move_offsets(west, [move], print)

    assert KeyedTopic(west, NEW).read() == {key("MirrorSourceConnector"): b'{"offset":41}'}
    with pytest.raises(KafkaException):
        worker.commit_transaction(15)
