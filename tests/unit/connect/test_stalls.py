"""Why a topic is stalled, from facts."""

from __future__ import annotations

from typing import Any

import pytest

from mirrorstack.connect.stalls import (
    LargeRecord,
    MissingPermission,
    StallFacts,
    StallReason,
    explain,
    explain_all,
)

READ = MissingPermission("east", "mirror", "Read on Topic orders", "kafka-acls --add ...")


def facts(**more: Any) -> StallFacts:
    """Of a topic with two partitions that nothing is wrong with."""
    known: dict[str, Any] = {
        "topic": "orders",
        "target_topic": "east.orders",
        "source": "east",
        "target": "west",
        "last_offsets": {0: 9},
        "source_ends": {0: 20, 1: 20},
        "target_partitions": 2,
        "max_message_bytes": 1000,
        "max_request_size": 1000,
    }
    return StallFacts(**known | more)


def test_facts_without_a_reason_give_no_finding() -> None:
    assert explain(facts()) is None
    assert explain_all([facts()]) == []


@pytest.mark.parametrize(
    ("more", "reason", "message", "fix"),
    [
        (
            {"missing_permissions": (READ,)},
            StallReason.MISSING_PERMISSION,
            "orders is not replicated: User:mirror is not authorized on east: Read on Topic orders",
            "kafka-acls --add ...",
        ),
        (
            {"target_partitions": 1},
            StallReason.MISSING_PARTITION,
            "it has 2 partitions on east, and east.orders has 1 on west",
            "kafka-topics --alter --topic east.orders --partitions 2",
        ),
        (
            {"target_partitions": 0},
            StallReason.MISSING_PARTITION,
            "east.orders does not exist on west",
            "`pulumi up --refresh` creates it",
        ),
        (
            {"last_offsets": {0: 9, 1: 20}},
            StallReason.SOURCE_RECREATED,
            "partition 1 was replicated up to offset 20, and ends at 20 on east",
            "delete east.orders on west",
        ),
        (
            {"large_record": LargeRecord(1, 12, 5000), "max_message_bytes": 9000},
            StallReason.RECORD_TOO_LARGE,
            "the record at offset 12 of partition 1 has 5,000 bytes, more than the producer's "
            "`max.request.size` (1,000)",
            "`producer.override.max.request.size` under `override.source` of the flow to 5070",
        ),
        (
            {"large_record": LargeRecord(1, 12, 5000), "max_request_size": 9000},
            StallReason.RECORD_TOO_LARGE,
            "more than `max.message.bytes` of east.orders (1,000)",
            "set `max.message.bytes` of east.orders to 5070 or more",
        ),
        (
            {"large_record": LargeRecord(1, 12, 5000)},
            StallReason.RECORD_TOO_LARGE,
            "more than `max.message.bytes` of east.orders (1,000) and the producer's",
            "or more; set `producer.override",
        ),
    ],
)
def test_each_reason_has_a_message_and_a_fix(
    more: dict[str, Any], reason: StallReason, message: str, fix: str
) -> None:
    finding = explain(facts(**more))

    assert finding is not None
    assert (finding.rule, finding.topic) == (reason, "orders")
    assert message in finding.message
    assert fix in finding.fix


def test_the_first_cause_is_reported_and_not_what_follows_from_it() -> None:
    (finding,) = explain_all([facts(missing_permissions=(READ,), target_partitions=0)])

    assert finding.rule == StallReason.MISSING_PERMISSION


@pytest.mark.parametrize(
    "unknown",
    [
        {"target_partitions": None},
        {"last_offsets": {}, "source_ends": {}},
        {"last_offsets": {7: 100}},
        {"large_record": LargeRecord(0, 1, 900)},
        {"large_record": LargeRecord(0, 1, 5000), "max_message_bytes": None}
        | {"max_request_size": 9000},
    ],
)
def test_what_is_not_known_is_no_reason(unknown: dict[str, Any]) -> None:
    assert explain(facts(**unknown)) is None
