"""The virtual environment of a clone: the locked packages, and this project as editable."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from mirrorstack.console import Step
from toolchain.command import run
from toolchain.part import InstalledPart, InstallMethod, Part, Unavailable
from toolchain.uv import settings

VENV_VARIABLE = "MIRRORSTACK_VENV"


@dataclass(frozen=True)
class Environment(Part):
    root: Path
    uv: Path

    name = "Python packages"
    why = "the program, its tests and the command line need them"
    fix = (
        "check that the Python package index is reachable (pip download click), then run the "
        "command again: it resumes"
    )

    def find(self) -> InstalledPart | None:
        if not (self.python.exists() and self._stamp.exists()):
            return None
        if self._stamp.read_text() != self._contents():
            return None
        return InstalledPart(
            self._venv, f"Python {_running()}", f"locked, with hashes, in {self._venv.name}"
        )

    def methods(self) -> list[InstallMethod]:
        return [InstallMethod("install the locked packages", self._install)]

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
        try:  # The lock pins everything: packages in uv's cache need no index.
            uv(*sync, "--offline")
        except Unavailable:
            uv(*sync)
        # hatchling is a locked package, so building the project itself downloads nothing.
        uv("pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--editable", ".")
        self._stamp.write_text(self._contents())

    def _contents(self) -> str:
        """A digest of everything the environment depends on: it is recreated when this changes.

        The path, too: in a moved or copied clone the environment would run the original's code.
        """
        digest = hashlib.sha256(f"{_running()} {self.root}".encode())
        for file in (self._lock, self.root / "pyproject.toml"):
            digest.update(file.read_bytes())
        return digest.hexdigest()

    @property
    def _venv(self) -> Path:
        return venv_directory(self.root)

    @property
    def _stamp(self) -> Path:
        return self._venv / "mirrorstack-installed"

    @property
    def _lock(self) -> Path:
        return self.root / "requirements.lock"


def venv_directory(root: Path, environ: Mapping[str, str] = os.environ) -> Path:
    """`.venv`, or the directory that `make test-fast PYTHON=...` uses for another Python."""
    return root / (environ.get(VENV_VARIABLE) or ".venv")


def _running() -> str:
    return ".".join(str(number) for number in sys.version_info[:3])
