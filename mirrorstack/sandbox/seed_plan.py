"""The records of the test data: a pure function of seed and scale, one record at a time.

Each topic has its own random generator, so that a change to one topic does not change the others.
Partition and timestamp are part of the plan, because a partitioner or a clock would make two runs
differ.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from random import Random

from mirrorstack.sandbox.seed_topics import (
    CLICKS,
    CUSTOMERS,
    DOCUMENTS,
    LEDGER,
    ORDERS,
    PAYMENTS,
    TOPICS,
    TopicPlan,
)

DEFAULT_SEED = 42
BASE_TIMESTAMP = int(datetime(2025, 1, 1, tzinfo=UTC).timestamp() * 1000)
LATE_BY_MS = 60_000
# The broker accepts batches up to 1,048,588 bytes; the headers of record and batch are about 100.
LARGEST_DOCUMENT = 1_048_400
CITIES = ("Zürich", "東京", "São Paulo", "Łódź", "القاهرة", "Reykjavík")

Header = tuple[str, bytes | None]


@dataclass(frozen=True, slots=True)
class Record:
    """The content of a record, the same on every cluster."""

    topic: str
    partition: int
    timestamp: int
    key: bytes | None
    value: bytes | None
    headers: tuple[Header, ...] = ()


@dataclass(frozen=True, slots=True)
class Transaction:
    """Records that are committed or aborted together."""

    records: tuple[Record, ...]
    commits: bool


Step = Record | Transaction


@dataclass(frozen=True)
class SeedPlan:
    """The records for a seed and a scale."""

    seed: int = DEFAULT_SEED
    scale: int = 1

    def steps(self, topic: TopicPlan) -> Iterator[Step]:
        """The records and transactions of one topic, in the order of writing."""
        source = _Source(self, topic)
        if topic.name == PAYMENTS:
            yield from _payments(source)
        elif topic.records:
            yield from map(MAKERS[topic.name], source.turns())

    def visible(self) -> Iterator[Record]:
        """The records that a read_committed consumer reads, in the order of each partition."""
        for topic in TOPICS:
            for step in self.steps(topic):
                if isinstance(step, Record):
                    yield step
                elif step.commits:
                    yield from step.records

    def count(self, topic: TopicPlan) -> int:
        """Records written, including those of aborted transactions."""
        return topic.records * self.scale


class _Source:
    """The random generator and the clock of one topic."""

    def __init__(self, plan: SeedPlan, topic: TopicPlan) -> None:
        self.topic = topic
        self.count = plan.count(topic)
        self.random = Random(f"{plan.seed}/{topic.name}")  # noqa: S311 - repeatable on purpose
        self._clock = BASE_TIMESTAMP

    def turns(self) -> Iterator[_Turn]:
        for number in range(self.count):
            self._clock += self.random.randrange(1, 200)
            # Some records are late: timestamps are not in the order of offsets.
            late = LATE_BY_MS if self.random.random() < 0.01 else 0
            yield _Turn(self, number, self._clock - late)


@dataclass(frozen=True, slots=True)
class _Turn:
    """The inputs of one record."""

    source: _Source
    number: int
    timestamp: int

    @property
    def random(self) -> Random:
        return self.source.random

    def record(
        self, key: bytes | None, value: bytes | None, headers: tuple[Header, ...] = ()
    ) -> Record:
        return Record(
            self.source.topic.name, self._partition(key), self.timestamp, key, value, headers
        )

    def _partition(self, key: bytes | None) -> int:
        # Records of one key go to one partition, as with Kafka's partitioner; its hash (murmur2)
        # does not matter here.
        if key is None:
            return self.random.randrange(self.source.topic.partitions)
        return zlib.crc32(key) % self.source.topic.partitions


def _order(turn: _Turn) -> Record:
    key = f"customer-{turn.random.randrange(500)}"
    if turn.number % 10 == 3:
        key = f"{turn.random.choice(CITIES)}-{turn.random.randrange(50)}"
    value = b"" if turn.number % 97 == 5 else _json(order=turn.number, cents=_cents(turn))
    headers: list[Header] = [("trace", turn.random.randbytes(16)), ("schema", b"order-v1")]
    if turn.number % 7 == 1:
        headers.append(("discount", None))
    if turn.number % 11 == 2:
        headers += [("tag", b"gift"), ("tag", b"express"), ("tag", b"gift")]
    if turn.number % 13 == 4:
        headers.append(("note", b""))
    return turn.record(key.encode(), value, tuple(headers))


def _click(turn: _Turn) -> Record:
    if turn.number % 101 == 7:
        return turn.record(None, None)
    page = f"/{turn.random.choice(CITIES)}/{turn.random.randrange(1000)}"
    return turn.record(None, _json(click=turn.number, page=page))


def _customer(turn: _Turn) -> Record:
    number = turn.random.randrange(300)
    city = CITIES[number % len(CITIES)]
    key = f"{city}/{number}".encode()
    if turn.number % 9 == 8:
        return turn.record(key, None)
    return turn.record(key, _json(customer=number, city=city, version=turn.number))


def _document(turn: _Turn) -> Record:
    size = turn.random.randrange(LARGEST_DOCUMENT - 8_000, LARGEST_DOCUMENT)
    if turn.number == 0:
        size = LARGEST_DOCUMENT
    return turn.record(f"document-{turn.number}".encode(), turn.random.randbytes(size))


def _ledger_entry(turn: _Turn) -> Record:
    account = f"account-{turn.random.randrange(40)}".encode()
    return turn.record(account, _json(entry=turn.number, cents=_cents(turn), text="x" * 120))


def _payments(source: _Source) -> Iterator[Transaction]:
    """Transactions of 1 to 160 records; the first commits and the second aborts."""
    number = 0
    records: list[Record] = []
    wanted = source.random.randrange(1, 161)
    for turn in source.turns():
        # Half of them have no key, so that transactions span several partitions.
        key = f"card-{turn.random.randrange(60)}".encode() if turn.number % 2 else None
        records.append(turn.record(key, _json(payment=turn.number, cents=_cents(turn))))
        if len(records) == wanted or turn.number == source.count - 1:
            commits = number == 0 or (number > 1 and source.random.random() < 0.75)
            yield Transaction(tuple(records), commits)
            records = []
            number += 1
            wanted = source.random.randrange(1, 161)


def _cents(turn: _Turn) -> int:
    return turn.random.randrange(100, 100_000)


def _json(**fields: object) -> bytes:
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode()


MAKERS: dict[str, Callable[[_Turn], Record]] = {
    ORDERS: _order,
    CLICKS: _click,
    CUSTOMERS: _customer,
    DOCUMENTS: _document,
    LEDGER: _ledger_entry,
}
