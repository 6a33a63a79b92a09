"""The ledger tells what leaves, and asks Connect how many records that is about."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from components.deployment_record import DeploymentRecordProvider
from mirrorstack.changes import diff as ledger
from tests.unit.connect.scripted import Script, playing

provider = DeploymentRecordProvider()
GROUP = "mirrorstack-west-offsets"
NOWHERE = "http://127.0.0.1:9"


def noted(url: str = NOWHERE, **offsets: str) -> dict[str, Any]:
    """Connectors by name, without checkpoints and copies."""
    return {
        "connectors": {
            name: {**ledger.connector(topic, None, deletes=False), "rest_url": url}
            for name, topic in offsets.items()
        }
    }


def copied(url: str = NOWHERE, deletes: bool = True, **partitions: int) -> dict[str, Any]:
    """Connector a, which writes copies with so many partitions."""
    where = {**ledger.connector(GROUP, None, deletes=deletes), "rest_url": url}
    return {
        "connectors": {"a": where},
        "topics": {
            f"west/east.{topic}": ledger.copy("a", topic, number, deletes=deletes)
            for topic, number in partitions.items()
        },
    }


@pytest.fixture
def connect() -> Iterator[Script]:
    """Connector a has mirrored 150 records of orders and 10 of clicks."""
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


def told(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    inputs = provider.check(before, after).inputs
    kinds = ("leaving", "untranslated", "deleted", "renamed", "wordless")
    return {key: inputs[key] for key in kinds if inputs[key]}


def test_the_first_time_nothing_leaves() -> None:
    assert told({}, copied(orders=2)) == {}


class TestConnectors:
    def test_what_leaves_is_told_with_how_many_records_were_mirrored(self, connect: Script) -> None:
        (left,) = told(noted(connect.url, a=GROUP, b=GROUP), noted(connect.url, b=GROUP))["leaving"]

        assert left == {
            "name": "a",
            "offsets": GROUP,
            "offsets_go": False,
            "copies": 0,
            "mirrored": 160,
        }

    def test_a_worker_that_does_not_answer_leaves_the_number_open(self) -> None:
        (left,) = told(noted(a=GROUP), noted(a="other"))["leaving"]

        assert left["moves_to"] == "other"
        assert "mirrored" not in left

    def test_offsets_go_with_the_last_connector_that_keeps_them_where_topics_are_deleted(
        self,
    ) -> None:
        two = copied() | {"connectors": {name: copied()["connectors"]["a"] for name in "ab"}}

        assert told(copied(), noted())["leaving"][0]["offsets_go"]
        assert not told(two, copied())["leaving"][0]["offsets_go"]

    def test_a_checkpoint_connector_that_goes_alone_is_told(self) -> None:
        with_checkpoint, without = noted(a=GROUP), noted(a=GROUP)
        with_checkpoint["connectors"]["a"]["checkpoint"] = "a-checkpoint"

        assert told(with_checkpoint, without) == {"untranslated": [{"name": "a-checkpoint"}]}

    def test_one_that_goes_with_its_flow_needs_no_word(self) -> None:
        with_checkpoint = noted(a=GROUP)
        with_checkpoint["connectors"]["a"]["checkpoint"] = "a-checkpoint"
        found = told(with_checkpoint, noted())

        assert "untranslated" not in found
        assert found["wordless"] == [{"name": "a-checkpoint", "because": "checkpoint"}]

    def test_a_heartbeat_connector_needs_no_word_whether_it_goes_or_stays(self) -> None:
        beating, quiet = noted(a=GROUP), noted(a=GROUP)
        beating["connectors"]["a"]["heartbeat"] = "a-heartbeat"
        wordless = {"wordless": [{"name": "a-heartbeat", "because": "heartbeat"}]}

        assert told(beating, quiet) == told(beating, beating) == wordless
        assert told(beating, noted())["wordless"] == wordless["wordless"]

    def test_what_the_source_has_let_go_is_not_sent_again_by_one_that_begins_anew(
        self, connect: Script
    ) -> None:
        holds = {"a": {"orders": [[90.0, 120.0], [0.0, 50.0]], "clicks": [[0.0, 10.0]]}}
        after = noted(connect.url, a="other") | {"spans": holds}
        (left,) = told(noted(connect.url, a=GROUP), after)["leaving"]

        assert (left["mirrored"], left["held"]) == (160, 70)


class TestCopies:
    def test_what_is_deleted_is_told_with_its_own_records(self, connect: Script) -> None:
        before, after = copied(connect.url, orders=2, clicks=1), copied(connect.url, clicks=1)

        assert told(before, after) == {
            "deleted": [{"name": "west/east.orders", "connector": "a", "mirrored": 150}]
        }

    def test_fewer_partitions_make_it_anew_and_more_do_not(self) -> None:
        (anew,) = told(copied(orders=3), copied(orders=2))["deleted"]

        assert anew == {"name": "west/east.orders", "connector": "a", "partitions": 2}
        assert told(copied(orders=2), copied(orders=3)) == {}

    def test_what_outlives_the_stack_is_not_deleted(self) -> None:
        stays = {"wordless": [{"name": "west/east.orders", "because": "protected"}]}

        assert told(copied(deletes=False, orders=2), copied(deletes=False)) == stays
        assert told(copied(orders=2), copied(deletes=False, orders=2)) == {}

    def test_what_leaves_with_the_first_delete_topics_stays_and_is_told(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        before = copied(deletes=False, orders=2, payments=1, clicks=1)
        assert "deleted" not in told(before, copied(clicks=1))

        (line,) = capsys.readouterr().out.splitlines()
        assert line.startswith("warning: west/east.orders, west/east.payments of a stay")
        assert "though `delete-topics` is true" in line
        assert "the deployed state still protects them" in line
        assert "Fix: if they are to go, put them back, deploy `delete-topics: true`" in line

    def test_nothing_is_said_where_delete_topics_was_deployed_before_or_is_not_wanted(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        told(copied(orders=2), copied())
        told(copied(deletes=False, orders=2), copied(deletes=False))

        assert capsys.readouterr().out == ""

    def test_copies_under_other_names_are_told_with_what_is_sent_again(
        self, connect: Script
    ) -> None:
        before = copied(connect.url, orders=2, clicks=1)
        after = copied(connect.url) | {"spans": {"a": {"orders": [[40, 100], [0, 50]]}}}
        after["topics"] = {"west/orders": ledger.copy("a", "orders", 2, deletes=True)}
        found = told(before, after)

        assert found["renamed"] == [
            {
                "name": "a",
                "topics": ("orders",),
                "copy": "west/east.orders",
                "becomes": "west/orders",
                "mirrored": 150,
                "held": 110,
            }
        ]
        orders, clicks = found["deleted"]
        assert (orders["becomes"], orders["mirrored"], orders["held"]) == ("west/orders", 150, 110)
        assert "held" not in clicks, "no flow mirrors it any more"

    def test_those_that_go_with_their_connector_are_counted_there(self) -> None:
        found = told(copied(orders=2, clicks=1), noted())

        assert found["leaving"][0]["copies"] == 2


class TestIntents:
    BEFORE = noted(a=GROUP, b=GROUP) | {"intent": {"a": "discard"}}

    def deployed(self, before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
        return dict(provider.check(before, after).inputs)

    def test_a_word_is_spent_once_it_was_used_and_until_it_is_taken_off(self) -> None:
        saying = {"intent": {"a": "discard"}}
        used = self.deployed(self.BEFORE, noted(b=GROUP) | saying)
        back = self.deployed(used, noted(a=GROUP, b=GROUP) | saying)
        again = self.deployed(back, noted(b=GROUP) | saying)
        taken_off = self.deployed(back, noted(a=GROUP, b=GROUP))

        assert [each["spent"] for each in (used, back, again)] == [[], ["a"], ["a"]]
        assert self.deployed(taken_off, noted(b=GROUP) | saying)["spent"] == []

    def test_another_word_is_a_new_one(self) -> None:
        used = self.deployed(self.BEFORE, noted(b=GROUP) | {"intent": {"a": "discard"}})

        assert self.deployed(used, noted(b=GROUP) | {"intent": {"a": "resume"}})["spent"] == []


def test_only_what_is_declared_is_a_change() -> None:
    before = {**noted(a=GROUP), "leaving": [{"name": "b", "offsets": GROUP}]}

    assert provider.diff("ledger", before, {**before, "leaving": []}).changes is False
    assert provider.diff("ledger", before, noted(a="other")).changes is True
