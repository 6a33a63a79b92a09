"""The report: frozen values for people, for programs and for the next run.

`VERSION` is that of `report.json`: it is raised when a key is removed or changes its meaning.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from enum import StrEnum
from typing import Any

from mirrorstack.findings import Finding
from mirrorstack.kafka.inventory import TopicDescription
from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.verify.compare.comparison import PartitionComparison
from mirrorstack.verify.compare.differences import DifferenceKind, RecordDifference
from mirrorstack.verify.compare.proofs import PartitionProof
from mirrorstack.verify.groups.group_check import GroupCheck
from mirrorstack.verify.history.freshness import Freshness
from mirrorstack.verify.history.replication_history import History
from mirrorstack.verify.history.silent_loss import SilentLoss
from mirrorstack.verify.reading.scope import Scope
from mirrorstack.verify.report.codes import Verdict, VerifyCode, effect, most_severe
from mirrorstack.verify.report.verdict import partition_state
from mirrorstack.verify.report.wording import readable

VERSION = 3
FINDING_KEYS = ("rule", "severity", "message", "fix", "flow", "topic")


@dataclass(frozen=True)
class PartitionReport:
    partition: int
    state: str
    """`equal`, `behind`, `empty`, or the most severe kind of difference."""
    source_records: int
    target_records: int
    """In compacted topics, keys."""
    source_start: int
    source_end: int
    target_start: int | None
    target_end: int | None
    behind: int
    """Records that had not been replicated: lag, not loss."""
    oldest_behind: int | None
    """The earliest timestamp among them, in milliseconds."""
    newest: int | None
    """The latest timestamp on the target, in milliseconds."""
    trimmed: int
    """Records at the start that retention has deleted from one side only."""
    later: int
    """Records written to the source after the comparison started and not yet on the target. They
    are counted in `source_records` and are no difference."""
    counts: Mapping[DifferenceKind, int]
    """How many records differ, by kind."""
    differences: tuple[RecordDifference, ...]
    """The first of the records that differ."""
    proven_before: int = 0
    """Records that previous runs proved equal, and that were not read again."""
    proven: PartitionProof | None = None
    """What the next run need not read."""


@dataclass(frozen=True)
class TopicReport:
    topic: str
    """The source topic."""
    target_topic: str
    id: str
    """The topic id on the source: a recreated topic has another one."""
    compacted: bool
    timestamps: bool
    """Whether timestamps were compared; not if the target's brokers set them."""
    partitions: tuple[PartitionReport, ...]


@dataclass(frozen=True)
class FlowReport:
    name: str
    source: str
    target: str
    exactly_once: bool
    topics: tuple[TopicReport, ...]
    undeployed_topics: tuple[str, ...]
    """Source topics that match the flow and that it has never replicated."""
    groups: tuple[GroupCheck, ...]
    silent_losses: tuple[SilentLoss, ...]
    """Lost records that the comparison cannot see."""
    freshness: Freshness
    findings: tuple[Finding, ...] = ()
    history: History | None = None
    """Null if there are no offset syncs."""

    @property
    def verdict(self) -> Verdict:
        return most_severe(map(effect, self.findings))

    @property
    def partitions(self) -> list[PartitionReport]:
        return [each for topic in self.topics for each in topic.partitions]

    @property
    def differences(self) -> list[RecordDifference]:
        return [difference for each in self.partitions for difference in each.differences]


@dataclass(frozen=True)
class Report:
    stack: str
    started: int
    """When the verification started, in milliseconds."""
    seconds: float
    """How long it took."""
    flows: tuple[FlowReport, ...]
    version: int = field(default=VERSION)

    @property
    def verdict(self) -> Verdict:
        return most_severe(flow.verdict for flow in self.flows)

    @property
    def partitions(self) -> list[PartitionReport]:
        """Of all topics of all flows."""
        return [each for flow in self.flows for each in flow.partitions]

    @property
    def is_only_late(self) -> bool:
        """Whether exceeded RPOs are the only difference, and all replicated records match."""
        if any(each.counts for each in self.partitions):
            return False
        errors = [
            each.rule
            for flow in self.flows
            for each in flow.findings
            if effect(each) is Verdict.DIFFERENT
        ]
        return bool(errors) and set(errors) == {VerifyCode.RPO_EXCEEDED}

    def to_dict(self) -> dict[str, Any]:
        return {"verdict": self.verdict.value, **_plain(self)}

    def to_json(self) -> str:
        return json.dumps(self.to_dict(), indent=2, ensure_ascii=False)


def _plain(value: Any) -> Any:
    """As JSON; bytes as text, escaped where they are not UTF-8."""
    if isinstance(value, Finding):
        return {name: _plain(getattr(value, name)) for name in FINDING_KEYS}
    if is_dataclass(value):
        found = {each.name: _plain(getattr(value, each.name)) for each in fields(value)}
        if isinstance(value, FlowReport):
            found = {"verdict": value.verdict.value, **found}
        return found
    if isinstance(value, bytes):
        return readable(value)
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return value.value if isinstance(value, StrEnum) else value


def topic_reports(
    scope: Scope,
    source_topics: Mapping[str, TopicDescription],
    compared: Mapping[TopicPartition, PartitionComparison],
    proofs: Mapping[TopicPartition, PartitionProof],
) -> tuple[TopicReport, ...]:
    """`proofs` is what the next run need not read."""
    return tuple(
        TopicReport(
            pair.topic,
            pair.target_topic,
            source_topics[pair.topic].id,
            pair.compacted,
            pair.timestamps,
            tuple(
                _partition_report(number, compared[partition], proofs.get(partition))
                for number in range(pair.partitions)
                for partition in [TopicPartition(pair.topic, number)]
            ),
        )
        for pair in scope.topics
    )


def _partition_report(
    number: int, compared: PartitionComparison, proof: PartitionProof | None
) -> PartitionReport:
    tally, target = compared.tally, compared.target
    return PartitionReport(
        partition=number,
        state=partition_state(compared),
        source_records=compared.source_records,
        target_records=compared.target_records,
        source_start=compared.source.start,
        source_end=compared.source.end,
        target_start=target.start if target else None,
        target_end=target.end if target else None,
        behind=tally.behind,
        oldest_behind=tally.oldest_behind,
        newest=compared.newest,
        trimmed=tally.trimmed,
        later=tally.later,
        counts=tally.counts,
        differences=tally.differences,
        proven_before=compared.proven.records if compared.proven else 0,
        proven=proof,
    )
