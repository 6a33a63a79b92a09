"""The heap that a Connect worker needs for the tasks of its flows, at worst.

All tasks may run on one worker, when the others are down. A task holds:

1. the producer's batches (`buffer.memory`);
2. one response from each broker of the source (`fetch.max.bytes`), which the consumer keeps until
   a poll has taken all of it; it asks that broker for no other one before that;
3. the records of one poll (`max.poll.records`), decompressed;
4. every record that waits in the producer's batches a second time, as Java objects: Connect keeps
   it until it is acknowledged. With exactly-once these are the records of 3, because the
   transaction of a poll is committed before the next poll.

How much 3 and 4 are depends on the records: many small ones cost objects, few large ones bytes.
The largest sum counts.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from mirrorstack.mm2.flow import Flow
from mirrorstack.mm2.profiles import CONSUMER, MIB, PRODUCER, PROFILES

OBJECT_BYTES = 800
"""Java objects of a record on its way through Connect, without key, value and headers. Measured
with Kafka 4.3.1: 809 bytes without a key and headers."""
SMALL_RECORD, LARGE_RECORD = 100, 50_000
"""Average sizes, in bytes, between which the estimate holds."""
COMPRESSION_RATIO = 4
BASE_MB = 192
"""Connect itself, with its internal topics and the checkpoint and heartbeat connectors."""
RESERVE = 0.15
"""Without it the garbage collector runs all the time, and at last gives up."""
ROOM = 0.5
"""What a derived heap has instead. Measured with records of 100 bytes and exactly-once: 45 to 55
MB/s with the reserve alone, 70 with a little more than this, and not more with twice as much."""
STEP_MB = 64


@dataclass(frozen=True)
class FlowMemory:
    """What the tasks of one flow need."""

    flow: str
    tasks: int
    task_bytes: int

    @property
    def task_mb(self) -> int:
        return math.ceil(self.task_bytes / MIB)

    def __str__(self) -> str:
        return f"{self.flow}: {self.tasks} tasks x {self.task_mb} MB"


@dataclass(frozen=True)
class WorkerMemory:
    """What one worker needs if it runs all tasks of these flows."""

    flows: tuple[FlowMemory, ...]

    @property
    def needed_mb(self) -> int:
        """The smallest heap that suffices."""
        return math.ceil(self._used_mb * (1 + RESERVE))

    @property
    def heap_mb(self) -> int:
        """The derived heap: one in which the tasks are fast."""
        return math.ceil(self._used_mb * (1 + ROOM) / STEP_MB) * STEP_MB

    @property
    def _used_mb(self) -> int:
        return BASE_MB + sum(flow.tasks * flow.task_mb for flow in self.flows)

    def __str__(self) -> str:
        """The arithmetic."""
        parts = [*map(str, self.flows), f"Connect: {BASE_MB} MB"]
        return f"{'; '.join(parts)}; reserve: {RESERVE:.0%}; in total {self.needed_mb} MB"


def worker_memory(flows: Iterable[Flow], brokers: Mapping[str, int]) -> WorkerMemory:
    """Of the flows to one target; `brokers` by the alias of the source."""
    return WorkerMemory(tuple(_flow_memory(flow, brokers[flow.source]) for flow in flows))


def _flow_memory(flow: Flow, brokers: int) -> FlowMemory:
    sizes = _Sizes(flow)
    records = (SMALL_RECORD, sizes.fullest_poll(brokers), LARGE_RECORD)
    largest = max(sizes.task_bytes(record, brokers) for record in records)
    return FlowMemory(flow.name, sizes.tasks, largest)


class _Sizes:
    """The sizes that a flow's profile and overrides result in."""

    def __init__(self, flow: Flow) -> None:
        profile, self._overrides = PROFILES[flow.profile], flow.override.source
        self.tasks = self._number(flow.tasks, "tasks.max")
        self._buffer = self._number(profile.buffer_memory, f"{PRODUCER}buffer.memory")
        self._fetch = self._of_consumer(profile.fetch_max_bytes, "fetch.max.bytes")
        polled = profile.poll_records(groups=bool(flow.groups))
        self._poll = self._of_consumer(polled, "max.poll.records")
        compression = self._overrides.get(f"{PRODUCER}compression.type", "none").strip()
        self._ratio = 1 if compression == "none" else COMPRESSION_RATIO
        boundary = self._overrides.get("transaction.boundary", "poll").strip().lower()
        self._commits_each_poll = flow.exactly_once and boundary == "poll"

    def fullest_poll(self, brokers: int) -> int:
        """The average size of records at which a poll has both as many records and as many bytes
        as it can."""
        fetched = brokers * self._fetch * COMPRESSION_RATIO
        return min(max(fetched // max(self._poll, 1), SMALL_RECORD), LARGE_RECORD)

    def task_bytes(self, record: int, brokers: int) -> int:
        """With records of an average size."""
        fetched = brokers * self._fetch
        polled = min(self._poll, fetched * COMPRESSION_RATIO // record)
        waiting = 0 if self._commits_each_poll else self._buffer * self._ratio // record
        return self._buffer + fetched + (polled + waiting) * (record + OBJECT_BYTES)

    def _of_consumer(self, default: int, key: str) -> int:
        # The more specific prefix wins.
        return self._number(default, f"source.{CONSUMER}{key}", f"{CONSUMER}{key}")

    def _number(self, default: int, *keys: str) -> int:
        """A value that is not a number is reported with the overrides, not here."""
        given = next((self._overrides[key] for key in keys if key in self._overrides), "")
        try:
            return max(int(given), 0)
        except ValueError:
            return default
