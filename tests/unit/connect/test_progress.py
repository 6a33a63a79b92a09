"""Topics with progress, without anything left to replicate, and stalled ones."""

from __future__ import annotations

from mirrorstack.connect.progress import Offsets, ReplicationProgress
from mirrorstack.kafka.partitions import TopicPartition


class Source:
    """Topics with records that are not replicated; it records the queries."""

    def __init__(self, *behind: str) -> None:
        self.behind = set(behind)
        self.asked: list[Offsets] = []

    def __call__(self, offsets: Offsets) -> frozenset[str]:
        self.asked.append(offsets)
        return frozenset(self.behind & {topic for topic, _ in offsets})


PARTITIONS = {"orders": 2, "clicks": 1}


def test_a_topic_with_progress_needs_no_query_to_the_source() -> None:
    source = Source("orders")
    progress = ReplicationProgress(PARTITIONS, source)
    progress.stalled_topics({TopicPartition("clicks", 0): 3})

    assert progress.stalled_topics({TopicPartition("clicks", 0): 4}) == frozenset()
    assert progress.stalled_topics({TopicPartition("clicks", 0): 4}) == frozenset(), (
        "progress once is enough"
    )


def test_a_topic_at_its_end_is_queried_once() -> None:
    source = Source()
    progress = ReplicationProgress(PARTITIONS, source)

    assert progress.stalled_topics({TopicPartition("clicks", 0): 3}) == frozenset()
    assert progress.stalled_topics({TopicPartition("clicks", 0): 3}) == frozenset()
    assert len(source.asked) == 1


def test_a_topic_with_a_backlog_is_stalled_until_it_makes_progress() -> None:
    progress = ReplicationProgress(PARTITIONS, Source("orders"))

    assert progress.stalled_topics({TopicPartition("orders", 0): 9}) == {"orders"}
    assert progress.stalled_topics({TopicPartition("orders", 0): 9}) == {"orders"}
    assert progress.stalled_topics({TopicPartition("orders", 0): 10}) == frozenset()


def test_partitions_without_an_offset_are_queried_from_their_beginning() -> None:
    source = Source()

    ReplicationProgress(PARTITIONS, source).stalled_topics({TopicPartition("orders", 0): 9})

    assert source.asked == [{("orders", 0): 9, ("orders", 1): -1}]


def test_without_a_backlog_query_no_topic_is_stalled() -> None:
    assert (
        ReplicationProgress(PARTITIONS, None).stalled_topics({TopicPartition("orders", 0): 9})
        == frozenset()
    )
