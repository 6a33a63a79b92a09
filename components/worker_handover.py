"""The change of a stack's workers from one runtime to another.

Both groups of workers have the same Connect group. The old ones have to leave it before the new
ones run connectors, because a task that is assigned to an old worker would look for its secrets
where only new workers have them. Pulumi deletes what is no longer declared at the end, so the old
workers are stopped here, first.
"""

from __future__ import annotations

from typing import Any

import pulumi
from pulumi.dynamic import CreateResult, DiffResult, Resource, UpdateResult

from components.provider_errors import ErrorReportingProvider
from mirrorstack.planning.deployment import WorkerDeployment
from mirrorstack.runtimes.registry import stop_workers


class WorkerHandoverProvider(ErrorReportingProvider):
    """Records where the workers run; a change of the runtime stops those of the old one."""

    serialize_as_secret_always = False

    def create(self, props: dict[str, Any]) -> CreateResult:
        return CreateResult(f"{props['target']}-workers", props)

    def diff(self, _id: str, olds: dict[str, Any], news: dict[str, Any]) -> DiffResult:
        keys = ("runtime", "options")
        return DiffResult(changes=any(olds.get(key) != news.get(key) for key in keys))

    def update(self, _id: str, olds: dict[str, Any], news: dict[str, Any]) -> UpdateResult:
        if olds["runtime"] != news["runtime"]:
            stop_workers(olds["runtime"], olds["options"])
        return UpdateResult(news)


class WorkerHandover(Resource, module="mirrorstack", name="WorkerHandover"):
    """Before the workers of a target."""

    def __init__(self, name: str, workers: WorkerDeployment, opts: pulumi.ResourceOptions) -> None:
        props = {
            "target": workers.group.target,
            "runtime": workers.runtime,
            "options": dict(workers.placement.options),
        }
        super().__init__(WorkerHandoverProvider(), name, props, opts)
