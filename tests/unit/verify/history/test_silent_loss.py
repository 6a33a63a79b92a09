from __future__ import annotations

from mirrorstack.kafka.offset_ranges import OffsetRange
from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.verify.compare.comparison import PartitionComparison
from mirrorstack.verify.compare.differences import Difference, DifferenceKind, DifferenceTally
from mirrorstack.verify.history.silent_loss import (
    LossCause,
    SilentLoss,
    detect_silent_loss,
    recreated_topics,
)
from mirrorstack.verify.reading.internal_topics import OffsetSync

PLACE = TopicPartition("orders", 3)


def sync(upstream: int, downstream: int) -> OffsetSync:
    return OffsetSync(upstream, downstream, at=upstream, noted=0)


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


def watched(
    held: PartitionComparison, *syncs: OffsetSync, compacted: bool = False
) -> list[SilentLoss]:
    return detect_silent_loss(PLACE, held, syncs, held.source.end, compacted=compacted)


def test_a_whole_log_raises_no_alarm() -> None:
    assert not watched(compared(OffsetRange(0, 100), OffsetRange(0, 100)), sync(0, 0), sync(99, 99))


def test_retention_that_took_what_was_copied_before_raises_no_alarm() -> None:
    held = compared(OffsetRange(50, 100), OffsetRange(0, 100))

    assert not watched(held, sync(0, 0), sync(40, 40), sync(99, 99))


def test_marks_of_transactions_on_the_target_raise_no_alarm() -> None:
    assert not watched(
        compared(OffsetRange(50, 100), OffsetRange(0, 120)), sync(0, 0), sync(99, 110)
    )


def test_offsets_that_were_passed_over_and_are_gone_are_lost() -> None:
    held = compared(OffsetRange(60, 100), OffsetRange(0, 60))

    (alarm,) = watched(held, sync(0, 0), sync(19, 19), sync(60, 20))

    assert (alarm.loss, alarm.certain) == (LossCause.RETENTION, True)
    assert "40 records between offsets 19 and 60" in alarm.sentence


def test_where_there_are_transactions_such_a_gap_is_not_certain() -> None:
    held = compared(OffsetRange(60, 100), OffsetRange(0, 60), records=35)

    (alarm,) = watched(held, sync(19, 19), sync(60, 20))

    assert not alarm.certain


def test_a_mirror_that_retention_has_passed_just_now_has_lost_records() -> None:
    (alarm,) = watched(compared(OffsetRange(60, 100), OffsetRange(0, 20)), sync(19, 19))

    assert "40 records up to offset 59" in alarm.sentence


def test_a_source_that_ends_before_what_was_copied_was_made_again() -> None:
    (alarm,) = watched(compared(OffsetRange(0, 10), OffsetRange(0, 100)), sync(99, 99))

    assert alarm.loss is LossCause.MADE_AGAIN
    assert "up to offset 99, and the source ends at 10" in alarm.sentence


def test_a_mirror_that_went_on_while_we_compared_raises_no_alarm() -> None:
    held = compared(OffsetRange(0, 10), OffsetRange(0, 10))

    assert not detect_silent_loss(PLACE, held, [sync(15, 15)], 20, compacted=False)


def test_a_mirror_that_went_back_to_another_topic_of_that_name_began_again() -> None:
    held = compared(
        OffsetRange(0, 200),
        OffsetRange(0, 300),
        tally=DifferenceTally({DifferenceKind.FOREIGN: 100}),
    )

    (alarm,) = watched(held, sync(99, 99), sync(5, 105))

    assert (alarm.loss, alarm.certain) == (LossCause.MADE_AGAIN, True)


def test_a_mirror_that_sent_records_once_more_after_a_crash_lost_nothing() -> None:
    held = compared(
        OffsetRange(0, 200),
        OffsetRange(0, 300),
        tally=DifferenceTally({DifferenceKind.DUPLICATED: 95}),
    )

    assert not watched(held, sync(99, 99), sync(5, 105))


def test_what_was_noted_of_an_earlier_copy_says_nothing_of_this_one() -> None:
    foreign = DifferenceTally({DifferenceKind.FOREIGN: 1})
    held = compared(OffsetRange(50, 200), OffsetRange(0, 150), tally=foreign)

    assert not watched(held, sync(10, 10), sync(99, 40), sync(50, 0), sync(199, 149))


def test_a_target_that_begins_with_what_the_source_never_had_is_suspicious() -> None:
    foreign = Difference(*PLACE, DifferenceKind.FOREIGN, None, 0, b"key", 0)
    held = compared(
        OffsetRange(0, 10),
        OffsetRange(0, 20),
        tally=DifferenceTally({DifferenceKind.FOREIGN: 10}, differences=(foreign,)),
    )

    (alarm,) = watched(held)

    assert (alarm.loss, alarm.certain) == (LossCause.MADE_AGAIN, False)


def test_compaction_leaves_gaps_that_are_no_loss() -> None:
    held = compared(OffsetRange(60, 100), OffsetRange(0, 60))

    assert not watched(held, sync(19, 19), sync(60, 20), compacted=True)


def test_another_id_than_the_last_time_is_another_topic() -> None:
    ((topic, sentence),) = recreated_topics({"a": "1", "b": "2"}, {"a": "1", "b": "3", "c": "4"})

    assert topic == "b"
    assert "was 2" in sentence
