"""Waiting until a connector is healthy."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol

from mirrorstack.connect.health import (
    ConnectorObservation,
    ConnectorSpec,
    Health,
    HealthStatus,
    assess,
)
from mirrorstack.connect.progress import BacklogQuery, Offsets, ReplicationProgress
from mirrorstack.connect.protocol import ConnectorState
from mirrorstack.connect.responses import ConnectorStatus, TaskConfig
from mirrorstack.connect.stalls import StallQuery
from mirrorstack.findings import Finding, UserError
from mirrorstack.local.polling import poll_until

# Statuses travel through a topic: for a moment Connect shows the previous one.
SETTLE_SECONDS = 2.0
EXPLAIN_SECONDS = 30.0
"""Between two inspections of why topics are not replicated, while it waits."""

Report = Callable[[str], None]
Restart = Callable[[str], None]
"""Restarts what has failed of a connector."""


class ConnectorReader(Protocol):
    """A Connect cluster, by its REST API or by its internal topics."""

    def status(self, name: str) -> ConnectorStatus | None: ...

    def tasks(self, name: str) -> tuple[TaskConfig, ...]: ...

    def offsets(self, name: str) -> Offsets: ...


class UnhealthyConnectorError(UserError):
    """The connector failed, or did not become healthy in time. After the first finding follow those
    that explain it."""

    def __init__(
        self, spec: ConnectorSpec, reason: str, waited: float, stalls: Sequence[Finding] = ()
    ) -> None:
        super().__init__(
            f"connector {spec.name} is not healthy after {waited:.0f} s: {reason}",
            "fix the cause, then run the command again",
            connector=spec.name,
        )
        self.findings += tuple(replace(each, connector=spec.name) for each in stalls)
        self.reason = reason


class HealthMonitor:
    """Checks one connector again and again. A status counts when it has stayed for a moment."""

    def __init__(
        self,
        client: ConnectorReader,
        spec: ConnectorSpec,
        report: Report,
        backlog: BacklogQuery | None,
        stalls: StallQuery | None = None,
        restart: Restart | None = None,
    ) -> None:
        self._client = client
        self._spec = spec
        self._report = report
        self._progress = ReplicationProgress(spec.expectation.partitions, backlog)
        self._started = self._since = time.monotonic()
        self._status: HealthStatus | None = None
        self._restart = restart
        self._stalls = stalls
        self._explained = self._started
        self._explanation: Sequence[Finding] = ()

    def is_healthy(self) -> bool:
        """Check once; raises an error for a failure that a restart has not fixed."""
        status = check_health(self._client, self._spec, self._progress)
        now = time.monotonic()
        if status.health is Health.PENDING:
            self._report_pending(status, now)
        if status != self._status:
            self._status, self._since = status, now
            return False
        if now - self._since < SETTLE_SECONDS:
            return False
        if status.health is Health.FAILED:
            if self._restart is None:
                raise self._unhealthy(status.reason, status)
            # A task that failed at its start may have run before a new ACL reached its broker.
            self._restart(self._spec.name)
            self._restart, self._since = None, now
        return status.health is Health.HEALTHY

    def timed_out(self) -> UnhealthyConnectorError:
        status = self._status
        if status and status.health is Health.HEALTHY:
            return self._unhealthy(f"it has been healthy for less than {SETTLE_SECONDS:.0f} s")
        return self._unhealthy(status.reason if status else "", status)

    def _unhealthy(
        self, reason: str, status: HealthStatus | None = None
    ) -> UnhealthyConnectorError:
        waited = time.monotonic() - self._started
        stalls = self._explain(status) if status else ()
        if status and status.causes and not stalls:
            reason = f"{reason}. {status.causes}"
        return UnhealthyConnectorError(self._spec, reason, waited, stalls)

    def _report_pending(self, status: HealthStatus, now: float) -> None:
        if status.topics and now - self._explained >= EXPLAIN_SECONDS:
            self._explained = now
            self._explanation = self._explain(status)
        reasons = self._explanation if status.topics else ()
        self._report("; ".join([status.reason, *(each.message for each in reasons)]))

    def _explain(self, status: HealthStatus) -> Sequence[Finding]:
        """Why topics are not replicated, as far as it can be known."""
        if self._stalls is None or not status.topics:
            return ()
        try:
            return self._stalls(status.topics, self._client.offsets(self._spec.name))
        except UserError:  # Connect does not respond: that is reported already
            return ()


def wait_until_healthy(
    client: ConnectorReader,
    spec: ConnectorSpec,
    *,
    deadline: float,
    report: Report,
    backlog: BacklogQuery | None = None,
    stalls: StallQuery | None = None,
    restart: Restart | None = None,
) -> None:
    """Return when the connector is healthy and stays so for a moment.

    Connect does not restart what has failed; `restart` is called once for it. `deadline` is a value
    of `time.monotonic()`. `report` receives the reason for waiting at every check; `backlog`
    answers which source topics hold records that are not replicated, and `stalls` why.
    """
    monitor = HealthMonitor(client, spec, report, backlog, stalls, restart)
    poll_until(monitor.is_healthy, deadline=deadline, on_timeout=monitor.timed_out)


def check_health(
    client: ConnectorReader, spec: ConnectorSpec, progress: ReplicationProgress
) -> HealthStatus:
    """Request from Connect what the assessment needs, and no more."""
    status = client.status(spec.name)
    running = status is not None and spec.state is ConnectorState.RUNNING and bool(status.tasks)
    expected = spec.expectation.records
    observation = ConnectorObservation(status, tasks=client.tasks(spec.name) if running else ())
    if running and expected:
        offsets = client.offsets(spec.name)
        topics = frozenset(topic for topic, _ in offsets)
        observation = replace(observation, topics_with_offsets=topics)
        health = assess(spec, observation)
        if health.health is not Health.HEALTHY:  # reading from the source would add nothing
            return health
        stalled = progress.stalled_topics(offsets) & expected
        observation = replace(observation, stalled_topics=stalled)
    return assess(spec, observation)
