"""The Python language host: Pulumi's own where it is beside the CLI, else ours."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from mirrorstack.console import Step
from toolchain import versions
from toolchain.cache import Cache, empty
from toolchain.command import run
from toolchain.part import Found, Part, Way
from toolchain.uv import settings

LOCK = Path(__file__).parent / "locks" / "language-host.txt"
SOURCE = Path(__file__).parent / "language_host"
EXECUTABLE = "pulumi-language-python"


@dataclass(frozen=True)
class LanguageHost(Part):
    """Our host, in a virtual environment of its own, as it must not depend on the program's."""

    cache: Cache
    uv: Path

    name = "Python language host"
    why = "Pulumi runs Python programs and policy packs through it"
    fix = "install Pulumi with its language hosts: https://www.pulumi.com/docs/install"

    def have(self) -> Found | None:
        launcher = self.entry / EXECUTABLE
        if not launcher.exists():
            return None
        return Found(launcher, versions.PULUMI, "written in Python, from this repository")

    def ways(self) -> list[Way]:
        return [Way("installing ours", self._install)]

    @property
    def entry(self) -> Path:
        return self.cache.entry("language-host", versions.PULUMI, SOURCE, LOCK)

    def _install(self, step: Step) -> None:
        with self.cache.filling(self.entry) as directory:
            if directory is None:
                return
            empty(directory)
            run([self.uv, "venv", "--quiet", directory / "venv"])
            env = {**settings(), "VIRTUAL_ENV": str(directory / "venv")}
            run([self.uv, "pip", "sync", "--quiet", "--require-hashes", LOCK], env=env)
            ours = shutil.ignore_patterns("__pycache__")
            shutil.copytree(SOURCE, directory / SOURCE.name, ignore=ours)
            launcher = directory / EXECUTABLE
            launcher.write_text(self._launcher())
            launcher.chmod(0o755)

    def _launcher(self) -> str:
        """`-I` keeps the user's PYTHONPATH and directory out of the host.

        The script that runs programs lies beside the CLI, as does the link to this launcher.
        """
        return (
            "#!/bin/sh\n"
            f'exec "{self.entry}/venv/bin/python" -I "{self.entry}/{SOURCE.name}" '
            '--use-executor "$(dirname "$0")/pulumi-language-python-exec" "$@"\n'
        )
