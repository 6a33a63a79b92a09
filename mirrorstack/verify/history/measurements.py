"""Asks Kafka and Spark what a flow's history needs, and no more of the source than that.

Lag: the brokers look up where partitions ended at a time, and no record is read. Latency: Spark
reads short stretches of the source for the timestamps of the records that notes are about.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pyspark.sql import functions as F

from mirrorstack.kafka.admin import KafkaCluster
from mirrorstack.kafka.offset_ranges import OffsetRange
from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.verify.history.replication_history import (
    History,
    Latency,
    PartitionTrack,
    beginning,
    lag,
    latency,
    moments,
    rate,
    told,
)
from mirrorstack.verify.reading.internal_topics import OffsetSync
from mirrorstack.verify.reading.local_frames import given
from mirrorstack.verify.reading.records import RecordReader

# To connect takes longer than to read: a few partitions tell how long records take.
MOST_PARTITIONS = 12
MOST_OFFSETS, MOST_NOTES = 10_000, 200
"""Of each of them."""

WANTED = "topic string, partition int, offset bigint, noted bigint"

Notes = Mapping[TopicPartition, Sequence[OffsetSync]]


@dataclass(frozen=True)
class HistoryMeasurement:
    """One flow; all places bear the names of the source."""

    source: KafkaCluster
    reader: RecordReader
    ranges: Mapping[TopicPartition, OffsetRange]
    """What the source holds."""
    lacking: Mapping[TopicPartition, int]
    """How many records of each partition had not arrived."""

    def history(self, all_notes: Notes) -> History | None:
        """None where there are no notes."""
        notes = told(all_notes, {place: each.end for place, each in self.ranges.items()})
        noted = [note.noted for held in notes.values() for note in held]
        if not noted:
            return None
        first, last = beginning(noted), max(noted)
        # What is not there yet has been lacking until now, however long ago the last note was.
        until = int(time.time() * 1000) if any(self.lacking.values()) else last
        recent = {
            place: [note for note in held if note.noted >= first] for place, held in notes.items()
        }
        count = sum(len(held) for held in recent.values())
        lively = [place for place in notes if recent[place] or self.lacking.get(place)]
        times = moments(first, until, len(lively))
        return History(
            notes=count,
            others=sum(len(all_notes.get(place, ())) for place in self.ranges) - count,
            first=first,
            last=last,
            tick=times[1] - times[0] if times else 0,
            lag=lag(times, self._tracks({place: notes[place] for place in lively}, times)),
            rate=rate(times, notes.values()),
            latency=self._latency(recent, min(noted)),
        )

    def _tracks(self, notes: Notes, times: Sequence[int]) -> list[PartitionTrack]:
        ended = self.source.end_offsets_at(list(notes), times)
        return [
            PartitionTrack(
                held,
                self.ranges[place].end - self.lacking.get(place, 0),
                [_at_most(each.get(place), self.ranges[place].end) for each in ended],
            )
            for place, held in notes.items()
        ]

    def _latency(self, notes: Notes, began: int) -> Latency:
        chosen = sampled(notes, self.ranges)
        rows = [
            (*place, note.upstream, note.noted) for place, held in chosen.items() for note in held
        ]
        past = sum(
            note.upstream < self.ranges[place].start
            for place, held in notes.items()
            for note in held
        )
        if not rows:
            return latency([], began, past)
        stretches = {
            place: OffsetRange(held[0].upstream, held[-1].upstream + 1)
            for place, held in chosen.items()
        }
        wanted = given(self.reader.spark, rows, WANTED)
        found = (
            self.reader.read(stretches)
            .select("topic", "partition", "offset", F.unix_millis("timestamp").alias("stamp"))
            .join(F.broadcast(wanted), on=["topic", "partition", "offset"], how="inner")
            .select("noted", "stamp")
            .collect()
        )
        samples = [(row["noted"], row["stamp"]) for row in found]
        return latency(samples, began, past + len(rows) - len(samples))


def _at_most(offset: int | None, end: int) -> int:
    """What came after the ends were asked for is not looked at."""
    return end if offset is None else min(offset, end)


def sampled(
    notes: Notes, ranges: Mapping[TopicPartition, OffsetRange]
) -> dict[TopicPartition, list[OffsetSync]]:
    """Notes about the newest records of the partitions that have the most of them."""
    there = {
        place: [note for note in held if note.upstream >= _since(held, ranges[place])]
        for place, held in notes.items()
    }
    places = sorted((place for place in there if there[place]), key=lambda p: (-len(notes[p]), p))
    return {
        place: there[place][:: -(-len(there[place]) // MOST_NOTES)]
        for place in places[:MOST_PARTITIONS]
    }


def _since(notes: Sequence[OffsetSync], held: OffsetRange) -> int:
    return max(held.start, notes[-1].upstream + 1 - MOST_OFFSETS)
