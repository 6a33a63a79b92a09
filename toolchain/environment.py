"""The clone's own `.venv`: the locked packages, and this project installed in place."""

from __future__ import annotations

import hashlib
import sys
from dataclasses import dataclass
from pathlib import Path

from mirrorstack.console import Step
from toolchain.command import run
from toolchain.part import Found, Part, Unavailable, Way
from toolchain.uv import settings


@dataclass(frozen=True)
class Environment(Part):
    root: Path
    uv: Path

    name = "Python packages"
    why = "the program, its tests and the command line are written on them"
    fix = (
        "check that the Python package index answers (pip download click), then run the command "
        "again: it resumes"
    )

    def have(self) -> Found | None:
        if not (self.python.exists() and self._stamp.exists()):
            return None
        if self._stamp.read_text() != self._contents():
            return None
        return Found(self._venv, f"Python {_running()}", "locked, with hashes, in .venv")

    def ways(self) -> list[Way]:
        return [Way("installing the locked packages", self._install)]

    @property
    def python(self) -> Path:
        return self._venv / "bin" / "python"

    def _install(self, step: Step) -> None:
        self._stamp.unlink(missing_ok=True)
        env = {**settings(), "VIRTUAL_ENV": str(self._venv), "UV_NO_PROGRESS": "1"}

        def uv(*words: str | Path) -> None:
            run([self.uv, *words], cwd=self.root, env=env, on_line=step.progress)

        uv("venv", "--quiet", "--clear", "--python", sys.executable, self._venv)
        sync = ("pip", "sync", "--require-hashes", self._lock)
        try:  # The lock decides: what uv has cached needs no index to confirm it.
            uv(*sync, "--offline")
        except Unavailable:
            uv(*sync)
        # hatchling is among the locked packages, so nothing is fetched to build the project itself.
        uv("pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--editable", ".")
        self._stamp.write_text(self._contents())

    def _contents(self) -> str:
        """What `.venv` must hold: made anew when the lock, project, Python or place changes.

        In a clone that was moved or copied it would run the code of the place it came from.
        """
        digest = hashlib.sha256(f"{_running()} {self.root}".encode())
        for file in (self._lock, self.root / "pyproject.toml"):
            digest.update(file.read_bytes())
        return digest.hexdigest()

    @property
    def _venv(self) -> Path:
        return self.root / ".venv"

    @property
    def _stamp(self) -> Path:
        return self._venv / "mirrorstack-installed"

    @property
    def _lock(self) -> Path:
        return self.root / "requirements.lock"


def _running() -> str:
    return ".".join(str(number) for number in sys.version_info[:3])
