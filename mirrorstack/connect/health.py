"""Whether a connector does what was declared: an assessment of what was observed, no network.

`RUNNING` proves nothing. MirrorMaker ignores the errors of its clients: without an ACL, or with a
wrong password, a connector is RUNNING without tasks, or its tasks are RUNNING and write nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from mirrorstack.connect.protocol import ConnectorState
from mirrorstack.connect.responses import FAILED, ConnectorStatus, TaskConfig
from mirrorstack.kafka.partitions import TopicPartition, all_partitions
from mirrorstack.text import and_more

MIRROR_MAKER = "org.apache.kafka.connect.mirror."
CAUSES = 3
LINE_CHARACTERS = 300
# MirrorMaker adds the source's heartbeats to the topics of a flow.
HEARTBEATS = re.compile(r"(^|[^a-zA-Z0-9])heartbeats$")

LOGGED_CAUSES = (
    "MirrorMaker only logs the cause: a wrong password, an unreachable cluster or a missing ACL on "
    "the source; see the worker's log"
)


@dataclass(frozen=True, kw_only=True)
class Expectation:
    """What a running connector must show before it counts as healthy."""

    partitions: Mapping[str, int] | None = None
    """Source topics and how many partitions each has: all of these must be assigned to tasks, and
    no other topic. A topic may have got more partitions since. None where tasks have no partitions
    (checkpoints, heartbeats) or they are not known."""
    discovers: bool = False
    """Whether tasks may have other topics, too: patterns match topics that were created since."""
    records: frozenset[str] = frozenset()
    """Topics known to hold records on the source: each must get a committed offset."""
    may_idle: bool = False
    """Whether no task is fine: a checkpoint connector has none until a group has committed."""

    def encoded(self) -> str:
        """In one value: the engine and the SDKs convert every value of a resource several times,
        and a flow may have a thousand topics."""
        values = {
            "partitions": None if self.partitions is None else dict(self.partitions),
            "discovers": self.discovers,
            "records": sorted(self.records),
            "may_idle": self.may_idle,
        }
        return json.dumps(values, sort_keys=True)

    @classmethod
    def decoded(cls, text: str) -> Expectation:
        values = json.loads(text)
        return cls(**values | {"records": frozenset(values["records"])})


@dataclass(frozen=True, kw_only=True)
class ConnectorSpec:
    """A connector as declared."""

    name: str
    config: Mapping[str, str]
    state: ConnectorState = ConnectorState.RUNNING
    new_topics: frozenset[str] = frozenset()
    """Source topics whose target topics are new and empty: offsets of a previous target topic do
    not apply, and resuming from them would leave an unnoticed gap."""
    expectation: Expectation = field(default_factory=Expectation)
    declared_keys: frozenset[str] | None = None
    """The keys of `config` that its tasks have to show; None: all, and no others. Somebody else may
    derive other ones."""


@dataclass(frozen=True)
class ConnectorObservation:
    """A connector as it is; what the expectation does not need may be left empty."""

    status: ConnectorStatus | None
    tasks: tuple[TaskConfig, ...] = ()
    topics_with_offsets: frozenset[str] = frozenset()
    stalled_topics: frozenset[str] = frozenset()
    """Topics without progress since the first check, though there are records to replicate."""


class Health(StrEnum):
    HEALTHY = "healthy"
    PENDING = "pending"
    """Not healthy yet."""
    FAILED = "failed"
    """Waiting does not help."""


@dataclass(frozen=True)
class HealthStatus:
    health: Health
    reason: str = ""
    """Why it is not healthy."""
    causes: str = ""
    """What may have caused it, if it lasts."""
    topics: frozenset[str] = frozenset()
    """The source topics that are not replicated."""


HEALTHY = HealthStatus(Health.HEALTHY)


def _pending(reason: str, causes: str = "", topics: frozenset[str] = frozenset()) -> HealthStatus:
    return HealthStatus(Health.PENDING, reason, causes, topics)


def assess(spec: ConnectorSpec, observation: ConnectorObservation) -> HealthStatus:
    status = observation.status
    if status is None:
        return _pending("Connect has no status for it")
    if status.has_failed:
        return HealthStatus(Health.FAILED, _failure(status), topics=spec.expectation.records)
    if status.state != spec.state.upper():
        return _pending(f"it is {status.state}")
    if spec.state is ConnectorState.STOPPED:
        return _pending(f"it still has {len(status.tasks)} tasks") if status.tasks else HEALTHY
    others = [task for task in status.tasks if task.state != spec.state.upper()]
    if others:
        shown = and_more(f"task {task.id} is {task.state}" for task in others)
        return _pending(
            f"{len(others)} of {len(status.tasks)} tasks are not {status.state}: {shown}"
        )
    return _assess_running(spec, observation) if spec.state is ConnectorState.RUNNING else HEALTHY


def _assess_running(spec: ConnectorSpec, observation: ConnectorObservation) -> HealthStatus:
    expectation = spec.expectation
    if observation.status is not None and not observation.status.tasks:
        if expectation.may_idle:
            return HEALTHY
        return _pending("it is RUNNING without any task", LOGGED_CAUSES)
    if stale := _stale_keys(spec, observation.tasks):
        return _pending(f"its tasks still run with the previous {and_more(stale)}")
    if expectation.partitions is not None:
        assigned = frozenset(each for task in observation.tasks for each in task.assigned)
        if wrong := _wrong_partitions(expectation, assigned):
            return _pending(wrong)
    if silent := expectation.records - observation.topics_with_offsets:
        return _pending(
            f"no record of {and_more(sorted(silent))} has been replicated, though the source has "
            "some",
            LOGGED_CAUSES,
            silent,
        )
    if observation.stalled_topics:
        return _pending(
            f"no record of {and_more(sorted(observation.stalled_topics))} has been replicated "
            "since the deployment started, though the source has more",
            LOGGED_CAUSES,
            observation.stalled_topics,
        )
    return HEALTHY


def _stale_keys(spec: ConnectorSpec, tasks: Iterable[TaskConfig]) -> list[str]:
    """Keys in which tasks differ from the connector.

    Right after a change Connect still shows the old tasks RUNNING. MirrorMaker passes its whole
    config on to its tasks, so theirs show when the change has arrived. Other connectors may pass
    on anything.
    """
    config = spec.config
    if not config.get("connector.class", "").startswith(MIRROR_MAKER):
        return []
    stale: set[str] = set()
    for task in tasks:
        own = {
            key: value
            for key, value in task.values.items()
            if key != "name" and not key.startswith("task.")
        }
        compared = own.keys() | config.keys() if spec.declared_keys is None else spec.declared_keys
        stale.update(key for key in compared if own.get(key) != config.get(key))
    return sorted(stale)


def _wrong_partitions(expectation: Expectation, assigned: frozenset[TopicPartition]) -> str:
    expected = expectation.partitions or {}
    missing = sorted(set(all_partitions(expected)) - assigned)
    extra = sorted(
        each
        for each in assigned
        if not expectation.discovers
        and each.topic not in expected
        and not HEARTBEATS.search(each.topic)
    )
    parts = []
    if missing:
        parts.append(f"no task has {and_more(map(str, missing))}")
    if extra:
        parts.append(f"tasks have {and_more(map(str, extra))}, which are not declared")
    return "; ".join(parts)


def _failure(status: ConnectorStatus) -> str:
    if status.state == FAILED:
        return f"it has FAILED: {summarize_trace(status.trace)}"
    failed = [task for task in status.tasks if task.state == FAILED]
    return (
        f"{len(failed)} of {len(status.tasks)} tasks have FAILED; "
        f"task {failed[0].id}: {summarize_trace(failed[0].trace)}"
    )


def summarize_trace(trace: str) -> str:
    """A Java stack trace without its frames: the exception, and the last causes, once each."""
    lines = [line.strip() for line in trace.splitlines()]
    messages = [line for line in lines if line and not re.match(r"at \S|\.\.\. \d+ ", line)]
    distinct = list(dict.fromkeys(messages))
    if len(distinct) > CAUSES + 1:
        distinct = [distinct[0], *distinct[-CAUSES:]]
    return "\n    ".join(_clip(line) for line in distinct) or "no stack trace"


def _clip(line: str) -> str:
    return line if len(line) <= LINE_CHARACTERS else f"{line[:LINE_CHARACTERS]} ..."
