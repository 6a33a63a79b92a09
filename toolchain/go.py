"""Go, needed only where Pulumi's official downloads are not available."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from mirrorstack.console import Step
from toolchain import versions
from toolchain.command import run
from toolchain.uv import create_environment
from toolchain.wheel import WheelPart


@dataclass(frozen=True)
class Go(WheelPart):
    uv: Path

    name = "Go"
    why = "it builds Pulumi where the official download is not available"
    fix = (
        "install Pulumi (https://www.pulumi.com/docs/install) or "
        f"Go {'.'.join(map(str, versions.GO_AT_LEAST))} or newer, then run the command again"
    )
    program = "go"
    version_argument, version_pattern = "version", r"go(\d+(?:\.\d+)+)"
    at_least = versions.GO_AT_LEAST
    locked_version = versions.GO_WHEEL
    binary = "venv/bin/go"

    def install_wheel(self, directory: Path) -> None:
        create_environment(self.uv, directory / "venv", self.lock)


def build(
    go: Path, module: Path, package: str, stamp: str, output: Path, step: Step, tags: str = ""
) -> None:
    """Build a pinned package; an interrupted build resumes from Go's module and build caches."""
    # -v prints each package as it is compiled, for the progress.
    flags = ["-mod=readonly", "-trimpath", "-buildvcs=false", "-ldflags", f"-s -w -X {stamp}", "-v"]
    flags += ["-tags", tags] if tags else []
    seen = 0

    def count(line: str) -> None:
        nonlocal seen
        if line.startswith("go: downloading "):
            step.progress(f"downloading {line.split()[2]}")
        else:
            seen += 1
            step.progress(f"{seen} Go packages compiled")

    run([go, "build", *flags, "-o", output, package], cwd=module, on_line=count)
