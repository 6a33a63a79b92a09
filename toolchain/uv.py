"""uv, which installs the locked Python packages by linking them from its cache."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from toolchain import versions
from toolchain.command import run
from toolchain.wheel import WheelPart


@dataclass(frozen=True)
class Uv(WheelPart):
    name = "uv"
    why = "it installs the locked Python packages"
    fix = (
        "install Python's venv module (Debian: apt install python3-venv) or uv itself "
        "(https://docs.astral.sh/uv), then run the command again"
    )
    program = "uv"
    version_argument, version_pattern = "--version", r"^uv (\S+)"
    at_least = versions.numbers(versions.UV)
    locked_version = versions.UV
    binary = "uv"

    def install_wheel(self, directory: Path) -> None:
        scratch = directory / "venv"
        run([sys.executable, "-m", "venv", scratch])
        pip = (scratch / "bin" / "python", "-m", "pip", "install", "--quiet")
        run([*pip, "--require-hashes", "--only-binary=:all:", "-r", self.lock])
        shutil.copy2(scratch / "bin" / "uv", directory / "uv")
        shutil.rmtree(scratch)


def create_environment(uv: Path, directory: Path, lock: Path) -> None:
    """A virtual environment with the packages of a lock."""
    # Entries of the cache are renamed when they are complete, and scripts name their interpreter.
    run([uv, "venv", "--quiet", "--relocatable", directory])
    env = {**settings(), "VIRTUAL_ENV": str(directory)}
    run([uv, "pip", "sync", "--quiet", "--require-hashes", lock], env=env)


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
