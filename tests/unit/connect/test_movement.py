"""Records move, have moved to the end, or stand still though there are more."""

from __future__ import annotations

from mirrorstack.connect.movement import Movement, Offsets
from mirrorstack.kafka.partitions import TopicPartition


class Source:
    """Topics with more records than were mirrored; it remembers what it was asked."""

    def __init__(self, *behind: str) -> None:
        self.behind = set(behind)
        self.asked: list[Offsets] = []

    def __call__(self, offsets: Offsets) -> frozenset[str]:
        self.asked.append(offsets)
        return frozenset(self.behind & {topic for topic, _ in offsets})


PARTITIONS = {"orders": 2, "clicks": 1}


def test_a_topic_that_moves_needs_no_look_at_the_source() -> None:
    source = Source("orders")
    movement = Movement(PARTITIONS, source)
    movement.standing({TopicPartition("clicks", 0): 3})

    assert movement.standing({TopicPartition("clicks", 0): 4}) == frozenset()
    assert movement.standing({TopicPartition("clicks", 0): 4}) == frozenset(), (
        "having moved once is enough"
    )


def test_a_topic_that_stands_at_its_end_is_in_order_and_asked_for_once() -> None:
    source = Source()
    movement = Movement(PARTITIONS, source)

    assert movement.standing({TopicPartition("clicks", 0): 3}) == frozenset()
    assert movement.standing({TopicPartition("clicks", 0): 3}) == frozenset()
    assert len(source.asked) == 1


def test_a_topic_that_stands_though_there_is_more_is_named_until_it_moves() -> None:
    movement = Movement(PARTITIONS, Source("orders"))

    assert movement.standing({TopicPartition("orders", 0): 9}) == {"orders"}
    assert movement.standing({TopicPartition("orders", 0): 9}) == {"orders"}
    assert movement.standing({TopicPartition("orders", 0): 10}) == frozenset()


def test_partitions_without_an_offset_are_looked_at_from_their_beginning() -> None:
    source = Source()

    Movement(PARTITIONS, source).standing({TopicPartition("orders", 0): 9})

    assert source.asked == [{("orders", 0): 9, ("orders", 1): -1}]


def test_without_a_way_to_the_source_nothing_is_said() -> None:
    assert Movement(PARTITIONS, None).standing({TopicPartition("orders", 0): 9}) == frozenset()
