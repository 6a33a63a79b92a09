"""Whether a connector does what was declared. Pure: a judgement on what was seen of it.

`RUNNING` proves nothing. MirrorMaker swallows the errors of its clients: without a right, or with a
wrong password, a connector is RUNNING without tasks, or its tasks are RUNNING and write nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from mirrorstack.connect.protocol import ConnectorState
from mirrorstack.connect.responses import FAILED, ConnectorStatus, TaskConfig
from mirrorstack.kafka.partitions import TopicPartition

MIRROR_MAKER = "org.apache.kafka.connect.mirror."
SHOWN = 5
CAUSES = 3
LINE_CHARACTERS = 300
# MirrorMaker adds the source's heartbeats to whatever a flow names.
HEARTBEATS = re.compile(r"(^|[^a-zA-Z0-9])heartbeats$")

SILENT = (
    "MirrorMaker logs its clients' errors and stays silent here: a wrong password, an address that "
    "is not reached or a missing right on the source; the worker's log says which"
)


@dataclass(frozen=True, kw_only=True)
class Expectation:
    """What a running connector must show before it counts as healthy."""

    partitions: Mapping[str, int] | None = None
    """Source topics and how many partitions each has: exactly these must be assigned to tasks.
    None where tasks have no partitions (checkpoints, heartbeats) or they are not known."""
    records: frozenset[str] = frozenset()
    """Topics known to hold records on the source: each must have a committed offset in the end."""
    may_idle: bool = False
    """Whether no task is fine: a checkpoint connector has none until a group has committed."""


@dataclass(frozen=True, kw_only=True)
class Declared:
    """A connector as it should be."""

    name: str
    config: Mapping[str, str]
    state: ConnectorState = ConnectorState.RUNNING
    fresh: frozenset[str] = frozenset()
    """Topics of the source whose copies are new and empty: offsets of an earlier copy are not
    theirs, and going on from there would leave a gap that nobody sees."""
    expectation: Expectation = field(default_factory=Expectation)


@dataclass(frozen=True)
class Seen:
    """A connector as it is; what the expectation does not ask for may be left empty."""

    status: ConnectorStatus | None
    tasks: tuple[TaskConfig, ...] = ()
    topics_with_offsets: frozenset[str] = frozenset()
    standing: frozenset[str] = frozenset()
    """Topics that have not moved since we began to look, though there are records to be moved."""


@dataclass(frozen=True)
class Healthy:
    pass


@dataclass(frozen=True)
class NotYet:
    why: str


@dataclass(frozen=True)
class Failed:
    """It will not get better by waiting."""

    why: str


Verdict = Healthy | NotYet | Failed


def judge(declared: Declared, seen: Seen) -> Verdict:
    status = seen.status
    if status is None:
        return NotYet("Connect has no status of it")
    if status.has_failed:
        return Failed(_failure(status))
    if status.state != declared.state.upper():
        return NotYet(f"it is {status.state}")
    if declared.state is ConnectorState.STOPPED:
        return NotYet(f"it still has {len(status.tasks)} tasks") if status.tasks else Healthy()
    others = [task for task in status.tasks if task.state != declared.state.upper()]
    if others:
        shown = _some(f"task {task.id} is {task.state}" for task in others)
        return NotYet(f"{len(others)} of {len(status.tasks)} tasks are not {status.state}: {shown}")
    return _running(declared, seen) if declared.state is ConnectorState.RUNNING else Healthy()


def _running(declared: Declared, seen: Seen) -> Verdict:
    expectation = declared.expectation
    if seen.status is not None and not seen.status.tasks:
        if expectation.may_idle:
            return Healthy()
        return NotYet(f"it is RUNNING without any task. {SILENT}")
    if stale := _stale_keys(declared.config, seen.tasks):
        return NotYet(f"its tasks still run with the former {_some(stale)}")
    if expectation.partitions is not None:
        assigned = frozenset(one for task in seen.tasks for one in task.assigned)
        if wrong := _wrong_partitions(expectation.partitions, assigned):
            return NotYet(wrong)
    if silent := expectation.records - seen.topics_with_offsets:
        return NotYet(
            f"no record of {_some(sorted(silent))} has been mirrored, though there are some. "
            f"{SILENT}"
        )
    if seen.standing:
        return NotYet(
            f"{_some(sorted(seen.standing))} has not moved since the deployment began, though the "
            f"source holds records after the last mirrored one. {SILENT}"
        )
    return Healthy()


def _stale_keys(config: Mapping[str, str], tasks: Iterable[TaskConfig]) -> list[str]:
    """Keys in which tasks differ from the connector.

    Right after a change Connect still shows the old tasks RUNNING. MirrorMaker hands its whole
    config down to its tasks, so theirs tells when the change has arrived. Other connectors may
    hand down what they like.
    """
    if not config.get("connector.class", "").startswith(MIRROR_MAKER):
        return []
    stale: set[str] = set()
    for task in tasks:
        own = {
            key: value
            for key, value in task.values.items()
            if key != "name" and not key.startswith("task.")
        }
        stale.update(key for key in own.keys() | config.keys() if own.get(key) != config.get(key))
    return sorted(stale)


def _wrong_partitions(expected: Mapping[str, int], assigned: frozenset[TopicPartition]) -> str:
    wanted = {(topic, number) for topic, count in expected.items() for number in range(count)}
    missing = sorted(wanted - assigned)
    extra = sorted(one for one in assigned - wanted if not HEARTBEATS.search(one[0]))
    parts = []
    if missing:
        parts.append(f"no task has {_some(f'{topic}-{number}' for topic, number in missing)}")
    if extra:
        parts.append(
            f"tasks have {_some(f'{topic}-{number}' for topic, number in extra)}, "
            "which were not declared"
        )
    return "; ".join(parts)


def _failure(status: ConnectorStatus) -> str:
    if status.state == FAILED:
        return f"it has FAILED: {shorten(status.trace)}"
    failed = [task for task in status.tasks if task.state == FAILED]
    return (
        f"{len(failed)} of {len(status.tasks)} tasks have FAILED; "
        f"task {failed[0].id}: {shorten(failed[0].trace)}"
    )


def shorten(trace: str) -> str:
    """A Java stack trace without its frames: what happened, and the last causes, once each."""
    lines = [line.strip() for line in trace.splitlines()]
    telling = [line for line in lines if line and not re.match(r"at \S|\.\.\. \d+ ", line)]
    distinct = list(dict.fromkeys(telling))
    if len(distinct) > CAUSES + 1:
        distinct = [distinct[0], *distinct[-CAUSES:]]
    return "\n    ".join(_clip(line) for line in distinct) or "without a trace"


def _clip(line: str) -> str:
    return line if len(line) <= LINE_CHARACTERS else f"{line[:LINE_CHARACTERS]} ..."


def _some(items: Iterable[str]) -> str:
    """The first few, and how many more there are."""
    listed = list(items)
    more = f" and {len(listed) - SHOWN} more" if len(listed) > SHOWN else ""
    return ", ".join(listed[:SHOWN]) + more
