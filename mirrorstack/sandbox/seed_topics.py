"""The topics and groups of the seed: what makes mirroring hard, one topic for each difficulty."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

ORDERS, CLICKS, CUSTOMERS = "orders", "clicks", "customers"
PAYMENTS, DOCUMENTS, AUDIT, LEDGER = "payments", "documents", "audit", "ledger"

HUNDRED_YEARS_MS = 100 * 365 * 24 * 3600 * 1000


@dataclass(frozen=True)
class TopicPlan:
    """One topic: how it is made and how many records it gets at scale 1."""

    name: str
    partitions: int
    records: int
    note: str
    config: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class GroupPlan:
    """A consumer group and how far it has read each of its topics: 0 is the start, 1 the end."""

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
    TopicPlan(PAYMENTS, 4, 2_000, "in transactions, of which some were aborted"),
    TopicPlan(DOCUMENTS, 2, 20, "records just below the broker's 1 MiB"),
    TopicPlan(AUDIT, 1, 0, "empty"),
    TopicPlan(
        LEDGER,
        1,
        1_480,
        "configured unlike the defaults",
        {
            # Finite, so that it differs from the sandbox's default, and long enough for the
            # seed's old timestamps.
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
    group: GroupPlan, ends: Mapping[tuple[str, int], int]
) -> dict[tuple[str, int], int]:
    """The offset the group commits for every partition, given each partition's end offset."""
    return {
        (topic, partition): int(end * group.progress[topic])
        for (topic, partition), end in ends.items()
        if topic in group.progress
    }
