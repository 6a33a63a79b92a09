"""The Connect workers next to a target cluster, on any runtime."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pulumi

from components.local_workers import local_workers
from mirrorstack.config.workers import RuntimeName
from mirrorstack.planning.deployment import WorkerDeployment

WorkerFactory = Callable[[str, WorkerDeployment, pulumi.ResourceOptions], list[pulumi.Resource]]
"""Declares the workers' resources: name, what to declare, options with the parent."""


def no_workers(
    _name: str, _workers: WorkerDeployment, _opts: pulumi.ResourceOptions
) -> list[pulumi.Resource]:
    """Somebody else runs them."""
    return []


WORKER_FACTORIES: dict[str, WorkerFactory] = {
    RuntimeName.LOCAL_PROCESS: local_workers,
    RuntimeName.EXISTING: no_workers,
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

    def __init__(
        self, name: str, args: ConnectWorkersArgs, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        workers, placement = args.workers, args.workers.placement
        # Policies read the workers here, on whatever runtime they run. Configs hold no secret.
        urls = placement.rest_urls if workers.configs else ()
        declared = {
            "workers": [
                {"config": dict(config), "rest_url": url}
                for url, config in zip(urls, workers.configs, strict=True)
            ]
        }
        super().__init__("mirrorstack:index:ConnectWorkers", name, declared, opts)
        create = WORKER_FACTORIES[workers.runtime]
        self.resources = create(name, workers, pulumi.ResourceOptions(parent=self))
        self.rest_url = pulumi.Output.from_input(placement.rest_url)
        self.register_outputs(
            {
                **declared,
                # `mirrorstack.planning.previous_state` reads these.
                "target": workers.group.target,
                "group": workers.group.group,
                "rest_url": self.rest_url,
                **placement.login.as_props(),
            }
        )
