"""The running components of a node, each with a log."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from mirrorstack.local.polling import poll_until
from tests.platforms.kubernetes.namespaces import Namespaces

READY_SECONDS, STOP_SECONDS = 120.0, 30.0
LOG_CHARACTERS = 4000


@dataclass(frozen=True)
class Processes:
    inside: Namespaces
    environ: Mapping[str, str]
    logs: Path
    started: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    def start(self, commands: Mapping[str, Sequence[str]]) -> None:
        """By name of the component."""
        self.logs.mkdir(exist_ok=True)
        for name, words in commands.items():
            with self._log(name).open("wb") as output:
                self.started[name] = subprocess.Popen(
                    self.inside.command(*words),
                    env=self.environ,
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                )

    def wait(self, name: str, ready: Callable[[], object]) -> None:
        """Until `ready` is true; fails with the log of the component, or of one that exited."""

        def check() -> bool:
            for each, process in self.started.items():
                assert process.poll() is None, self._failure(each, f"exited {process.returncode}")
            return bool(ready())

        poll_until(
            check,
            deadline=time.monotonic() + READY_SECONDS,
            on_timeout=lambda: AssertionError(self._failure(name, "is not ready")),
            interval=0.2,
        )

    def reap(self) -> None:
        """After the namespaces, and so all processes in them, have ended."""
        for process in self.started.values():
            process.wait(STOP_SECONDS)

    def _failure(self, name: str, what: str) -> str:
        end = self._log(name).read_text("utf-8", "replace")[-LOG_CHARACTERS:]
        return f"{name} {what}; the end of {self._log(name)}:\n{end}"

    def _log(self, name: str) -> Path:
        return self.logs / f"{name}.log"
