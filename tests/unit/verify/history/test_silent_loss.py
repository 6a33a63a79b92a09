from __future__ import annotations

from mirrorstack.kafka.offset_ranges import OffsetRange
from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.verify.compare.comparison import PartitionComparison
from mirrorstack.verify.compare.differences import DifferenceKind, DifferenceTally, RecordDifference
from mirrorstack.verify.history.silent_loss import (
    LossCause,
    SilentLoss,
    detect_recreated_topics,
    detect_silent_loss,
)
from mirrorstack.verify.reading.internal_topics import OffsetSync

PARTITION = TopicPartition("orders", 3)


def sync(upstream: int, downstream: int) -> OffsetSync:
    return OffsetSync(upstream, downstream, at=upstream, written=0)


def compared(
    source: OffsetRange,
    target: OffsetRange,
    records: int | None = None,
    tally: DifferenceTally | None = None,
) -> PartitionComparison:
    count = source.end - source.start if records is None else records
    return PartitionComparison(
        source, target, count, target.end - target.start, None, tally or DifferenceTally()
    )


def detected(
    held: PartitionComparison, *syncs: OffsetSync, compacted: bool = False
) -> list[SilentLoss]:
    return detect_silent_loss(PARTITION, held, syncs, held.source.end, compacted=compacted)


def test_a_complete_log_has_no_loss() -> None:
    assert not detected(
        compared(OffsetRange(0, 100), OffsetRange(0, 100)), sync(0, 0), sync(99, 99)
    )


def test_retention_after_replication_is_no_loss() -> None:
    held = compared(OffsetRange(50, 100), OffsetRange(0, 100))

    assert not detected(held, sync(0, 0), sync(40, 40), sync(99, 99))


def test_transaction_markers_on_the_target_are_no_loss() -> None:
    assert not detected(
        compared(OffsetRange(50, 100), OffsetRange(0, 120)), sync(0, 0), sync(99, 110)
    )


def test_deleted_offsets_that_were_never_replicated_are_lost() -> None:
    held = compared(OffsetRange(60, 100), OffsetRange(0, 60))

    (loss,) = detected(held, sync(0, 0), sync(19, 19), sync(60, 20))

    assert (loss.cause, loss.certain) == (LossCause.RETENTION, True)
    assert "40 records between offsets 19 and 60" in loss.message


def test_with_transactions_a_gap_is_not_certain() -> None:
    held = compared(OffsetRange(60, 100), OffsetRange(0, 60), records=35)

    (loss,) = detected(held, sync(19, 19), sync(60, 20))

    assert not loss.certain


def test_retention_that_has_just_overtaken_replication_is_a_loss() -> None:
    (loss,) = detected(compared(OffsetRange(60, 100), OffsetRange(0, 20)), sync(19, 19))

    assert "40 records up to offset 59" in loss.message


def test_a_source_that_ends_before_the_replicated_offset_was_recreated() -> None:
    (loss,) = detected(compared(OffsetRange(0, 10), OffsetRange(0, 100)), sync(99, 99))

    assert loss.cause is LossCause.RECREATED
    assert "up to source offset 99, but the source ends at 10" in loss.message


def test_replication_during_the_comparison_is_no_loss() -> None:
    held = compared(OffsetRange(0, 10), OffsetRange(0, 10))

    assert not detect_silent_loss(PARTITION, held, [sync(15, 15)], 20, compacted=False)


def test_a_step_back_with_unexpected_records_means_a_recreated_topic() -> None:
    held = compared(
        OffsetRange(0, 200),
        OffsetRange(0, 300),
        tally=DifferenceTally({DifferenceKind.UNEXPECTED: 100}),
    )

    (loss,) = detected(held, sync(99, 99), sync(5, 105))

    assert (loss.cause, loss.certain) == (LossCause.RECREATED, True)


def test_a_step_back_with_duplicates_is_no_loss() -> None:
    held = compared(
        OffsetRange(0, 200),
        OffsetRange(0, 300),
        tally=DifferenceTally({DifferenceKind.DUPLICATED: 95}),
    )

    assert not detected(held, sync(99, 99), sync(5, 105))


def test_offset_syncs_of_an_earlier_target_topic_are_ignored() -> None:
    unexpected = DifferenceTally({DifferenceKind.UNEXPECTED: 1})
    held = compared(OffsetRange(50, 200), OffsetRange(0, 150), tally=unexpected)

    assert not detected(held, sync(10, 10), sync(99, 40), sync(50, 0), sync(199, 149))


def test_a_target_that_starts_with_unexpected_records_may_be_of_a_recreated_topic() -> None:
    unexpected = RecordDifference(*PARTITION, DifferenceKind.UNEXPECTED, None, 0, b"key", 0)
    held = compared(
        OffsetRange(0, 10),
        OffsetRange(0, 20),
        tally=DifferenceTally({DifferenceKind.UNEXPECTED: 10}, differences=(unexpected,)),
    )

    (loss,) = detected(held)

    assert (loss.cause, loss.certain) == (LossCause.RECREATED, False)


def test_gaps_of_compaction_are_no_loss() -> None:
    held = compared(OffsetRange(60, 100), OffsetRange(0, 60))

    assert not detected(held, sync(19, 19), sync(60, 20), compacted=True)


def test_a_topic_with_another_id_than_in_the_previous_report_was_recreated() -> None:
    (loss,) = detect_recreated_topics({"a": "1", "b": "2"}, {"a": "1", "b": "3", "c": "4"})

    assert (loss.topic, loss.partition, loss.certain) == ("b", None, True)
    assert "was 2" in loss.message
