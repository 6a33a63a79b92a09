"""The state of a sandbox's nodes."""

from __future__ import annotations

import time
from enum import StrEnum
from pathlib import Path

from pydantic import BaseModel, ConfigDict, computed_field

from mirrorstack.local.ports import accepts_connections
from mirrorstack.sandbox import passwords as password_file
from mirrorstack.sandbox import settings as settings_file
from mirrorstack.sandbox.connection import connection_of
from mirrorstack.sandbox.layout import Layout
from mirrorstack.sandbox.names import Cluster, Principal
from mirrorstack.sandbox.nodes import Node, bootstrap_servers, nodes_of
from mirrorstack.sandbox.processes import NodeProcess, broker_processes
from mirrorstack.sandbox.readiness import admin_client, brokers_up

ANSWER_SECONDS = 3.0


class NodeState(StrEnum):
    RUNNING = "running"
    """Its cluster lists it as alive; a process alone is not enough."""
    STARTING = "starting"
    """Its process runs, but the cluster does not list it yet."""
    CRASHED = "crashed"
    """It should run, but has no process."""
    STOPPED = "stopped"
    """It has no process and should not run."""


class NodeStatus(BaseModel):
    model_config = ConfigDict(frozen=True)

    cluster: Cluster
    node: str
    state: NodeState
    pid: int | None
    address: str
    uptime_seconds: int | None
    log: Path
    errors: tuple[str, ...] = ()
    """The last log lines that report errors; only of a crashed node."""


class SandboxStatus(BaseModel):
    model_config = ConfigDict(frozen=True)

    name: str
    directory: Path
    bootstrap_servers: dict[Cluster, str] = {}
    nodes: tuple[NodeStatus, ...] = ()

    @computed_field  # type: ignore[prop-decorator] # pydantic's way to add it to the JSON
    @property
    def running(self) -> bool:
        """Whether there are nodes and all of them run."""
        return bool(self.nodes) and all(node.state is NodeState.RUNNING for node in self.nodes)

    @property
    def crashed(self) -> tuple[NodeStatus, ...]:
        return tuple(node for node in self.nodes if node.state is NodeState.CRASHED)


def read_status(layout: Layout) -> SandboxStatus:
    """Read the process table, and query the clusters that have processes."""
    settings = settings_file.load(layout)
    if settings is None:
        return SandboxStatus(name=layout.name, directory=layout.directory)
    nodes = nodes_of(layout, settings)
    processes = broker_processes(layout.directory)
    alive: set[str] = set()
    passwords = password_file.load(layout)
    for cluster in Cluster:
        of_cluster = [node for node in nodes if node.cluster is cluster]
        listening = any(
            node.directory in processes and accepts_connections(node.client_port)
            for node in of_cluster
        )
        if listening and passwords:
            connection = connection_of(layout, settings, passwords, cluster, Principal.ADMIN)
            ids = brokers_up(admin_client(connection), timeout=ANSWER_SECONDS)
            alive.update(node.name for node in of_cluster if node.id in ids)
    wanted = layout.wanted_up.exists()
    return SandboxStatus(
        name=layout.name,
        directory=layout.directory,
        bootstrap_servers={cluster: bootstrap_servers(settings, cluster) for cluster in Cluster},
        nodes=tuple(
            _status(node, processes.get(node.directory), is_up=node.name in alive, wanted=wanted)
            for node in nodes
        ),
    )


def _status(node: Node, process: NodeProcess | None, *, is_up: bool, wanted: bool) -> NodeStatus:
    if process:
        state = NodeState.RUNNING if is_up else NodeState.STARTING
    else:
        # A node that was never formatted has not crashed: its `up` was interrupted.
        state = NodeState.CRASHED if wanted and node.formatted.exists() else NodeState.STOPPED
    return NodeStatus(
        cluster=node.cluster,
        node=node.name,
        state=state,
        pid=process.pid if process else None,
        address=node.address,
        uptime_seconds=int(time.time() - process.started_at) if process else None,
        log=node.log,
        errors=node.errors() if state is NodeState.CRASHED else (),
    )
