from __future__ import annotations

from dataclasses import replace
from typing import Any

from mirrorstack.config.flows import FlowSettings
from mirrorstack.kafka.offset_ranges import OffsetRange
from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.verify.compare.comparison import PartitionComparison
from mirrorstack.verify.compare.differences import Difference, DifferenceKind, DifferenceTally
from mirrorstack.verify.compare.proofs import PartitionProof
from mirrorstack.verify.groups.group_check import GroupCheck, GroupState
from mirrorstack.verify.reading.scope import Scope, TopicIdentity, TopicPair
from mirrorstack.verify.report.page import page
from mirrorstack.verify.report.report import (
    FlowReport,
    Freshness,
    PartitionReport,
    Report,
    TopicReport,
    Verdict,
    Weight,
)
from mirrorstack.verify.report.summary import summary
from mirrorstack.verify.report.verdict import FlowResult, duration, remarks, state
from mirrorstack.verify.verification import VerifyOptions

NOW = 1_800_000_000_000
WHOLE = OffsetRange(0, 100)


def compared(
    tally: DifferenceTally | None = None, *, source: int = 100, target: int = 100
) -> PartitionComparison:
    return PartitionComparison(WHOLE, WHOLE, source, target, NOW, tally or DifferenceTally())


def pulse(**more: Any) -> Freshness:
    quiet = {"heartbeat": NOW, "newest": NOW, "oldest_behind": None, "behind": 0}
    return Freshness(**{**quiet, "rpo_seconds": None, "rpo_met": None, **more})


def flow(**more: Any) -> FlowSettings:
    return FlowSettings.model_validate({"from": "east", "to": "west", "topics": ["orders"], **more})


def weights(
    held: PartitionComparison | None = None,
    *groups: GroupCheck,
    settings: FlowSettings | None = None,
    fresh: Freshness | None = None,
) -> list[Weight]:
    scope = Scope(settings or flow(), (TopicPair("orders", "east.orders", 1),))
    places = {TopicPartition("orders", 0): held or compared()}
    found = FlowResult(scope, places, groups, (), fresh or pulse(), NOW)
    return [remark.weight for remark in remarks(found)]


def group(where: GroupState) -> GroupCheck:
    return GroupCheck("billing", "orders", 0, 10, 10, True, where)


def test_nothing_is_said_of_what_is_equal() -> None:
    assert weights() == []


def test_whatever_differs_is_a_failure() -> None:
    for kind in (
        DifferenceKind.MISSING,
        DifferenceKind.ALTERED,
        DifferenceKind.FOREIGN,
        DifferenceKind.REORDERED,
    ):
        assert weights(compared(DifferenceTally({kind: 1}))) == [Weight.FAILURE]


def test_duplicates_are_a_failure_only_where_they_must_not_be() -> None:
    some, many = (
        compared(DifferenceTally({DifferenceKind.DUPLICATED: 5})),
        compared(DifferenceTally({DifferenceKind.DUPLICATED: 50})),
    )
    at_least_once = flow(**{"exactly-once": False})

    assert weights(some) == [Weight.FAILURE]
    assert weights(some, settings=at_least_once) == [Weight.WARNING]
    assert weights(many, settings=at_least_once) == [Weight.FAILURE]


def test_lag_cannot_be_told_unless_an_rpo_judges_it() -> None:
    late = {"behind": 5, "oldest_behind": NOW - 30_000}

    assert weights(fresh=pulse(**late)) == [Weight.UNTOLD]
    assert weights(fresh=pulse(**late, rpo_seconds=60, rpo_met=True)) == [Weight.WARNING]
    assert weights(fresh=pulse(**late, rpo_seconds=10, rpo_met=False)) == [Weight.FAILURE]


def test_empty_against_empty_is_not_equal_where_something_was_written() -> None:
    assert weights(compared(source=0, target=0)) == [Weight.UNTOLD]


def test_a_group_that_skips_is_a_failure_and_one_without_a_checkpoint_a_warning() -> None:
    assert weights(None, group(GroupState.SAFE)) == []
    assert weights(None, group(GroupState.SKIPS)) == [Weight.FAILURE]
    assert weights(None, group(GroupState.PAST_THE_END)) == [Weight.FAILURE]
    assert weights(None, group(GroupState.UNTRANSLATED)) == [Weight.WARNING]


def test_a_group_without_a_checkpoint_is_told_though_nothing_new_was_read() -> None:
    proven = PartitionProof(TopicIdentity("1", "2", True), WHOLE, WHOLE, 100, 0, 0, NOW)
    nothing_new = replace(compared(source=0, target=0), proven=proven)

    assert weights(nothing_new, group(GroupState.UNTRANSLATED)) == [Weight.WARNING]


def test_an_rpo_that_is_asked_for_goes_before_the_one_that_a_flow_declares() -> None:
    declared = flow(**{"rpo-seconds": 60})

    assert VerifyOptions().rpo(flow()) is None
    assert VerifyOptions().rpo(declared) == 60
    assert VerifyOptions(rpo_seconds=0).rpo(declared) == 0


def test_a_missing_or_old_heartbeat_is_a_warning() -> None:
    assert weights(fresh=pulse(heartbeat=None)) == [Weight.WARNING]
    assert weights(fresh=pulse(heartbeat=NOW - 600_000)) == [Weight.WARNING]
    assert weights(settings=flow(heartbeats=False), fresh=pulse(heartbeat=None)) == []


def test_a_partition_is_called_by_its_gravest_fault() -> None:
    assert state(compared()) == "equal"
    assert state(compared(source=0, target=0)) == "empty"
    assert state(compared(DifferenceTally(behind=3))) == "behind"
    assert (
        state(compared(DifferenceTally({DifferenceKind.DUPLICATED: 9, DifferenceKind.MISSING: 1})))
        == "missing"
    )


def test_times_are_as_people_say_them() -> None:
    assert [duration(s) for s in (5, 300, 7200, 864_000)] == [
        "5 s",
        "5 minutes",
        "2 hours",
        "10 days",
    ]


def report(*differences: Difference) -> Report:
    partition = PartitionReport(
        0, "altered", 5, 5, 0, 5, 0, 5, 0, None, NOW, 0, 0, {DifferenceKind.ALTERED: 1}, differences
    )
    topic = TopicReport("orders", "east.orders", "id", False, True, (partition,))
    held = FlowReport("east-to-west", "east", "west", True, (topic,), (), (), pulse())
    return Report("dev", NOW, 1.0, (held,))


def test_what_a_key_holds_cannot_become_part_of_the_page() -> None:
    key = b"<script>alert(1)</script>"
    evil = Difference(
        "orders", 0, DifferenceKind.ALTERED, 1, 1, key, NOW, ("value",), {"source": "<b>"}
    )

    assert "<script>" not in page(report(evil))
    assert "&lt;script&gt;" in page(report(evil))
    assert "<b>&lt;" not in page(report(evil))


def test_a_page_asks_no_network_for_anything() -> None:
    written = page(report())

    assert "http://" not in written
    assert "https://" not in written
    assert "<script" not in written


def test_bytes_that_are_no_text_can_still_be_read() -> None:
    odd = Difference("orders", 0, DifferenceKind.MISSING, 1, None, b"\xff\x00", NOW)

    assert "\\xff" in summary(report(odd))
    assert report(odd).to_dict()["flows"][0]["topics"][0]["partitions"][0]["differences"]


def test_a_report_without_failures_is_equal() -> None:
    assert report().verdict is Verdict.EQUAL
    assert [verdict.exit_status for verdict in Verdict] == [0, 1, 2]
