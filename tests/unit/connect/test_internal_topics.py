"""Connectors read from the internal topics of Connect, on the mock cluster of librdkafka."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest

from mirrorstack.connect.internal_topics import InternalTopicsReader
from mirrorstack.connect.responses import ConnectorStatus, TaskStatus
from mirrorstack.connect.storage import ConnectStorage
from mirrorstack.kafka.admin import KafkaCluster
from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.kafka.record_writer import write_records
from tests.unit.sandbox.mock_cluster import EXISTS, MockCluster

NAME = "MirrorSourceConnector"
STORAGE = ConnectStorage.named_after("east-mm2")


@pytest.fixture
def west() -> KafkaCluster:
    members = SimpleNamespace(members=["worker-1"])
    return MockCluster().as_cluster(
        "west",
        describe_topics=dict.fromkeys(STORAGE.partitions, EXISTS),
        list_groups={STORAGE.group: [members]},
    )


def put(cluster: KafkaCluster, topic: str, values: dict[str, Any]) -> None:
    records = [(key.encode(), json.dumps(value).encode()) for key, value in values.items()]
    write_records(cluster, topic, records)


def put_statuses(cluster: KafkaCluster, *, tasks: int) -> None:
    put(cluster, STORAGE.configs_topic, {f"commit-{NAME}": {"tasks": tasks}})
    state = {"state": "RUNNING", "trace": None, "worker_id": "host:1", "generation": 3}
    put(
        cluster,
        STORAGE.status_topic,
        {
            f"status-connector-{NAME}": state,
            f"status-task-{NAME}-1": {**state, "state": "FAILED", "trace": "because"},
            f"status-task-{NAME}-0": state,
            "status-task-MirrorHeartbeatConnector-0": state,
        },
    )


def test_the_status_has_the_states_and_traces_of_its_tasks(west: KafkaCluster) -> None:
    put_statuses(west, tasks=2)

    assert InternalTopicsReader(west, STORAGE).status(NAME) == ConnectorStatus(
        "RUNNING",
        "",
        (TaskStatus(0, "RUNNING"), TaskStatus(1, "FAILED", "because")),
        "host:1",
    )


def test_tasks_of_an_earlier_configuration_do_not_count(west: KafkaCluster) -> None:
    put_statuses(west, tasks=1)
    put(west, STORAGE.configs_topic, {f"task-{NAME}-{n}": {"properties": {}} for n in (0, 1)})
    reader = InternalTopicsReader(west, STORAGE)

    status = reader.status(NAME)

    assert status is not None
    assert [task.id for task in status.tasks] == [0]
    assert len(reader.tasks(NAME)) == 1


def test_without_workers_nothing_is_running_whatever_the_topic_says(west: KafkaCluster) -> None:
    put_statuses(west, tasks=1)
    west.client.answers["list_groups"] = {}  # type: ignore[attr-defined]

    status = InternalTopicsReader(west, STORAGE).status(NAME)

    assert status is not None
    assert status.state == "UNASSIGNED"


def test_a_connector_that_was_never_started_has_neither_config_nor_status(
    west: KafkaCluster,
) -> None:
    reader = InternalTopicsReader(west, STORAGE)

    assert reader.config(NAME) is None
    assert reader.status(NAME) is None
    assert reader.tasks(NAME) == ()


def test_configs_of_the_connector_and_of_its_tasks_are_read(west: KafkaCluster) -> None:
    assigned = {"task.assigned.partitions": "orders-0,orders-1"}
    put(
        west,
        STORAGE.configs_topic,
        {
            f"connector-{NAME}": {"properties": {"tasks.max": "1"}},
            f"task-{NAME}-0": {"properties": assigned},
            f"commit-{NAME}": {"tasks": 1},
        },
    )
    reader = InternalTopicsReader(west, STORAGE)

    (task,) = reader.tasks(NAME)

    assert reader.config(NAME) == {"tasks.max": "1"}
    assert task.assigned == {TopicPartition("orders", 0), TopicPartition("orders", 1)}


def test_offsets_of_other_connectors_are_left_out(west: KafkaCluster) -> None:
    partition = {"cluster": "east", "partition": 0, "topic": "orders"}
    put(
        west,
        STORAGE.offsets_topic,
        {
            json.dumps([NAME, partition]): {"offset": 41},
            json.dumps([NAME, {**partition, "partition": 1}]): None,
            json.dumps(["another", partition]): {"offset": 7},
        },
    )

    offsets = InternalTopicsReader(west, STORAGE).offsets(NAME)

    assert offsets == {TopicPartition("orders", 0): 41}
