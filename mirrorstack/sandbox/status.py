"""What state the sandbox's nodes are in, seen from outside."""

from __future__ import annotations

import time
from enum import StrEnum
from pathlib import Path

from pydantic import BaseModel, ConfigDict, computed_field

from mirrorstack.sandbox import passwords as password_file
from mirrorstack.sandbox import settings as settings_file
from mirrorstack.sandbox.connection import connect
from mirrorstack.sandbox.layout import Layout
from mirrorstack.sandbox.logs import last_errors
from mirrorstack.sandbox.names import Cluster, Principal
from mirrorstack.sandbox.nodes import Node, bootstrap_servers, nodes_of
from mirrorstack.sandbox.ports import accepts
from mirrorstack.sandbox.processes import NodeProcess, below
from mirrorstack.sandbox.readiness import admin_client, brokers_up

ANSWER_SECONDS = 3.0


class State(StrEnum):
    """What a node is doing."""

    RUNNING = "running"
    """Its cluster counts it as alive. Not merely: there is a process."""
    STARTING = "starting"
    """There is a process, but it does not answer yet."""
    CRASHED = "crashed"
    """It was to be up, yet there is no process."""
    STOPPED = "stopped"
    """There is no process, and there is to be none."""


class NodeStatus(BaseModel):
    model_config = ConfigDict(frozen=True)

    cluster: Cluster
    node: str
    state: State
    pid: int | None
    address: str
    uptime_seconds: int | None
    log: Path
    errors: tuple[str, ...] = ()
    """The last lines worth reading; only of a crashed node."""


class SandboxStatus(BaseModel):
    model_config = ConfigDict(frozen=True)

    name: str
    directory: Path
    bootstrap_servers: dict[Cluster, str] = {}
    nodes: tuple[NodeStatus, ...] = ()

    @computed_field  # type: ignore[prop-decorator] # pydantic's own way to put it into the JSON
    @property
    def running(self) -> bool:
        """Whether there are nodes and all of them run."""
        return bool(self.nodes) and all(node.state is State.RUNNING for node in self.nodes)

    @property
    def crashed(self) -> tuple[NodeStatus, ...]:
        return tuple(node for node in self.nodes if node.state is State.CRASHED)


def observe(layout: Layout) -> SandboxStatus:
    """Look at the process table, and ask the clusters that have processes."""
    settings = settings_file.load(layout)
    if settings is None:
        return SandboxStatus(name=layout.name, directory=layout.directory)
    nodes = nodes_of(layout, settings)
    processes = brokers_below(layout.directory)
    alive: set[str] = set()
    passwords = password_file.load(layout)
    for cluster in Cluster:
        of_cluster = [node for node in nodes if node.cluster is cluster]
        answers = any(n.directory in processes and accepts(n.client_port) for n in of_cluster)
        if answers and passwords:
            admin = admin_client(connect(layout, settings, passwords, cluster, Principal.ADMIN))
            ids = brokers_up(admin, timeout=ANSWER_SECONDS)
            alive.update(node.name for node in of_cluster if node.id in ids)
    wanted = layout.wanted_up.exists()
    return SandboxStatus(
        name=layout.name,
        directory=layout.directory,
        bootstrap_servers={cluster: bootstrap_servers(settings, cluster) for cluster in Cluster},
        nodes=tuple(
            _status(node, processes.get(node.directory), answers=node.name in alive, wanted=wanted)
            for node in nodes
        ),
    )


def brokers_below(directory: Path) -> dict[Path, NodeProcess]:
    """The running brokers by their node's directory."""
    return {found.directory: found for found in below(directory) if not found.formatting}


def _status(node: Node, process: NodeProcess | None, *, answers: bool, wanted: bool) -> NodeStatus:
    if process:
        state = State.RUNNING if answers else State.STARTING
    else:
        # A node that was never prepared cannot have crashed: its `up` was interrupted.
        state = State.CRASHED if wanted and node.formatted.exists() else State.STOPPED
    return NodeStatus(
        cluster=node.cluster,
        node=node.name,
        state=state,
        pid=process.pid if process else None,
        address=node.address,
        uptime_seconds=int(time.time() - process.started_at) if process else None,
        log=node.log,
        errors=last_errors(node) if state is State.CRASHED else (),
    )
