"""What is left to read after previous runs, and what a run proves for the next one."""

from __future__ import annotations

from dataclasses import replace

from mirrorstack.config.flows import FlowSettings
from mirrorstack.kafka.offset_ranges import OffsetRange
from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.verify.compare.buckets import MatchedRanges
from mirrorstack.verify.compare.comparison import PartitionComparison
from mirrorstack.verify.compare.differences import DifferenceKind, DifferenceTally
from mirrorstack.verify.compare.incremental import (
    extended_proofs,
    restrict,
    unproven_ranges,
    valid_proofs,
)
from mirrorstack.verify.compare.proofs import PartitionProof
from mirrorstack.verify.reading.offset_ranges import OffsetRanges
from mirrorstack.verify.reading.scope import Scope, TopicIdentity, TopicPair

HERE, THERE = TopicPartition("orders", 0), TopicPartition("east.orders", 0)
FLOW = FlowSettings.model_validate({"from": "east", "to": "west", "topics": ["orders"]})
PAIR = TopicPair("orders", "east.orders", 1)
SCOPE = Scope(FLOW, (PAIR,))
NOW = TopicIdentity("here", "there", timestamps=True)
PROVEN = PartitionProof(
    NOW, OffsetRange(0, 100), OffsetRange(0, 120), 100, hash_sum_low=1, hash_sum_high=2, newest=50
)


SOURCE, TARGET = OffsetRange(0, 150), OffsetRange(0, 180)


def ranges(source: OffsetRange = SOURCE, target: OffsetRange = TARGET) -> OffsetRanges:
    return OffsetRanges({HERE: source}, {HERE: source.end}, {THERE: target}, {HERE: 1}, {HERE: 99})


def left(whole: OffsetRanges, *proven: TopicPartition) -> OffsetRanges:
    return unproven_ranges(whole, SCOPE, dict.fromkeys(proven, PROVEN))


def compared(
    tally: DifferenceTally | None = None, proven: PartitionProof | None = None
) -> PartitionComparison:
    matched = MatchedRanges(OffsetRange(100, 140), OffsetRange(120, 170), 40)
    return PartitionComparison(
        SOURCE, TARGET, 50, 40, 60, tally or DifferenceTally(), matched, 10, 20, proven
    )


def test_reading_resumes_after_the_proof() -> None:
    found = left(ranges(), HERE)

    assert (found.source[HERE].start, found.target[THERE].start) == (100, 120)
    assert not found.source[HERE].is_trimmed
    assert found.spans == {"orders": 49}, "from the newest that was proven on"


def test_without_a_proof_everything_is_read() -> None:
    assert left(ranges()) == ranges()


def test_a_log_that_starts_after_the_proof_was_trimmed() -> None:
    found = left(ranges(source=OffsetRange(130, 150)), HERE)

    assert found.source[HERE] == OffsetRange(130, 150, begins=100)
    assert found.source[HERE].is_trimmed


def test_a_proof_holds_while_the_topics_are_the_same() -> None:
    assert valid_proofs({HERE: PROVEN}, {"orders": NOW}, SCOPE, ranges()) == {HERE: PROVEN}


def test_a_recreated_topic_has_no_valid_proof() -> None:
    again = replace(NOW, target="another")

    assert valid_proofs({HERE: PROVEN}, {"orders": again}, SCOPE, ranges()) == {}


def test_a_log_that_ends_before_its_proof_was_truncated() -> None:
    now = {"orders": NOW}

    assert valid_proofs({HERE: PROVEN}, now, SCOPE, ranges(source=OffsetRange(0, 99))) == {}
    assert valid_proofs({HERE: PROVEN}, now, SCOPE, ranges(target=OffsetRange(0, 119))) == {}


def test_a_deleted_target_topic_has_no_valid_proof() -> None:
    gone = replace(ranges(), target={})

    assert valid_proofs({HERE: PROVEN}, {"orders": NOW}, SCOPE, gone) == {}


def test_a_topic_that_became_compacted_has_no_valid_proof() -> None:
    tables = Scope(FLOW, (replace(PAIR, compacted=True),))

    assert valid_proofs({HERE: PROVEN}, {"orders": NOW}, tables, ranges()) == {}
    assert extended_proofs({HERE: compared()}, {"orders": NOW}, tables) == {}


def test_a_run_proves_the_matched_ranges() -> None:
    found = extended_proofs({HERE: compared(DifferenceTally(behind=10))}, {"orders": NOW}, SCOPE)

    assert found == {
        HERE: PartitionProof(NOW, OffsetRange(100, 140), OffsetRange(120, 170), 40, 10, 20, 60)
    }


def test_a_run_extends_the_previous_proof() -> None:
    found = extended_proofs({HERE: compared(proven=PROVEN)}, {"orders": NOW}, SCOPE)

    assert found == {
        HERE: PartitionProof(NOW, OffsetRange(0, 140), OffsetRange(0, 170), 140, 11, 22, 60)
    }


def test_sums_wrap_around_at_64_bits() -> None:
    high = replace(PROVEN, hash_sum_low=2**63 - 1)
    found = extended_proofs({HERE: compared(proven=high)}, {"orders": NOW}, SCOPE)

    assert found[HERE].hash_sum_low == -(2**63) + 9


def test_a_partition_with_differences_has_no_proof() -> None:
    differing = compared(DifferenceTally({DifferenceKind.MISSING: 1}), PROVEN)

    assert extended_proofs({HERE: differing}, {"orders": NOW}, SCOPE) == {}


def test_without_new_records_the_proof_is_unchanged() -> None:
    idle = replace(compared(proven=PROVEN), matched=MatchedRanges())

    assert extended_proofs({HERE: idle}, {"orders": NOW}, SCOPE) == {HERE: PROVEN}


def test_a_topic_without_target_topic_has_no_proof() -> None:
    assert extended_proofs({HERE: replace(compared(), target=None)}, {}, SCOPE) == {}


def test_ranges_can_be_restricted_to_some_partitions() -> None:
    both = OffsetRanges(
        {HERE: OffsetRange(0, 1), TopicPartition("clicks", 0): OffsetRange(0, 1)},
        {},
        {THERE: OffsetRange(0, 1), TopicPartition("east.clicks", 0): OffsetRange(0, 1)},
        {},
        {HERE: 1, TopicPartition("clicks", 0): 1},
    )
    scope = Scope(FLOW, (PAIR, TopicPair("clicks", "east.clicks", 1)))

    found = restrict(both, scope, [HERE])

    assert (set(found.source), set(found.target), set(found.last)) == ({HERE}, {THERE}, {HERE})
