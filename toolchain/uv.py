"""uv, which installs the locked Python packages by linking them from its cache."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from mirrorstack.console import Step
from toolchain import versions
from toolchain.cache import Cache, clear
from toolchain.command import output_of, run
from toolchain.part import InstalledPart, InstallMethod, Part

LOCK = Path(__file__).parent / "locks" / "uv.txt"


@dataclass(frozen=True)
class Uv(Part):
    cache: Cache

    name = "uv"
    why = "it installs the locked Python packages"
    fix = (
        "install Python's venv module (Debian: apt install python3-venv) or uv itself "
        "(https://docs.astral.sh/uv), then run the command again"
    )

    def find(self) -> InstalledPart | None:
        if on_path := shutil.which("uv"):
            version = output_of([on_path, "--version"]).split()[1:2]
            if version and versions.numbers(version[0]) >= versions.numbers(versions.UV):
                return InstalledPart(Path(on_path), version[0], "found on PATH")
        if self._binary.exists():
            return InstalledPart(self._binary, versions.UV, "installed from its wheel")
        return None

    def methods(self) -> list[InstallMethod]:
        return [InstallMethod("install its wheel", self._install)]

    def _install(self, step: Step) -> None:
        with self.cache.fill(self._entry) as directory:
            if directory is None:
                return
            clear(directory)
            scratch = directory / "venv"
            run([sys.executable, "-m", "venv", scratch])
            pip = (scratch / "bin" / "python", "-m", "pip", "install", "--quiet")
            run([*pip, "--require-hashes", "--only-binary=:all:", "-r", LOCK])
            shutil.copy2(scratch / "bin" / "uv", directory / "uv")
            shutil.rmtree(scratch)

    @property
    def _entry(self) -> Path:
        return self.cache.entry("uv", versions.UV, LOCK)

    @property
    def _binary(self) -> Path:
        return self._entry / "uv"


def settings(environ: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Environment variables for uv: the package index that pip is configured to use."""
    if "UV_DEFAULT_INDEX" in environ:
        return {}
    # The Python of an activated `.venv` has no pip; the Python that it was created from may have.
    pythons = dict.fromkeys([sys.executable, str(Path(sys.executable).resolve())])
    index = environ.get("PIP_INDEX_URL") or next(filter(None, map(_index_of_pip, pythons)), "")
    return {"UV_DEFAULT_INDEX": index} if index else {}


def _index_of_pip(python: str) -> str:
    ended = subprocess.run(
        [python, "-m", "pip", "config", "get", "global.index-url"],
        capture_output=True,
        text=True,
        check=False,
    )
    return ended.stdout.strip()
