"""The deployment record reports changes, with the number of records that Connect reports."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from components.deployment_record import DeploymentRecordProvider
from mirrorstack.changes.deployment_changes import CHANGE_KEYS
from mirrorstack.changes.diff import connector_record, encode_topics, topic_record
from mirrorstack.config.clusters import AclMode
from mirrorstack.kafka.record_writer import write_records
from mirrorstack.planning.previous_acls import acl_record
from tests.unit.connect.scripted import Script, playing
from tests.unit.sandbox.mock_cluster import EXISTS, MockCluster

provider = DeploymentRecordProvider()
GROUP = "mirrorstack-west-offsets"
NOWHERE = "http://127.0.0.1:9"


def recorded(url: str = NOWHERE, **offsets: str) -> dict[str, Any]:
    """Source connectors by name, without checkpoint connectors and topics."""
    return {
        "connectors": {
            name: {**connector_record(topic, delete_topics=False), "rest_url": url}
            for name, topic in offsets.items()
        }
    }


def replicating(url: str = NOWHERE, deletes: bool = True, **partitions: int) -> dict[str, Any]:
    """Connector a, which writes target topics with these partitions."""
    where = {**connector_record(GROUP, delete_topics=deletes), "rest_url": url}
    return {
        "connectors": {"a": where},
        "topics": encode_topics(
            {
                f"west/east.{topic}": topic_record("a", topic, number, delete_topics=deletes)
                for topic, number in partitions.items()
            }
        ),
    }


@pytest.fixture
def connect() -> Iterator[Script]:
    """Connector a has replicated 150 records of orders and 10 of clicks."""
    with playing() as connect:
        places = {("orders", 0): 99, ("orders", 1): 49, ("clicks", 0): 9}
        entries = [
            {
                "partition": {"cluster": "east", "topic": topic, "partition": number},
                "offset": {"offset": at},
            }
            for (topic, number), at in places.items()
        ]
        connect["GET /connectors/a/offsets"] = (200, {"offsets": entries})
        yield connect


def changes(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    inputs = provider.check(before, after).inputs
    return {key: inputs[key] for key in CHANGE_KEYS if inputs[key]}


def test_a_first_deployment_has_no_changes() -> None:
    assert changes({}, replicating(orders=2)) == {}


class TestConnectors:
    def test_a_removed_connector_is_reported_with_its_replicated_records(
        self, connect: Script
    ) -> None:
        before = recorded(connect.url, a=GROUP, b=GROUP)
        (removed,) = changes(before, recorded(connect.url, b=GROUP))["removed_connectors"]

        assert removed == {
            "name": "a",
            "offsets_topic": GROUP,
            "deletes_offsets": False,
            "deleted_topics": 0,
            "estimate": {"replicated": 160},
        }

    def test_there_is_no_estimate_if_the_worker_does_not_answer(self) -> None:
        (moved,) = changes(recorded(a=GROUP), recorded(a="other"))["moved_connectors"]

        assert moved["new_offsets_topic"] == "other"
        assert "estimate" not in moved

    def test_offsets_are_deleted_with_the_last_connector_that_uses_them(
        self,
    ) -> None:
        two = replicating() | {
            "connectors": {name: replicating()["connectors"]["a"] for name in "ab"}
        }

        assert changes(replicating(), recorded())["removed_connectors"][0]["deletes_offsets"]
        assert not changes(two, replicating())["removed_connectors"][0]["deletes_offsets"]

    def test_a_checkpoint_connector_that_goes_alone_is_changes(self) -> None:
        with_checkpoint, without = recorded(a=GROUP), recorded(a=GROUP)
        with_checkpoint["connectors"]["a"]["checkpoint"] = "a-checkpoint"

        assert changes(with_checkpoint, without) == {
            "removed_checkpoints": [{"name": "a-checkpoint"}]
        }

    def test_a_checkpoint_connector_removed_with_its_flow_is_exempt(self) -> None:
        with_checkpoint = recorded(a=GROUP)
        with_checkpoint["connectors"]["a"]["checkpoint"] = "a-checkpoint"
        found = changes(with_checkpoint, recorded())

        assert "removed_checkpoints" not in found
        assert found["exempt"] == [{"name": "a-checkpoint", "reason": "checkpoint"}]

    def test_a_heartbeat_connector_is_exempt_whether_it_is_removed_or_not(self) -> None:
        beating, quiet = recorded(a=GROUP), recorded(a=GROUP)
        beating["connectors"]["a"]["heartbeat"] = "a-heartbeat"
        exempt = {"exempt": [{"name": "a-heartbeat", "reason": "heartbeat"}]}

        assert changes(beating, quiet) == changes(beating, beating) == exempt
        assert changes(beating, recorded())["exempt"] == exempt["exempt"]

    def test_records_that_the_source_no_longer_retains_are_not_replicated_again(
        self, connect: Script
    ) -> None:
        holds = {"a": {"orders": [[90.0, 120.0], [0.0, 50.0]], "clicks": [[0.0, 10.0]]}}
        after = recorded(connect.url, a="other") | {"offset_ranges": json.dumps(holds)}
        (moved,) = changes(recorded(connect.url, a=GROUP), after)["moved_connectors"]

        assert moved["estimate"] == {"replicated": 160, "retained": 70}


class TestTopics:
    def test_a_deleted_topic_is_reported_with_its_own_records(self, connect: Script) -> None:
        before, after = (
            replicating(connect.url, orders=2, clicks=1),
            replicating(connect.url, clicks=1),
        )

        assert changes(before, after) == {
            "deleted_topics": [
                {"name": "west/east.orders", "connector": "a", "estimate": {"replicated": 150}}
            ]
        }

    def test_a_topic_with_fewer_partitions_is_recreated_and_one_with_more_is_not(self) -> None:
        (topic,) = changes(replicating(orders=3), replicating(orders=2))["deleted_topics"]

        assert topic == {"name": "west/east.orders", "connector": "a", "new_partitions": 2}
        assert changes(replicating(orders=2), replicating(orders=3)) == {}

    def test_a_topic_without_delete_topics_is_not_deleted(self) -> None:
        stays = {"exempt": [{"name": "west/east.orders", "reason": "protected"}]}

        assert changes(replicating(deletes=False, orders=2), replicating(deletes=False)) == stays
        assert changes(replicating(orders=2), replicating(deletes=False, orders=2)) == {}

    def test_topics_removed_together_with_the_first_delete_topics_stay_with_a_warning(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        before = replicating(deletes=False, orders=2, payments=1, clicks=1)
        assert "deleted_topics" not in changes(before, replicating(clicks=1))

        warning, fix = capsys.readouterr().out.splitlines()
        assert warning.startswith("warning: west/east.orders, west/east.payments of a stay")
        assert "although `delete-topics` is true" in warning
        assert "the deployed state still protects them" in warning
        assert fix.startswith("fix: to delete them, put them back, deploy `delete-topics: true`")

    def test_there_is_no_warning_if_delete_topics_was_deployed_before_or_is_not_set(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        changes(replicating(orders=2), replicating())
        changes(replicating(deletes=False, orders=2), replicating(deletes=False))

        assert capsys.readouterr().out == ""

    def test_renamed_topics_are_reported_with_the_records_to_replicate_again(
        self, connect: Script
    ) -> None:
        before = replicating(connect.url, orders=2, clicks=1)
        after = replicating(connect.url) | {
            "offset_ranges": json.dumps({"a": {"orders": [[40, 100], [0, 50]]}})
        }
        record = topic_record("a", "orders", 2, delete_topics=True)
        after["topics"] = encode_topics({"west/orders": record})
        found = changes(before, after)

        counted = {"replicated": 150, "retained": 110}
        assert found["renamed_topics"] == [
            {
                "connector": "a",
                "topics": ("orders",),
                "old_name": "west/east.orders",
                "new_name": "west/orders",
                "estimate": counted,
            }
        ]
        orders, clicks = found["deleted_topics"]
        assert (orders["new_name"], orders["estimate"]) == ("west/orders", counted)
        assert clicks["estimate"] == {"replicated": 10}, "no flow replicates it any more"

    def test_topics_deleted_with_their_connector_are_counted_there(self) -> None:
        found = changes(replicating(orders=2, clicks=1), recorded())

        assert found["removed_connectors"][0]["deleted_topics"] == 2


class TestIntents:
    BEFORE = recorded(a=GROUP, b=GROUP) | {"intent": {"a": "discard"}}

    def deployed(self, before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
        return dict(provider.check(before, after).inputs)

    def test_an_intent_applies_once_until_it_is_removed_from_the_stack_file(self) -> None:
        declared = {"intent": {"a": "discard"}}
        used = self.deployed(self.BEFORE, recorded(b=GROUP) | declared)
        back = self.deployed(used, recorded(a=GROUP, b=GROUP) | declared)
        again = self.deployed(back, recorded(b=GROUP) | declared)
        removed = self.deployed(back, recorded(a=GROUP, b=GROUP))

        assert [each["used_intents"] for each in (used, back, again)] == [[], ["a"], ["a"]]
        assert self.deployed(removed, recorded(b=GROUP) | declared)["used_intents"] == []

    def test_a_changed_intent_applies_again(self) -> None:
        used = self.deployed(self.BEFORE, recorded(b=GROUP) | {"intent": {"a": "discard"}})

        assert (
            self.deployed(used, recorded(b=GROUP) | {"intent": {"a": "resume"}})["used_intents"]
            == []
        )


def test_only_declared_values_are_a_change() -> None:
    before = {**recorded(a=GROUP), "removed_connectors": [{"name": "b", "offsets_topic": GROUP}]}

    assert provider.diff("record", before, {**before, "removed_connectors": []}).changes is False
    assert provider.diff("record", before, recorded(a="other")).changes is True
    acls = {"west": acl_record(AclMode.SHARED, "mirror", [])}
    assert provider.diff("record", before, {**before, "acls": acls}).changes is True


def test_without_a_rest_api_the_offsets_are_read_from_their_topic() -> None:
    """MirrorMaker in dedicated mode."""
    broker = MockCluster()
    target = broker.as_cluster("west", describe_topics={"mm2-offsets.east.internal": EXISTS})
    key = b'["MirrorSourceConnector",{"cluster":"east","partition":0,"topic":"orders"}]'
    write_records(target, "mm2-offsets.east.internal", [(key, b'{"offset":41}')])
    record = connector_record(
        "mm2-offsets.east.internal", offsets_name="MirrorSourceConnector", delete_topics=False
    )
    provider = DeploymentRecordProvider()
    provider.cluster = lambda props: {"west": target}[props["alias"]]  # type: ignore[method-assign]
    olds = {
        "connectors": {"a": {**record, "target": "west"}},
        "targets": {"west": {"alias": "west"}},
    }

    checked = provider.check(olds, {"connectors": {}}).inputs

    (removed,) = checked["removed_connectors"]
    assert "42" in str(removed)
