"""The Connect workers next to a target cluster, on any runtime."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pulumi

from components.local_workers import local_workers
from components.worker_handover import WorkerHandover
from mirrorstack.config.workers import RuntimeName
from mirrorstack.mm2.dedicated.config import worker_configs
from mirrorstack.planning.deployment import (
    ClusterDeployment,
    FlowDeployment,
    WorkerDeployment,
)
from mirrorstack.planning.previous_state import GROUP_SEPARATOR

WorkerFactory = Callable[[str, WorkerDeployment, pulumi.ResourceOptions], list[pulumi.Resource]]
"""Declares the workers' resources: name, what to declare, options with the parent."""


def no_workers(
    _name: str, _workers: WorkerDeployment, _opts: pulumi.ResourceOptions
) -> list[pulumi.Resource]:
    """Somebody else runs them."""
    return []


def _docker_workers(
    name: str, workers: WorkerDeployment, opts: pulumi.ResourceOptions
) -> list[pulumi.Resource]:
    # Imported here: most stacks do not need Pulumi's package for Docker, and it is large.
    from components.platforms.docker_workers import docker_workers

    return docker_workers(name, workers, opts)


def _kubernetes_workers(
    name: str, workers: WorkerDeployment, opts: pulumi.ResourceOptions
) -> list[pulumi.Resource]:
    from components.platforms.kubernetes_workers import kubernetes_workers

    return kubernetes_workers(name, workers, opts)


def _strimzi_workers(
    name: str, workers: WorkerDeployment, opts: pulumi.ResourceOptions
) -> list[pulumi.Resource]:
    from components.platforms.strimzi_workers import strimzi_workers

    return strimzi_workers(name, workers, opts)


WORKER_FACTORIES: dict[str, WorkerFactory] = {
    RuntimeName.LOCAL_PROCESS: local_workers,
    RuntimeName.EXISTING: no_workers,
    RuntimeName.DOCKER: _docker_workers,
    RuntimeName.KUBERNETES: _kubernetes_workers,
    RuntimeName.STRIMZI: _strimzi_workers,
}
"""By the name of the runtime, as in `mirrorstack.runtimes.registry`."""


@dataclass(frozen=True, kw_only=True)
class ConnectWorkersArgs:
    workers: WorkerDeployment
    flows: Sequence[FlowDeployment] = ()
    """Those to their target, whose offsets move where other workers know connectors by other
    names."""
    target: ClusterDeployment | None = None


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
                {
                    "config": config,
                    "rest_url": url,
                    **({"isolated": True} if placement.is_isolated else {}),
                }
                for url, each in zip(urls, workers.configs, strict=True)
                for config in worker_configs(each)
            ]
        }
        super().__init__("mirrorstack:index:ConnectWorkers", name, declared, opts)
        child = pulumi.ResourceOptions(parent=self)
        handover = WorkerHandover(f"{name}-handover", args.workers, args.flows, args.target, child)
        after = pulumi.ResourceOptions(parent=self, depends_on=[handover])
        self.resources = WORKER_FACTORIES[workers.runtime](name, workers, after)
        self.rest_url = pulumi.Output.from_input(placement.rest_url)
        self.register_outputs(
            {
                **declared,
                # `mirrorstack.planning.previous_state` reads these.
                "target": workers.group.target,
                "group": GROUP_SEPARATOR.join(workers.group.groups),
                "naming": workers.group.naming.value,
                "rest_url": self.rest_url,
                "runtime": workers.runtime,
                **placement.login.as_props(),
            }
        )
