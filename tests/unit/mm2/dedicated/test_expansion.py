"""What dedicated mode derives from mm2.properties. `tests/integration/test_dedicated.py` compares
with the real MirrorMakerConfig."""

from __future__ import annotations

from mirrorstack.mm2.connector_configs import ConnectorKind
from mirrorstack.mm2.dedicated.expansion import expand

CONFIG = {
    "clusters": "east, west",
    "east.bootstrap.servers": "east:9092",
    "west.bootstrap.servers": "west:9092",
    "west.consumer.max.poll.records": "7",
    "tasks.max": "3",
    "east->west.enabled": "true",
    "east->west.topics": "orders",
    "west->east.topics": "clicks",
    "offset.storage.replication.factor": "1",
    "group.id": "ignored",
}


def test_a_worker_runs_next_to_the_target_in_the_group_of_its_source() -> None:
    worker = expand(CONFIG, "east", "west").worker

    assert worker["bootstrap.servers"] == "west:9092"
    assert worker["producer.bootstrap.servers"] == "west:9092"
    assert worker["group.id"] == "east-mm2"
    assert worker["offset.storage.topic"] == "mm2-offsets.east.internal"
    assert worker["offset.storage.replication.factor"] == "1"


def test_the_connectors_of_a_flow_get_its_keys_and_both_clusters() -> None:
    source = expand(CONFIG, "east", "west").connectors[ConnectorKind.SOURCE]

    assert (source["topics"], source["tasks.max"], source["enabled"]) == ("orders", "3", "true")
    assert source["source.cluster.bootstrap.servers"] == "east:9092"
    assert source["target.consumer.max.poll.records"] == "7"
    assert "group.id" not in source
