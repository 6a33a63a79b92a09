"""A cluster's admin API, with a fake client."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from confluent_kafka import IsolationLevel, KafkaError
from confluent_kafka import TopicPartition as ClientPartition
from confluent_kafka.admin import ConfigSource

from mirrorstack.findings import UserError
from mirrorstack.kafka.inventory import TopicDescription
from mirrorstack.kafka.partitions import TopicPartition
from tests.unit.kafka.fakes import FakeAdmin, cluster, failed

ORDERS = TopicPartition("orders", 0)


def described(*counts: int) -> Any:
    topics = {f"t{n}": SimpleNamespace(partitions=dict.fromkeys(range(n))) for n in counts}
    return SimpleNamespace(brokers={1: None, 2: None}, topics=topics, cluster_id="id")


def entry(value: str, source: ConfigSource) -> Any:
    return SimpleNamespace(value=value, source=source.value)


def at(offset: int, timestamp: int = -1) -> Any:
    return SimpleNamespace(offset=offset, timestamp=timestamp)


def test_the_inventory_has_configs_that_are_set_on_wanted_topics() -> None:
    set_here = entry("compact", ConfigSource.DYNAMIC_TOPIC_CONFIG)
    default = entry("1", ConfigSource.DEFAULT_CONFIG)
    groups = SimpleNamespace(valid=[SimpleNamespace(group_id="billing")], errors=[])
    admin = FakeAdmin(
        {
            "list_topics": described(1, 3),
            "describe_configs": {"t3": {"cleanup.policy": set_here, "retention.ms": default}},
            "list_consumer_groups": groups,
        }
    )

    found = cluster(admin).inventory(lambda topic: topic == "t3")

    assert found.brokers == 2
    assert found.topics == {
        "t1": TopicDescription("t1", 1),
        "t3": TopicDescription("t3", 3, {"cleanup.policy": "compact"}),
    }
    assert found.groups == {"billing"}
    assert (found.principal, found.bootstrap_servers) == ("mirror", "east:9093")


def test_all_topics_without_describe_configs_are_in_one_error() -> None:
    refused = failed(KafkaError.TOPIC_AUTHORIZATION_FAILED)
    admin = FakeAdmin(
        {"list_topics": described(1, 2), "describe_configs": {"t1": refused, "t2": refused}}
    )

    with pytest.raises(UserError, match="not authorized: DescribeConfigs on topics t1, t2"):
        cluster(admin).inventory(lambda _topic: True)


class TestOffsets:
    def test_spans_count_uncommitted_records_too(self) -> None:
        admin = FakeAdmin({"list_offsets": lambda each, _spec: at(each.partition * 10)})

        assert cluster(admin).offset_ranges({"orders": 2}) == {"orders": [(0, 0), (10, 10)]}
        assert {isolation for _, isolation in admin.requests} == {IsolationLevel.READ_UNCOMMITTED}

    def test_latest_offsets_are_the_last_stable_ones(self) -> None:
        admin = FakeAdmin({"list_offsets": lambda _each, _spec: at(7)})

        assert cluster(admin).latest_offsets([ORDERS]) == {ORDERS: 7}
        assert admin.requests == [("list_offsets", IsolationLevel.READ_COMMITTED)]

    def test_a_topic_with_equal_first_and_last_offsets_is_empty(self) -> None:
        offsets = iter([0, 5, 0, 9])  # two topics' earliest offsets, then their latest
        admin = FakeAdmin({"list_offsets": lambda _each, _spec: at(next(offsets))})

        assert cluster(admin).topics_with_records({"empty": 1, "orders": 1}) == {"orders"}

    @pytest.mark.parametrize(
        "code", [KafkaError.NOT_LEADER_FOR_PARTITION, KafkaError.REQUEST_TIMED_OUT]
    )
    def test_a_broker_error_is_a_user_error(self, code: int) -> None:
        admin = FakeAdmin({"list_offsets": lambda _each, _spec: failed(code)})
        east = cluster(admin)

        for request in (
            lambda: east.offset_ranges({"orders": 1}),
            lambda: east.latest_offsets([ORDERS]),
            lambda: east.earliest_offsets([ORDERS]),
            lambda: east.first_timestamps([ORDERS]),
            lambda: east.offsets_for_times({ORDERS: 1}),
            lambda: east.end_offsets_at([ORDERS], [1]),
        ):
            with pytest.raises(UserError, match="Cluster east at east:9093: request as mirror"):
                request()

    def test_a_topic_without_describe_is_an_error_with_the_acl_to_add(self) -> None:
        refused = failed(KafkaError.TOPIC_AUTHORIZATION_FAILED)
        admin = FakeAdmin({"list_offsets": lambda _each, _spec: refused})

        with pytest.raises(UserError, match="not authorized: Describe on topic orders") as raised:
            cluster(admin).latest_offsets([ORDERS])
        assert "--operation Describe --topic 'orders'" in raised.value.fix

    def test_a_partition_that_does_not_exist_has_no_offset(self) -> None:
        def answer(each: ClientPartition, _spec: Any) -> Any:
            return at(3) if each.topic == "orders" else failed(KafkaError.UNKNOWN_TOPIC_OR_PART)

        east = cluster(FakeAdmin({"list_offsets": answer}))

        assert east.latest_offsets([ORDERS, TopicPartition("gone", 0)]) == {ORDERS: 3}
        with pytest.raises(UserError, match="partition gone-0 does not exist"):
            east.offset_ranges({"gone": 1})

    @pytest.mark.parametrize(
        ("topic", "exists"),
        [
            (SimpleNamespace(partitions=[0], topic_id="x"), True),
            (failed(KafkaError.UNKNOWN_TOPIC_OR_PART), False),
        ],
    )
    def test_a_partition_without_a_leader_is_offline_or_does_not_exist(
        self, topic: Any, exists: bool
    ) -> None:
        answers = {
            "list_offsets": lambda _each, _spec: failed(KafkaError._NOENT, "No leaders found"),
            "describe_topics": {"orders": topic},
        }
        east = cluster(FakeAdmin(answers))

        if exists:
            with pytest.raises(UserError, match="No leaders found"):
                east.latest_offsets([ORDERS])
        else:
            assert east.latest_offsets([ORDERS]) == {}

    def test_the_end_at_a_time_is_none_where_no_record_is_later(self) -> None:
        offsets = iter([4, -1])
        admin = FakeAdmin({"list_offsets": lambda _each, _spec: at(next(offsets))})

        assert cluster(admin).end_offsets_at([ORDERS], [10, 20]) == [{ORDERS: 4}, {ORDERS: None}]

    def test_an_empty_partition_has_no_first_timestamp(self) -> None:
        full, empty = TopicPartition("orders", 0), TopicPartition("orders", 1)
        admin = FakeAdmin(
            {"list_offsets": lambda each, _spec: at(0, -1 if each.partition else 1234)}
        )

        assert cluster(admin).first_timestamps([full, empty]) == {full: 1234}

    def test_no_request_is_sent_for_no_partition(self) -> None:
        admin = FakeAdmin()

        assert cluster(admin).latest_offsets([]) == {}
        assert admin.requests == []


def test_configs_in_effect_are_those_of_topics_that_exist() -> None:
    answers = {
        "describe_configs": {
            "orders": {"cleanup.policy": entry("delete", ConfigSource.DEFAULT_CONFIG)},
            "gone": failed(KafkaError.UNKNOWN_TOPIC_OR_PART),
        }
    }

    found = cluster(FakeAdmin(answers)).topic_configs(["orders", "gone"], ["cleanup.policy"])

    assert found == {"orders": {"cleanup.policy": "delete"}}


def test_a_topic_is_described_with_its_id() -> None:
    answers = {"describe_topics": {"orders": SimpleNamespace(partitions=[0, 1], topic_id="abc")}}

    found = cluster(FakeAdmin(answers)).describe_topics(["orders"])

    assert found == {"orders": TopicDescription("orders", 2, id="abc")}


class TestGroups:
    def test_committed_offsets_leave_out_partitions_without_one(self) -> None:
        committed = [ClientPartition("orders", 0, 5), ClientPartition("orders", 1, -1001)]
        answers = {
            "offsets": {
                "billing": SimpleNamespace(topic_partitions=committed),
                "gone": failed(KafkaError.GROUP_ID_NOT_FOUND),
            }
        }

        found = cluster(FakeAdmin(answers)).committed_offsets(["billing", "gone"])

        assert found == {"billing": {ORDERS: 5}, "gone": {}}

    def test_a_group_without_describe_is_an_error_with_the_acl_to_add(self) -> None:
        refused = failed(KafkaError.GROUP_AUTHORIZATION_FAILED)
        admin = FakeAdmin({"offsets": {"billing": refused}})

        with pytest.raises(UserError, match="not authorized: Describe on group billing") as raised:
            cluster(admin).committed_offsets(["billing"])
        assert "--operation Describe --group 'billing'" in raised.value.fix

    def test_a_group_that_all_members_have_left_has_none(self) -> None:
        busy, empty = SimpleNamespace(members=["a"]), SimpleNamespace(members=[])
        east = cluster(FakeAdmin({"list_groups": {"busy": [busy], "empty": [empty]}}))

        assert east.has_members("busy")
        assert not east.has_members("empty")
        assert not east.has_members("unknown")

    def test_groups_that_cannot_be_listed_are_a_user_error(self) -> None:
        admin = FakeAdmin({"list_groups": failed(KafkaError._TIMED_OUT, "timed out")})

        with pytest.raises(UserError, match="timed out"):
            cluster(admin).has_members("busy")


def test_groups_of_a_broker_that_does_not_answer_are_not_left_out() -> None:
    loading = failed(KafkaError.COORDINATOR_LOAD_IN_PROGRESS, "coordinator is loading")
    listed = SimpleNamespace(valid=[SimpleNamespace(group_id="billing")], errors=[loading])
    admin = FakeAdmin({"list_topics": described(1), "list_consumer_groups": listed})

    with pytest.raises(UserError, match="coordinator is loading"):
        cluster(admin).inventory(lambda _topic: False)
