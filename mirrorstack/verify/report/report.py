"""The report: frozen values, the same for people, for programs and for the next run.

`VERSION` is that of `report.json`: it grows when a key goes or changes its meaning.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from mirrorstack.verify.compare.differences import Difference, DifferenceKind
from mirrorstack.verify.compare.proofs import PartitionProof
from mirrorstack.verify.groups.group_check import GroupCheck
from mirrorstack.verify.history.replication_history import History
from mirrorstack.verify.history.silent_loss import SilentLoss

VERSION = 1
LONGEST_KEY = 120


class Verdict(StrEnum):
    EQUAL = "equal"
    DIFFERENT = "different"
    UNTOLD = "could not tell"

    @property
    def exit_status(self) -> int:
        return {Verdict.EQUAL: 0, Verdict.DIFFERENT: 1, Verdict.UNTOLD: 2}[self]


class Weight(StrEnum):
    FAILURE = "failure"
    UNTOLD = "untold"
    """It may be right, and cannot be known yet."""
    WARNING = "warning"


@dataclass(frozen=True)
class Remark:
    """One thing to know, in a sentence."""

    weight: Weight
    sentence: str


@dataclass(frozen=True)
class PartitionReport:
    partition: int
    state: str
    """`equal`, `behind`, `empty`, or the gravest kind of difference."""
    source_records: int
    target_records: int
    """Of compacted topics, keys."""
    source_start: int
    source_end: int
    target_start: int | None
    target_end: int | None
    behind: int
    """Records that had not arrived: lag, not loss."""
    oldest_behind: int | None
    """The earliest timestamp among them, in milliseconds."""
    newest: int | None
    """The latest timestamp on the target, in milliseconds."""
    trimmed: int
    """Records at the head that only one side still holds, because retention took the other's."""
    later: int
    """Records that came to the source after the comparison began and are not on the target yet:
    they are counted in `source_records`, and nothing is wrong with them."""
    counts: Mapping[DifferenceKind, int]
    """How many records differ, by how."""
    differences: tuple[Difference, ...]
    """The first of those that differ, by name."""
    proven_before: int = 0
    """Records that earlier runs have found equal, and that were not read again."""
    proven: PartitionProof | None = None
    """What the next run need not read."""


@dataclass(frozen=True)
class TopicReport:
    topic: str
    remote: str
    """Its name on the target."""
    id: str
    """The topic's on the source: another one when it is made again."""
    compacted: bool
    timestamps: bool
    """Whether they were compared; not where the target's brokers stamp what they append."""
    partitions: tuple[PartitionReport, ...]


@dataclass(frozen=True)
class Freshness:
    """How fresh the copy is; times in milliseconds."""

    heartbeat: int | None
    """The newest that MirrorMaker wrote to the target."""
    newest: int | None
    """The latest timestamp of a record on the target."""
    oldest_behind: int | None
    """The earliest timestamp of a record that has not arrived."""
    behind: int
    """How many have not arrived."""
    rpo_seconds: float | None
    """How old such a record may be; null where nothing is declared."""
    rpo_met: bool | None
    """Whether none was older when the target was asked for its ends; null where nothing is
    declared."""


@dataclass(frozen=True)
class FlowReport:
    name: str
    source: str
    target: str
    exactly_once: bool
    topics: tuple[TopicReport, ...]
    groups: tuple[GroupCheck, ...]
    alarms: tuple[SilentLoss, ...]
    pulse: Freshness
    remarks: tuple[Remark, ...] = ()
    history: History | None = None
    """None where MirrorMaker left no notes."""

    @property
    def verdict(self) -> Verdict:
        weights = {remark.weight for remark in self.remarks}
        if Weight.FAILURE in weights:
            return Verdict.DIFFERENT
        return Verdict.UNTOLD if Weight.UNTOLD in weights else Verdict.EQUAL


@dataclass(frozen=True)
class Report:
    stack: str
    taken: int
    """When, in milliseconds."""
    seconds: float
    flows: tuple[FlowReport, ...]
    version: int = field(default=VERSION)

    @property
    def verdict(self) -> Verdict:
        verdicts = {flow.verdict for flow in self.flows}
        gravest = (Verdict.DIFFERENT, Verdict.UNTOLD, Verdict.EQUAL)
        return next(each for each in gravest if each in verdicts or each is Verdict.EQUAL)

    @property
    def partitions(self) -> list[PartitionReport]:
        """Of all topics of all flows."""
        return [each for flow in self.flows for topic in flow.topics for each in topic.partitions]

    @property
    def is_only_late(self) -> bool:
        """Whether it fails for nothing but missed RPOs, and all that has arrived is equal."""
        if any(each.counts for each in self.partitions):
            return False
        failures = [r for flow in self.flows for r in flow.remarks if r.weight is Weight.FAILURE]
        missed = [flow for flow in self.flows if flow.pulse.rpo_met is False]
        return bool(failures) and len(failures) == len(missed)

    def to_dict(self) -> dict[str, Any]:
        return {"verdict": self.verdict.value, **_plain(self)}

    def to_json(self) -> str:
        return json.dumps(self.to_dict(), indent=2, ensure_ascii=False)


def _plain(value: Any) -> Any:
    """As JSON has it; bytes as text, with what is no text escaped."""
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


def counted_records(count: int) -> str:
    return f"{count:,} record" if count == 1 else f"{count:,} records"


def readable(key: bytes | None) -> str | None:
    if key is None:
        return None
    text = key.decode(errors="backslashreplace")
    return text if len(text) <= LONGEST_KEY else f"{text[:LONGEST_KEY]}…"


def read_topic_ids(file: Path) -> dict[str, dict[str, str]]:
    """The topics' ids of an earlier report, by flow; nothing where there is none. ValueError where
    there is something else."""
    try:
        content = json.loads(file.read_text())
        return {
            flow["name"]: {topic["topic"]: topic["id"] for topic in flow["topics"]}
            for flow in content["flows"]
        }
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise ValueError(error.strerror) from error
    except (KeyError, TypeError) as error:
        raise ValueError("it is not a report") from error
