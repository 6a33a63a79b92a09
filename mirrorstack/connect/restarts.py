"""Automatic restarts of FAILED connectors and tasks, with back-off and a limit.

Connect never restarts what has failed. Which restart is due is decided from the statuses and the
time alone, so that every runtime can use it: `RestartPolicy` knows nothing of processes or
networks, and `restart_what_is_due` only of Connect's REST API.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from mirrorstack.connect.client import ConnectClient
from mirrorstack.connect.responses import ConnectorStatus
from mirrorstack.findings import UserError


@dataclass(frozen=True)
class RestartLimits:
    """How soon, and how often, the same connector is restarted."""

    first_seconds: float = 5.0
    """From the failure to the first restart; each further one waits twice as long."""
    longest_seconds: float = 300.0
    attempts: int = 7
    reset_seconds: float = 600.0
    """A connector that has run this long counts as recovered: its next failure is the first."""

    def pause(self, attempts: int) -> float:
        """The seconds until the next restart, after so many restarts."""
        return float(min(self.first_seconds * 2**attempts, self.longest_seconds))


@dataclass(frozen=True)
class Restart:
    """A restart that is due; or, if `gives_up`, one that the limit forbids."""

    connector: str
    failed: tuple[str, ...]
    """What has FAILED: `connector`, `task 0`."""
    attempt: int
    """Counted from 1."""
    trace: str = ""
    gives_up: bool = False


@dataclass(frozen=True)
class RestartOutcome:
    restart: Restart
    error: str = ""
    """Why the request failed; empty if Connect accepted it."""


class _History:
    """The failures of one connector since it last counted as recovered."""

    def __init__(self, due: float) -> None:
        self.attempts = 0
        self.due = due
        self.running_since: float | None = None
        self.gave_up = False


class RestartPolicy:
    """Decides which connectors to restart now. Keeps a history for each of them."""

    def __init__(self, limits: RestartLimits = RestartLimits()) -> None:
        self._limits = limits
        self._histories: dict[str, _History] = {}

    def due(self, statuses: Mapping[str, ConnectorStatus], now: float) -> list[Restart]:
        """The restarts that are due, given the status of every connector; `now` in seconds of any
        clock that does not go back. Whoever calls it performs them."""
        for name in self._histories.keys() - statuses.keys():
            del self._histories[name]
        decided = (self._decide(name, status, now) for name, status in statuses.items())
        return [each for each in decided if each is not None]

    def _decide(self, name: str, status: ConnectorStatus, now: float) -> Restart | None:
        if not status.has_failed:
            self._observe_working(name, status, now)
            return None
        history = self._histories.setdefault(name, _History(now + self._limits.pause(0)))
        history.running_since = None
        if now < history.due or history.gave_up:
            return None
        history.gave_up = history.attempts >= self._limits.attempts
        if not history.gave_up:
            history.attempts += 1
            history.due = now + self._limits.pause(history.attempts)
        return Restart(
            name, status.failed_parts, history.attempts, status.failure_trace, history.gave_up
        )

    def _observe_working(self, name: str, status: ConnectorStatus, now: float) -> None:
        history = self._histories.get(name)
        if history is None:
            return
        if not status.is_running:  # UNASSIGNED or RESTARTING: neither failed nor recovered
            history.running_since = None
        elif history.running_since is None:
            history.running_since = now
        elif now - history.running_since >= self._limits.reset_seconds:
            del self._histories[name]


def restart_what_is_due(
    client: ConnectClient,
    policy: RestartPolicy,
    now: float,
    *,
    is_responsible: Callable[[ConnectorStatus], bool] = lambda _status: True,
) -> list[RestartOutcome]:
    """Ask Connect for the status of its connectors, and restart those that the policy says.

    `is_responsible` selects connectors where several processes do this for one Connect cluster.
    Raises a UserError where Connect does not respond to the question for the statuses.
    """
    statuses = {
        name: status for name, status in client.statuses().items() if is_responsible(status)
    }
    return [_perform(client, restart) for restart in policy.due(statuses, now)]


def _perform(client: ConnectClient, restart: Restart) -> RestartOutcome:
    if restart.gives_up:
        return RestartOutcome(restart)
    try:
        client.restart_failed(restart.connector)
    except UserError as error:
        return RestartOutcome(restart, error.message)
    return RestartOutcome(restart)
