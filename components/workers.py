"""The Connect workers next to a target cluster, on any runtime."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pulumi

from components.local_workers import local_workers
from mirrorstack.planning.deployment import WorkerDeployment

WorkerFactory = Callable[[str, WorkerDeployment, pulumi.ResourceOptions], list[pulumi.Resource]]
"""Declares the workers' resources: name, what to declare, options with the parent."""

WORKER_FACTORIES: dict[str, WorkerFactory] = {
    "local-process": local_workers,
}
"""By the name of the runtime, as in `mirrorstack.runtimes.registry`."""


@dataclass(frozen=True, kw_only=True)
class ConnectWorkersArgs:
    workers: WorkerDeployment


class ConnectWorkers(pulumi.ComponentResource):
    """A group of workers. The runtime decides where they run and nothing else.

    As long as it is in the stack's state, the Connect group belongs to the stack.
    """

    rest_url: pulumi.Output[str]
    """Of Connect's REST API."""
    credentials_file: pulumi.Output[str | None]
    """With user name and password for it; only its owner can read it."""

    def __init__(
        self, name: str, args: ConnectWorkersArgs, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        workers, placement = args.workers, args.workers.placement
        # Policies read the workers here, on whatever runtime they run. Configs hold no secret.
        declared = {
            "workers": [
                {"config": dict(config), "rest_url": url}
                for url, config in zip(placement.rest_urls, workers.configs, strict=True)
            ]
        }
        super().__init__("mirrorstack:index:ConnectWorkers", name, declared, opts)
        create = WORKER_FACTORIES[workers.runtime]
        self.resources = create(name, workers, pulumi.ResourceOptions(parent=self))
        file = placement.credentials_file
        self.rest_url = pulumi.Output.from_input(placement.rest_url)
        self.credentials_file = pulumi.Output.from_input(str(file) if file else None)
        self.register_outputs(
            {
                **declared,
                # `mirrorstack.planning.previous_state` reads these.
                "target": workers.group.target,
                "group": workers.group.group,
                "rest_url": self.rest_url,
                "credentials_file": self.credentials_file,
            }
        )
