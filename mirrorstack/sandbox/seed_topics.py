"""Topics and consumer groups of the test data: each topic has one difficulty for replication."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from mirrorstack.kafka.partitions import TopicPartition

ORDERS, CLICKS, CUSTOMERS = "orders", "clicks", "customers"
PAYMENTS, DOCUMENTS, AUDIT, LEDGER = "payments", "documents", "audit", "ledger"

HUNDRED_YEARS_MS = 100 * 365 * 24 * 3600 * 1000


@dataclass(frozen=True)
class TopicPlan:
    """One topic: its config, and its number of records at scale 1."""

    name: str
    partitions: int
    records: int
    note: str
    config: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class GroupPlan:
    """A consumer group and its progress in each topic: 0 is the start, 1 the end."""

    name: str
    progress: Mapping[str, Fraction]


TOPICS: tuple[TopicPlan, ...] = (
    TopicPlan(ORDERS, 6, 8_000, "keyed; headers: null, empty, binary, repeated; empty values"),
    TopicPlan(CLICKS, 12, 6_000, "no keys; some records have neither key nor value"),
    TopicPlan(
        CUSTOMERS,
        3,
        2_500,
        "compacted; updates and tombstones; unicode keys",
        {"cleanup.policy": "compact"},
    ),
    TopicPlan(PAYMENTS, 4, 2_000, "in transactions, some of them aborted"),
    TopicPlan(DOCUMENTS, 2, 20, "records just below the broker's 1 MiB"),
    TopicPlan(AUDIT, 1, 0, "empty"),
    TopicPlan(
        LEDGER,
        1,
        1_480,
        "with configs that differ from the defaults",
        {
            # Finite, so that it differs from the sandbox's default, and long enough for the old
            # timestamps of the records.
            "retention.ms": str(HUNDRED_YEARS_MS),
            "segment.bytes": str(8 * 1024 * 1024),
            "compression.type": "zstd",
            "max.message.bytes": str(2 * 1024 * 1024),
            "min.insync.replicas": "1",
        },
    ),
)

START, MIDDLE, END = Fraction(0), Fraction(1, 2), Fraction(1)

GROUPS: tuple[GroupPlan, ...] = (
    GroupPlan("billing", {ORDERS: START}),
    GroupPlan("fulfilment", {ORDERS: MIDDLE}),
    GroupPlan("reporting", {ORDERS: END}),
    GroupPlan(
        "analytics",
        {
            ORDERS: Fraction(1, 3),
            CLICKS: Fraction(2, 3),
            CUSTOMERS: MIDDLE,
            PAYMENTS: Fraction(3, 4),
            LEDGER: END,
        },
    ),
)


def committed_offsets(
    group: GroupPlan, ends: Mapping[TopicPartition, int]
) -> dict[TopicPartition, int]:
    """The committed offset of the group in every partition, from the partitions' end offsets."""
    return {
        partition: int(end * group.progress[partition.topic])
        for partition, end in ends.items()
        if partition.topic in group.progress
    }
