"""Why a topic is not replicated though its source has records: judged from facts, no network.

MirrorMaker only logs these causes, or waits forever without a word, while its tasks are RUNNING.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from mirrorstack.connect.progress import Offsets
from mirrorstack.findings import Finding
from mirrorstack.text import and_more

DEFAULT_MAX_REQUEST_SIZE = 1_048_576
"""The default of the producer's `max.request.size`."""
RECORD_OVERHEAD = 70
"""Bytes that a record needs in a request besides its key, value and headers, about."""

StallQuery = Callable[[Collection[str], Offsets], Sequence[Finding]]
"""Given stalled source topics and the last replicated offsets, the known reasons."""


class StallReason(StrEnum):
    """The rule ids of the findings."""

    MISSING_PERMISSION = "stalled-by-missing-permission"
    MISSING_PARTITION = "stalled-by-missing-partition"
    SOURCE_RECREATED = "stalled-by-recreated-source"
    RECORD_TOO_LARGE = "stalled-by-record-size"


@dataclass(frozen=True)
class MissingPermission:
    cluster: str
    principal: str
    description: str
    """`Read on Topic orders`."""
    command: str
    """The `kafka-acls` command that allows it."""


@dataclass(frozen=True)
class LargeRecord:
    partition: int
    offset: int
    size: int
    """Bytes of its key, value and headers."""


@dataclass(frozen=True, kw_only=True)
class StallFacts:
    """What is known about one topic. What could not be found out is None or empty."""

    topic: str
    target_topic: str
    source: str
    target: str
    """The aliases of the clusters."""
    last_offsets: Mapping[int, int]
    """The last replicated offset of each partition that has one."""
    source_ends: Mapping[int, int]
    """The end offset of each partition of the source topic."""
    target_partitions: int | None = None
    """0 if the target topic does not exist, or if the principal may not describe it."""
    missing_permissions: tuple[MissingPermission, ...] = ()
    large_record: LargeRecord | None = None
    """The first record after the last offsets that is too large for either limit."""
    max_message_bytes: int | None = None
    """Of the target topic."""
    max_request_size: int = DEFAULT_MAX_REQUEST_SIZE
    """Of the connector's producer."""


def explain(facts: StallFacts) -> Finding | None:
    """The reason why the topic is stalled, if the facts show one: the first cause, not all."""
    for check in (_permission, _partition, _recreated, _size):
        if finding := check(facts):
            return finding
    return None


def explain_all(facts: Iterable[StallFacts]) -> list[Finding]:
    """The known reasons; none for a topic whose facts show none."""
    return [finding for each in facts if (finding := explain(each))]


def _permission(facts: StallFacts) -> Finding | None:
    if not facts.missing_permissions:
        return None
    first = facts.missing_permissions[0]
    lacking = and_more(each.description for each in facts.missing_permissions)
    commands = "".join(f"\n    {each.command}" for each in facts.missing_permissions)
    return _finding(
        facts,
        StallReason.MISSING_PERMISSION,
        f"User:{first.principal} is not authorized on {first.cluster}: {lacking}",
        f"where the stack administers {first.cluster}, `pulumi up --refresh` recreates deleted "
        f"ACLs; elsewhere an administrator of the cluster must add them:{commands}",
    )


def _partition(facts: StallFacts) -> Finding | None:
    there, here = len(facts.source_ends), facts.target_partitions
    if here is None or here >= there:
        return None
    if here == 0:
        return _finding(
            facts,
            StallReason.MISSING_PARTITION,
            f"{facts.target_topic} does not exist on {facts.target}",
            "`pulumi up --refresh` creates it; where a live pattern selects the topic, allow "
            "MirrorMaker Create",
        )
    return _finding(
        facts,
        StallReason.MISSING_PARTITION,
        f"it has {there} partitions on {facts.source}, and {facts.target_topic} has {here} on "
        f"{facts.target}: a task waits for the missing ones, and replicates nothing meanwhile",
        f"allow Alter on {facts.target_topic}, so that MirrorMaker adds them; or add them with "
        f"`kafka-topics --alter --topic {facts.target_topic} --partitions {there}`",
    )


def _recreated(facts: StallFacts) -> Finding | None:
    beyond = {
        partition: offset
        for partition, offset in facts.last_offsets.items()
        if partition in facts.source_ends and offset >= facts.source_ends[partition]
    }
    if not beyond:
        return None
    partition, offset = min(beyond.items())
    return _finding(
        facts,
        StallReason.SOURCE_RECREATED,
        f"partition {partition} was replicated up to offset {offset}, and ends at "
        f"{facts.source_ends[partition]} on {facts.source}: the topic was deleted and recreated",
        f"to replicate the new topic from earliest, delete {facts.target_topic} on "
        f"{facts.target}, then run `pulumi up --refresh`",
    )


def _size(facts: StallFacts) -> Finding | None:
    record = facts.large_record
    if record is None:
        return None
    size = record.size + RECORD_OVERHEAD
    limits = []
    fixes = []
    if facts.max_message_bytes is not None and size > facts.max_message_bytes:
        limits.append(f"`max.message.bytes` of {facts.target_topic} ({facts.max_message_bytes:,})")
        fixes.append(f"set `max.message.bytes` of {facts.target_topic} to {size} or more")
    if size > facts.max_request_size:
        limits.append(f"the producer's `max.request.size` ({facts.max_request_size:,})")
        fixes.append(
            "set `producer.override.max.request.size` under `override.source` of the flow to "
            f"{size} or more"
        )
    if not limits:
        return None
    return _finding(
        facts,
        StallReason.RECORD_TOO_LARGE,
        f"the record at offset {record.offset} of partition {record.partition} has {record.size:,} "
        f"bytes, more than {' and '.join(limits)}",
        "; ".join(fixes),
    )


def _finding(facts: StallFacts, reason: StallReason, message: str, fix: str) -> Finding:
    return Finding(
        f"{facts.topic} is not replicated: {message}",
        fix,
        rule=reason.value,
        topic=facts.topic,
        cluster=facts.source,
    )
