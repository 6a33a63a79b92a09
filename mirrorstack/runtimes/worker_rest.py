"""The REST API of a local worker, as its supervisor uses it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from mirrorstack.connect import credentials
from mirrorstack.connect.client import ConnectClient, RetryPolicy
from mirrorstack.connect.health import summarize_trace
from mirrorstack.connect.restarts import (
    RestartLimits,
    RestartOutcome,
    RestartPolicy,
    restart_what_is_due,
)
from mirrorstack.findings import UserError
from mirrorstack.local.java_properties import load
from mirrorstack.runtimes.local_worker import credentials_file

TIMEOUT_SECONDS = 5.0
LIMITS = RestartLimits()


@dataclass(frozen=True)
class WorkerRest:
    """`directory` is the worker's; its credentials are read whenever they are needed."""

    url: str
    credentials_file: Path
    policy: RestartPolicy = field(default_factory=lambda: RestartPolicy(LIMITS))

    @classmethod
    def of(cls, directory: Path) -> WorkerRest:
        properties = load((directory / "worker.properties").read_bytes())
        url = next(each.value for each in properties if each.key == "listeners")
        return cls(url, credentials_file(directory.parent))

    def answers(self) -> bool:
        """Whether Connect responds: not while it starts, nor while it has no brokers."""
        try:
            self._client().config("any")
        except UserError:
            return False
        return True

    def restart_failed(self, now: float) -> list[str]:
        """Restart what is due; what was done, in words.

        Of a group of workers, each restarts the connectors that run on it, with all of their tasks.
        """
        own = urlsplit(self.url).netloc
        try:
            outcomes = restart_what_is_due(
                self._client(), self.policy, now, is_responsible=lambda each: each.worker == own
            )
        except UserError:  # starting, rebalancing, or without brokers: ask again later
            return []
        return [_line(outcome) for outcome in outcomes]

    def _client(self) -> ConnectClient:
        return ConnectClient(
            self.url,
            credentials.load(self.credentials_file),
            timeout=TIMEOUT_SECONDS,
            retries=RetryPolicy(seconds=0),
        )


def _line(outcome: RestartOutcome) -> str:
    restart = outcome.restart
    what = f"{', '.join(restart.failed)} of {restart.connector}"
    cause = " ".join(summarize_trace(restart.trace).split())
    if restart.gives_up:
        return f"{what} FAILED again after {restart.attempt} restarts, giving up: {cause}"
    count = f"attempt {restart.attempt} of {LIMITS.attempts}"
    if outcome.error:
        return f"could not restart {what}, {count}: {outcome.error}"
    return f"restarted {what}, {count}: {cause}"
