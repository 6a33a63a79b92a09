"""A restart that somebody asks for: what was restarted, and whether it runs again."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

from mirrorstack.connect.client import ConnectClient
from mirrorstack.connect.health import summarize_trace
from mirrorstack.connect.responses import FAILED, RUNNING, ConnectorStatus
from mirrorstack.local.polling import poll_until

# A task that cannot work fails a moment after its start; and Connect shows the previous status for
# a moment.
SETTLE_SECONDS = 5.0
SUSPENDED = ("PAUSED", "STOPPED")
"""States that somebody asked for. UNASSIGNED and RESTARTING pass by themselves."""


@dataclass(frozen=True)
class ConnectorRestart:
    """One connector: what was restarted of it, and how it is afterwards."""

    connector: str
    restarted: tuple[str, ...]
    """`connector`, `task 0`; empty if nothing was."""
    state: str
    """As Connect names it."""
    failed: tuple[str, ...] = ()
    """What has FAILED again, or still."""
    reason: str = ""
    """Of that failure."""
    is_running: bool = True

    @property
    def is_ok(self) -> bool:
        return not self.failed and (self.is_running or self.state in SUSPENDED)


def restart_connectors(
    client: ConnectClient, *, everything: bool = False, seconds: float
) -> list[ConnectorRestart]:
    """Restart what has FAILED and wait until everything runs and stays so, or has FAILED again.

    `everything` restarts all connectors with their tasks, except those that are paused or stopped.
    """
    before = client.statuses()
    restarted = {
        name: parts for name, status in before.items() if (parts := _parts(status, everything))
    }
    for name in restarted:
        client.restart(name) if everything else client.restart_failed(name)
    awaited = frozenset(
        name
        for name, status in before.items()
        if name in restarted or not (status.is_running or status.state in SUSPENDED)
    )
    after = _settled(client, awaited, seconds) if awaited else before
    return [_outcome(name, restarted.get(name, ()), after.get(name)) for name in sorted(before)]


def _parts(status: ConnectorStatus, everything: bool) -> tuple[str, ...]:
    if everything and status.state in (RUNNING, FAILED):
        return ("connector", *(f"task {task.id}" for task in status.tasks))
    return status.failed_parts


def _settled(
    client: ConnectClient, names: frozenset[str], seconds: float
) -> Mapping[str, ConnectorStatus]:
    """The statuses when those of `names` have stayed for a moment, or the last ones in time."""
    seen: dict[str, ConnectorStatus] = {}
    since = time.monotonic()

    def stays() -> bool:
        nonlocal seen, since
        now, statuses = time.monotonic(), client.statuses()
        ours = {name: status for name, status in statuses.items() if name in names}
        changed = ours != {name: status for name, status in seen.items() if name in names}
        seen = statuses
        if changed or not all(each.is_running or each.has_failed for each in ours.values()):
            since = now
        return now - since >= SETTLE_SECONDS

    with suppress(TimeoutError):
        poll_until(stays, deadline=time.monotonic() + seconds, on_timeout=TimeoutError)
    return seen


def _outcome(
    name: str, restarted: tuple[str, ...], status: ConnectorStatus | None
) -> ConnectorRestart:
    if status is None:  # deleted meanwhile
        return ConnectorRestart(name, restarted, "deleted", is_running=not restarted)
    reason = summarize_trace(status.failure_trace) if status.has_failed else ""
    return ConnectorRestart(
        name, restarted, status.state, status.failed_parts, reason, status.is_running
    )
