from __future__ import annotations

from mirrorstack.verify.compare.comparison import Compared
from mirrorstack.verify.compare.differences import Difference, DifferenceKind, Tally
from mirrorstack.verify.history.silent_loss import Alarm, Loss, made_again, watch
from mirrorstack.verify.reading.internal_topics import Sync
from mirrorstack.verify.reading.records import Range

PLACE = ("orders", 3)


def sync(upstream: int, downstream: int) -> Sync:
    return Sync(upstream, downstream, at=upstream, noted=0)


def compared(
    source: Range, target: Range, records: int | None = None, tally: Tally | None = None
) -> Compared:
    count = source.end - source.start if records is None else records
    return Compared(source, target, count, target.end - target.start, None, tally or Tally())


def watched(held: Compared, *syncs: Sync, compacted: bool = False) -> list[Alarm]:
    return watch(PLACE, held, syncs, held.source.end, compacted=compacted)


def test_a_whole_log_raises_no_alarm() -> None:
    assert not watched(compared(Range(0, 100), Range(0, 100)), sync(0, 0), sync(99, 99))


def test_retention_that_took_what_was_copied_before_raises_no_alarm() -> None:
    held = compared(Range(50, 100), Range(0, 100))

    assert not watched(held, sync(0, 0), sync(40, 40), sync(99, 99))


def test_marks_of_transactions_on_the_target_raise_no_alarm() -> None:
    assert not watched(compared(Range(50, 100), Range(0, 120)), sync(0, 0), sync(99, 110))


def test_offsets_that_were_passed_over_and_are_gone_are_lost() -> None:
    held = compared(Range(60, 100), Range(0, 60))

    (alarm,) = watched(held, sync(0, 0), sync(19, 19), sync(60, 20))

    assert (alarm.loss, alarm.certain) == (Loss.RETENTION, True)
    assert "40 records between offsets 19 and 60" in alarm.sentence


def test_where_there_are_transactions_such_a_gap_is_not_certain() -> None:
    held = compared(Range(60, 100), Range(0, 60), records=35)

    (alarm,) = watched(held, sync(19, 19), sync(60, 20))

    assert not alarm.certain


def test_a_mirror_that_retention_has_passed_just_now_has_lost_records() -> None:
    (alarm,) = watched(compared(Range(60, 100), Range(0, 20)), sync(19, 19))

    assert "40 records up to offset 59" in alarm.sentence


def test_a_source_that_ends_before_what_was_copied_was_made_again() -> None:
    (alarm,) = watched(compared(Range(0, 10), Range(0, 100)), sync(99, 99))

    assert alarm.loss is Loss.MADE_AGAIN
    assert "up to offset 99, and the source ends at 10" in alarm.sentence


def test_a_mirror_that_went_on_while_we_compared_raises_no_alarm() -> None:
    held = compared(Range(0, 10), Range(0, 10))

    assert not watch(PLACE, held, [sync(15, 15)], 20, compacted=False)


def test_a_mirror_that_went_back_to_another_topic_of_that_name_began_again() -> None:
    held = compared(Range(0, 200), Range(0, 300), tally=Tally({DifferenceKind.FOREIGN: 100}))

    (alarm,) = watched(held, sync(99, 99), sync(5, 105))

    assert (alarm.loss, alarm.certain) == (Loss.MADE_AGAIN, True)


def test_a_mirror_that_sent_records_once_more_after_a_crash_lost_nothing() -> None:
    held = compared(Range(0, 200), Range(0, 300), tally=Tally({DifferenceKind.DUPLICATED: 95}))

    assert not watched(held, sync(99, 99), sync(5, 105))


def test_what_was_noted_of_an_earlier_copy_says_nothing_of_this_one() -> None:
    foreign = Tally({DifferenceKind.FOREIGN: 1})
    held = compared(Range(50, 200), Range(0, 150), tally=foreign)

    assert not watched(held, sync(10, 10), sync(99, 40), sync(50, 0), sync(199, 149))


def test_a_target_that_begins_with_what_the_source_never_had_is_suspicious() -> None:
    foreign = Difference(*PLACE, DifferenceKind.FOREIGN, None, 0, b"key", 0)
    held = compared(
        Range(0, 10),
        Range(0, 20),
        tally=Tally({DifferenceKind.FOREIGN: 10}, differences=(foreign,)),
    )

    (alarm,) = watched(held)

    assert (alarm.loss, alarm.certain) == (Loss.MADE_AGAIN, False)


def test_compaction_leaves_gaps_that_are_no_loss() -> None:
    held = compared(Range(60, 100), Range(0, 60))

    assert not watched(held, sync(19, 19), sync(60, 20), compacted=True)


def test_another_id_than_the_last_time_is_another_topic() -> None:
    ((topic, sentence),) = made_again({"a": "1", "b": "2"}, {"a": "1", "b": "3", "c": "4"})

    assert topic == "b"
    assert "was 2" in sentence
