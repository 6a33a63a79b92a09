"""Profiles: how much the clients of a source connector read, buffer and send at a time."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

KIB, MIB = 1024, 1024 * 1024
PRODUCER, CONSUMER = "producer.override.", "consumer."
# Keeps the order with five requests in flight. Connect's own default is one request at a time,
# for exactly-once as well.
PIPELINED_PRODUCER = {
    f"{PRODUCER}enable.idempotence": "true",
    f"{PRODUCER}max.in.flight.requests.per.connection": "5",
}
# The operating system sizes the socket buffers. With the clients' fixed 64 and 128 KiB a
# connection moves at most one buffer per round trip, which is little over a long distance.
SOCKET_BUFFERS = {
    f"{CONSUMER}receive.buffer.bytes": "-1",
    f"{PRODUCER}send.buffer.bytes": "-1",
}
# MirrorMaker has at most ten offset syncs in flight, and a newer one replaces one of the same
# partition that waits. After many records at once the first ones are lost, and groups before the
# first offset sync of a partition get no checkpoint. Polls of this size come from few partitions,
# and with so many records between offset syncs there is one for each of them. That costs little
# precision: one more follows each transaction, or each commit of Connect's offsets.
TRANSLATED_POLL_RECORDS = OFFSET_LAG = 2_000


class ProfileName(StrEnum):
    DEFAULT = "default"
    """Large batches and fetches, for throughput; the heap is derived from them."""
    FRUGAL = "frugal"
    """For small machines: less than half of the memory, at less throughput and up to half a
    second more latency."""


@dataclass(frozen=True, kw_only=True)
class Profile:
    """The sizes of the two clients of a task: its consumer on the source, its producer on the
    target. The names are those of Kafka's keys."""

    batch_size: int
    """Bytes of one partition that are sent together."""
    linger_ms: int
    buffer_memory: int
    """Bytes that wait to be sent or acknowledged."""
    max_poll_records: int
    """Records of one poll; with exactly-once, of one transaction. Fewer where offsets of consumer
    groups are translated."""
    fetch_min_bytes: int
    """The broker waits for this much, at most `fetch_max_wait_ms`."""
    fetch_max_wait_ms: int
    fetch_max_bytes: int
    """Bytes of one response. Kafka's default, 50 MiB for each broker, would be most of a heap."""
    max_partition_fetch_bytes: int

    def poll_records(self, *, groups: bool) -> int:
        polled = self.max_poll_records
        return min(polled, TRANSLATED_POLL_RECORDS) if groups else polled

    def as_keys(self, *, groups: bool = False) -> dict[str, str]:
        """Keys of the source connector. `groups`: whether offsets of consumer groups are
        translated."""
        producer = {
            "batch.size": self.batch_size,
            "linger.ms": self.linger_ms,
            "buffer.memory": self.buffer_memory,
        }
        consumer = {
            "max.poll.records": self.poll_records(groups=groups),
            "fetch.min.bytes": self.fetch_min_bytes,
            "fetch.max.wait.ms": self.fetch_max_wait_ms,
            "fetch.max.bytes": self.fetch_max_bytes,
            "max.partition.fetch.bytes": self.max_partition_fetch_bytes,
        }
        return {
            **{f"{PRODUCER}{key}": str(value) for key, value in producer.items()},
            **{f"{CONSUMER}{key}": str(value) for key, value in consumer.items()},
            **SOCKET_BUFFERS,
            **PIPELINED_PRODUCER,
        }


PROFILES = {
    ProfileName.DEFAULT: Profile(
        # Below 512 KiB: Java's G1 collector gives an array of half a region or more regions of
        # its own, and with regions of 1 MiB, as in a heap below 2 GB, half of each would be lost.
        batch_size=500_000,
        linger_ms=20,
        buffer_memory=32 * MIB,
        # Each transaction costs several milliseconds: with small records, 5,000 are too few.
        max_poll_records=20_000,
        fetch_min_bytes=256 * KIB,
        # Kafka's default of 500 ms would be added to the latency of a quiet topic.
        fetch_max_wait_ms=100,
        fetch_max_bytes=16 * MIB,
        max_partition_fetch_bytes=4 * MIB,
    ),
    ProfileName.FRUGAL: Profile(
        batch_size=64 * KIB,
        linger_ms=20,
        buffer_memory=8 * MIB,
        max_poll_records=1_000,
        fetch_min_bytes=64 * KIB,
        fetch_max_wait_ms=500,
        fetch_max_bytes=4 * MIB,
        max_partition_fetch_bytes=1 * MIB,
    ),
}
