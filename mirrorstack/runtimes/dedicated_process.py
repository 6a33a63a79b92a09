"""MirrorMaker in dedicated mode as a process: whether it answers, and whether a task has FAILED.

It has no REST API that could restart a task, so all of it is restarted.
"""

from __future__ import annotations

import http.client
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

FAILURES = "failures.log"
"""The lines of its log that report FAILED tasks and connectors, since its start."""
TIMEOUT_SECONDS = 5.0
SHOWN_CHARACTERS = 300


@dataclass(frozen=True)
class DedicatedProcess:
    url: str
    """Of its internal REST API."""
    failures: Path
    stop: Callable[[], None]

    def answers(self) -> bool:
        """Whether its server responds; there is nothing that a client could ask it for."""
        address = urlsplit(self.url)
        connection = http.client.HTTPConnection(
            address.hostname or "", address.port, timeout=TIMEOUT_SECONDS
        )
        try:
            connection.request("GET", "/")
            connection.getresponse()
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()
        return True

    def restart_failed(self, _now: float) -> list[str]:
        """Stop the process if a task has FAILED: its supervisor starts it again, with growing
        pauses. What was done, in words."""
        try:
            first = self.failures.read_text("utf-8", "replace").partition("\n")[0]
        except FileNotFoundError:
            return []
        if not first:
            return []
        self.failures.write_text("")
        self.stop()
        return [f"stopped MirrorMaker, to restart it: {first[:SHOWN_CHARACTERS]}"]
