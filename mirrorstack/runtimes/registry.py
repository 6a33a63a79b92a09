"""The runtimes, by the name that `workers.<target>.runtime` has in a stack file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from mirrorstack.config.workers import RuntimeName
from mirrorstack.findings import UserError
from mirrorstack.runtimes.base import Runtime
from mirrorstack.runtimes.docker import DockerRuntime
from mirrorstack.runtimes.existing import ExistingRuntime
from mirrorstack.runtimes.kubernetes import KubernetesRuntime
from mirrorstack.runtimes.local import LocalRuntime
from mirrorstack.runtimes.strimzi import StrimziRuntime
from mirrorstack.text import did_you_mean

RUNTIMES: dict[str, type[Runtime]] = {
    RuntimeName.LOCAL_PROCESS: LocalRuntime,
    RuntimeName.EXISTING: ExistingRuntime,
    RuntimeName.DOCKER: DockerRuntime,
    RuntimeName.KUBERNETES: KubernetesRuntime,
    RuntimeName.STRIMZI: StrimziRuntime,
}


def create_runtime(name: str, stack: str, home: Path) -> Runtime:
    if name not in RUNTIMES:
        raise UserError(
            f"workers: unknown runtime {name!r} (runtimes: {', '.join(RUNTIMES)})",
            did_you_mean(name, RUNTIMES, f"use one of {', '.join(RUNTIMES)}"),
        )
    return RUNTIMES[name](stack, home)


def restart_workers(name: str, options: Mapping[str, str]) -> None:
    """Restart the workers of a runtime, unless its platform does so when a task has FAILED."""
    RUNTIMES[name].restart_workers(options)


def stop_workers(name: str, options: Mapping[str, str]) -> None:
    """Stop the workers of a runtime, wherever its placement's options say that they are."""
    RUNTIMES[name].stop_workers(options)
