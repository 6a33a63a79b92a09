"""The findings about a flow, and the state of a partition."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from mirrorstack.config.flows import FlowSettings
from mirrorstack.findings import Finding
from mirrorstack.kafka.offset_ranges import OffsetRange
from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.verify.compare.comparison import PartitionComparison
from mirrorstack.verify.compare.differences import DifferenceKind, DifferenceTally
from mirrorstack.verify.compare.proofs import PartitionProof
from mirrorstack.verify.groups.group_check import GroupCheck, GroupState
from mirrorstack.verify.history.freshness import Freshness
from mirrorstack.verify.history.silent_loss import LossCause, SilentLoss
from mirrorstack.verify.reading.scope import Scope, TopicIdentity, TopicPair
from mirrorstack.verify.report.codes import DIFFERENCE_CODES, Verdict, VerifyCode, effect
from mirrorstack.verify.report.verdict import FlowResult, flow_findings, partition_state

NOW = 1_800_000_000_000
WHOLE = OffsetRange(0, 100)


def compared(
    tally: DifferenceTally | None = None, *, source: int = 100, target: int = 100
) -> PartitionComparison:
    return PartitionComparison(WHOLE, WHOLE, source, target, NOW, tally or DifferenceTally())


def freshness(**more: Any) -> Freshness:
    quiet = {"heartbeat": NOW, "newest": NOW, "oldest_behind": None, "behind": 0}
    return Freshness(**{**quiet, "rpo_seconds": None, "rpo_met": None, **more})


def flow(**more: Any) -> FlowSettings:
    return FlowSettings.model_validate({"from": "east", "to": "west", "topics": ["orders"], **more})


def findings(
    comparison: PartitionComparison | None = None,
    *groups: GroupCheck,
    settings: FlowSettings | None = None,
    fresh: Freshness | None = None,
    losses: tuple[SilentLoss, ...] = (),
    undeployed: frozenset[str] = frozenset(),
) -> tuple[Finding, ...]:
    scope = Scope(settings or flow(), (TopicPair("orders", "east.orders", 1),))
    partitions = {TopicPartition("orders", 0): comparison or compared()}
    return flow_findings(
        FlowResult(scope, partitions, groups, losses, fresh or freshness(), NOW, undeployed)
    )


def codes(*args: Any, **more: Any) -> list[str]:
    return [each.rule for each in findings(*args, **more)]


def group(state: GroupState) -> GroupCheck:
    return GroupCheck("billing", "orders", 0, 10, 10, True, state)


def test_equal_sides_have_no_findings() -> None:
    assert codes() == []


@pytest.mark.parametrize("kind", DifferenceKind)
def test_every_difference_has_its_code_and_topic(kind: DifferenceKind) -> None:
    (found,) = findings(compared(DifferenceTally({kind: 1})))

    assert found.rule == DIFFERENCE_CODES[kind]
    assert (found.flow, found.topic) == ("east-to-west", "orders")
    assert effect(found) is Verdict.DIFFERENT
    assert found.message.startswith(f"orders-0: 1 record {kind}")


def test_a_partition_with_several_kinds_has_a_finding_for_each() -> None:
    tally = DifferenceTally({DifferenceKind.ALTERED: 1, DifferenceKind.MISSING: 2})

    assert codes(compared(tally)) == ["records-missing", "records-altered"]


def test_duplicates_are_a_warning_under_at_least_once_unless_they_are_many() -> None:
    some, many = (
        compared(DifferenceTally({DifferenceKind.DUPLICATED: count})) for count in (5, 50)
    )
    at_least_once = flow(**{"exactly-once": False})

    assert codes(some) == [VerifyCode.RECORDS_DUPLICATED]
    assert codes(some, settings=at_least_once) == [VerifyCode.DUPLICATES_ALLOWED]
    assert codes(many, settings=at_least_once) == [VerifyCode.RECORDS_DUPLICATED]


def test_a_missing_partition_is_one_finding() -> None:
    absent = replace(compared(DifferenceTally({DifferenceKind.MISSING: 100})), target=None)

    assert codes(absent) == [VerifyCode.PARTITION_MISSING]


def test_lag_is_inconclusive_without_an_rpo() -> None:
    late = {"behind": 5, "oldest_behind": NOW - 30_000}

    assert codes(fresh=freshness(**late)) == [VerifyCode.LAG]
    assert codes(fresh=freshness(**late, rpo_seconds=60, rpo_met=True)) == [
        VerifyCode.LAG_WITHIN_RPO
    ]
    assert codes(fresh=freshness(**late, rpo_seconds=10, rpo_met=False)) == [
        VerifyCode.RPO_EXCEEDED
    ]


def test_a_topic_that_is_not_deployed_yet_is_inconclusive_and_has_a_fix() -> None:
    (found,) = findings(undeployed=frozenset({"invoices"}))

    assert (found.rule, found.topic) == (VerifyCode.TOPIC_NOT_DEPLOYED, "invoices")
    assert effect(found) is Verdict.INCONCLUSIVE
    assert "not deployed yet" in found.message
    assert found.fix == "run `pulumi up`"


def test_a_topic_of_a_live_pattern_is_discovered_without_a_deployment() -> None:
    live = flow(topics=["inv.*"], **{"discovery-seconds": 30})
    (found,) = findings(settings=live, undeployed=frozenset({"invoices"}))

    assert found.rule == VerifyCode.TOPIC_NOT_DEPLOYED
    assert "not discovered yet" in found.message
    assert "every 30 seconds" in found.fix


def test_two_empty_sides_are_inconclusive_if_records_were_written() -> None:
    assert codes(compared(source=0, target=0)) == [VerifyCode.NOTHING_TO_COMPARE]


@pytest.mark.parametrize(
    ("cause", "certain", "code"),
    [
        (LossCause.RETENTION, True, VerifyCode.LOST_TO_RETENTION),
        (LossCause.RETENTION, False, VerifyCode.MAYBE_LOST_TO_RETENTION),
        (LossCause.RECREATED, True, VerifyCode.TOPIC_RECREATED),
        (LossCause.RECREATED, False, VerifyCode.TOPIC_MAYBE_RECREATED),
    ],
)
def test_a_silent_loss_is_an_error_only_if_it_is_certain(
    cause: LossCause, certain: bool, code: VerifyCode
) -> None:
    (found,) = findings(losses=(SilentLoss("orders", 0, cause, certain, "lost"),))

    assert (found.rule, found.message) == (code, "orders-0: lost")
    assert (effect(found) is Verdict.DIFFERENT) == certain


def test_the_state_of_a_group_decides_its_code() -> None:
    assert codes(None, group(GroupState.NOTHING_SKIPPED)) == []
    assert codes(None, group(GroupState.SKIPS)) == [VerifyCode.GROUP_SKIPS_RECORDS]
    assert codes(None, group(GroupState.PAST_END)) == [VerifyCode.GROUP_PAST_END]
    assert codes(None, group(GroupState.NO_CHECKPOINT)) == [VerifyCode.GROUP_WITHOUT_CHECKPOINT]


def test_a_group_without_checkpoint_is_reported_although_nothing_new_was_read() -> None:
    proof = PartitionProof(TopicIdentity("1", "2", True), WHOLE, WHOLE, 100, 0, 0, NOW)
    nothing_new = replace(compared(source=0, target=0), proven=proof)

    assert codes(nothing_new, group(GroupState.NO_CHECKPOINT)) == [
        VerifyCode.GROUP_WITHOUT_CHECKPOINT
    ]


def test_missing_checkpoints_are_one_finding_for_each_group_and_topic() -> None:
    first = group(GroupState.NO_CHECKPOINT)
    checks = (first, replace(first, partition=1, source_offset=7), replace(first, group="audit"))
    scope = Scope(flow(), (TopicPair("orders", "east.orders", 2),))
    partitions = {TopicPartition("orders", number): compared() for number in range(2)}
    result = FlowResult(scope, partitions, checks, (), freshness(), NOW, frozenset())

    billing, audit = flow_findings(result)

    assert "group billing: no checkpoint for orders-0 (source offset 10), orders-1 (source " in (
        billing.message
    )
    assert audit.message.startswith("group audit: no checkpoint for orders-0")


def test_a_missing_or_old_heartbeat_is_a_warning() -> None:
    assert codes(fresh=freshness(heartbeat=None)) == [VerifyCode.HEARTBEAT_MISSING]
    assert codes(fresh=freshness(heartbeat=NOW - 600_000)) == [VerifyCode.HEARTBEAT_OLD]
    assert codes(settings=flow(heartbeats=False), fresh=freshness(heartbeat=None)) == []


def test_the_most_severe_finding_comes_first() -> None:
    late = freshness(behind=5, oldest_behind=NOW, heartbeat=None)
    tally = DifferenceTally({DifferenceKind.MISSING: 1})

    found = [effect(each) for each in findings(compared(tally), fresh=late)]

    assert found == [Verdict.DIFFERENT, Verdict.INCONCLUSIVE, Verdict.EQUAL]


def test_the_state_of_a_partition_is_its_most_severe_difference() -> None:
    both = {DifferenceKind.DUPLICATED: 9, DifferenceKind.MISSING: 1}

    assert partition_state(compared()) == "equal"
    assert partition_state(compared(source=0, target=0)) == "empty"
    assert partition_state(compared(DifferenceTally(behind=3))) == "behind"
    assert partition_state(compared(DifferenceTally(both))) == "missing"
