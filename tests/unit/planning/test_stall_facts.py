"""Facts about stalled topics, from fake clusters."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from confluent_kafka import KafkaError
from confluent_kafka.admin import AclOperation

from mirrorstack.connect.stalls import LargeRecord, StallReason
from mirrorstack.kafka.admin import KafkaCluster
from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.planning.stall_facts import StallInspector
from tests.unit.kafka.fakes import CONNECTION, FakeAdmin, FakeMessage, failed, install_consumer

DEFAULT_POLICY = "org.apache.kafka.connect.mirror.DefaultReplicationPolicy"
CONFIG = {"replication.policy.class": DEFAULT_POLICY, "source.cluster.alias": "east"}
ORDERS = TopicPartition("orders", 0)
END = KafkaError(KafkaError._PARTITION_EOF)


def topic(partitions: int, *operations: AclOperation) -> Any:
    return SimpleNamespace(
        partitions=list(range(partitions)), topic_id="abc", authorized_operations=list(operations)
    )


def cluster(alias: str, described: Any, limit: Any = "1000", name: str = "") -> KafkaCluster:
    name = name or ("orders" if alias == "east" else "east.orders")
    entry = SimpleNamespace(value=limit)
    configs = limit if isinstance(limit, Exception) else {"max.message.bytes": entry}
    answers = {
        "describe_topics": {name: described},
        "describe_configs": {name: configs},
        "list_offsets": lambda _partition, spec: SimpleNamespace(
            offset=20 if "Latest" in type(spec).__name__ else 0, timestamp=-1
        ),
    }
    found = KafkaCluster(alias, CONNECTION, "start the brokers")
    found.__dict__["client"] = FakeAdmin(answers)
    return found


EAST, WEST = topic(1, AclOperation.READ), topic(1, AclOperation.WRITE)


@pytest.fixture(autouse=True)
def records(monkeypatch: pytest.MonkeyPatch) -> None:
    """The source holds one record of 2,000 bytes after a small one."""
    large = FakeMessage("orders", 0, 11, b"x" * 1990, b"0123456789")
    end = FakeMessage("orders", 0, 20, error_=END)
    install_consumer(monkeypatch, [FakeMessage("orders", 0, 10), large, end])


def inspector(source: Any = EAST, target: Any = WEST, **more: Any) -> StallInspector:
    return StallInspector(cluster("east", source), cluster("west", target, **more), CONFIG)


def test_the_facts_of_a_topic() -> None:
    (facts,) = inspector().facts(["orders"], {ORDERS: 9})

    assert (facts.topic, facts.target_topic) == ("orders", "east.orders")
    assert (facts.last_offsets, facts.source_ends, facts.target_partitions) == ({0: 9}, {0: 20}, 1)
    assert facts.missing_permissions == ()
    assert facts.large_record == LargeRecord(0, 11, 2000)
    assert (facts.max_message_bytes, facts.max_request_size) == (1000, 1_048_576)


def test_the_reason_is_found() -> None:
    (finding,) = inspector()(["orders"], {ORDERS: 9})

    assert finding.rule == StallReason.RECORD_TOO_LARGE


def test_a_missing_read_permission_is_found_with_its_command() -> None:
    (finding,) = inspector(source=topic(1, AclOperation.DESCRIBE))(["orders"], {})

    assert finding.rule == StallReason.MISSING_PERMISSION
    assert "Read on Topic orders" in finding.message
    assert "kafka-acls" in finding.fix


def test_a_missing_write_permission_is_found() -> None:
    (finding,) = inspector(target=topic(1, AclOperation.DESCRIBE))(["orders"], {})

    assert "Write on Topic east.orders" in finding.message


def test_a_target_topic_that_does_not_exist_is_no_missing_permission() -> None:
    (finding,) = inspector(target=failed(KafkaError.UNKNOWN_TOPIC_OR_PART))(["orders"], {})

    assert finding.rule == StallReason.MISSING_PARTITION


def test_a_target_topic_that_may_not_be_described_is_a_missing_permission() -> None:
    (finding,) = inspector(target=failed(KafkaError.TOPIC_AUTHORIZATION_FAILED))(["orders"], {})

    assert finding.rule == StallReason.MISSING_PERMISSION


def test_a_limit_that_may_not_be_read_is_unknown() -> None:
    refused = failed(KafkaError.TOPIC_AUTHORIZATION_FAILED)

    (facts,) = inspector(limit=refused).facts(["orders"], {ORDERS: 9})

    assert facts.max_message_bytes is None
    assert facts.large_record is None, "the producer's limit is larger"


def test_a_compressing_producer_is_measured_by_its_own_limit_only() -> None:
    config = CONFIG | {"producer.override.compression.type": "zstd"}

    (facts,) = StallInspector(cluster("east", EAST), cluster("west", WEST), config).facts(
        ["orders"], {ORDERS: 9}
    )

    assert facts.large_record is None


def test_names_of_an_unknown_policy_are_not_guessed() -> None:
    config = CONFIG | {"replication.policy.class": "com.example.Ours"}

    assert (
        StallInspector(cluster("east", EAST), cluster("west", WEST), config)(["orders"], {}) == []
    )


@pytest.mark.parametrize(
    ("changes", "names", "target_topic"),
    [
        ({"replication.policy.separator": "_"}, None, "east_orders"),
        ({"replication.policy.class": "com.example.Ours"}, "{topic}.{source}", "orders.east"),
    ],
)
def test_separators_and_policies_of_one_s_own_give_the_names_of_target_topics(
    changes: dict[str, str], names: str | None, target_topic: str
) -> None:
    west = cluster("west", WEST, name=target_topic)
    inspected = StallInspector(cluster("east", EAST), west, CONFIG | changes, names)

    (facts,) = inspected.facts(["orders"], {})

    assert facts.target_topic == target_topic


def test_a_cluster_that_does_not_answer_is_the_reason() -> None:
    found = inspector(source=failed(KafkaError._TRANSPORT, "all brokers are down"))(["orders"], {})

    assert "all brokers are down" in found[0].message
