"""The Python language host of this repository, for a Pulumi that comes without one."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from mirrorstack.console import Step
from toolchain import versions
from toolchain.cache import Cache, clear
from toolchain.part import InstalledPart, InstallMethod, Part
from toolchain.uv import create_environment

LOCK = Path(__file__).parents[1] / "locks" / "language-host.txt"
SOURCE = Path(__file__).parent / "language_host"
EXECUTABLE = "pulumi-language-python"


@dataclass(frozen=True)
class LanguageHost(Part):
    """Installed in its own virtual environment, independent of the program's."""

    cache: Cache
    uv: Path

    name = "Python language host"
    why = "Pulumi runs Python programs and policy packs with it"
    fix = "install Pulumi with its language hosts: https://www.pulumi.com/docs/install"

    def find(self) -> InstalledPart | None:
        launcher = self.entry / EXECUTABLE
        if not launcher.exists():
            return None
        return InstalledPart(launcher, versions.PULUMI, "from this repository")

    def methods(self) -> list[InstallMethod]:
        return [InstallMethod("install from this repository", self._install)]

    @property
    def entry(self) -> Path:
        return self.cache.entry("language-host", versions.PULUMI, SOURCE, LOCK)

    def _install(self, step: Step) -> None:
        with self.cache.fill(self.entry) as directory:
            if directory is None:
                return
            clear(directory)
            create_environment(self.uv, directory / "venv", LOCK)
            ignore = shutil.ignore_patterns("__pycache__")
            shutil.copytree(SOURCE, directory / SOURCE.name, ignore=ignore)
            launcher = directory / EXECUTABLE
            launcher.write_text(self._launcher())
            launcher.chmod(0o755)

    def _launcher(self) -> str:
        """`-I` keeps the user's PYTHONPATH and directory out of the host.

        The script that runs programs is in the CLI's directory, like the link to this launcher.
        """
        return (
            "#!/bin/sh\n"
            f'exec "{self.entry}/venv/bin/python" -I "{self.entry}/{SOURCE.name}" '
            '--use-executor "$(dirname "$0")/pulumi-language-python-exec" "$@"\n'
        )
