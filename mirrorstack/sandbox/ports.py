"""Which ports a cluster takes, whether they are free, and who holds them if not."""

from __future__ import annotations

import random
import socket
import time
from collections.abc import Iterable
from dataclasses import dataclass

import psutil

from mirrorstack.findings import UserError
from mirrorstack.sandbox.names import Cluster, command
from mirrorstack.sandbox.processes import as_node

ADDRESS = "127.0.0.1"
LOWEST, HIGHEST = 1024, 65535
CONTROLLER_OFFSET = 1000
LETTING_GO_SECONDS, POLL_SECONDS = 3.0, 0.05
# Below the ports that Linux hands to outgoing connections (32768 and up): a port that was free
# when it was chosen shall still be free tomorrow.
PICK_FROM, PICK_TO = 20000, 31000


@dataclass(frozen=True)
class PortUse:
    """One port and what the sandbox needs it for."""

    cluster: Cluster
    purpose: str
    port: int

    def __str__(self) -> str:
        return f"port {self.port} ({self.cluster} {self.purpose})"


def port_uses(cluster: Cluster, base: int, brokers: int) -> list[PortUse]:
    """Brokers from `base` upwards; each one's controller 1000 above it."""
    firsts = {"broker": base, "controller": base + CONTROLLER_OFFSET}
    return [
        PortUse(cluster, f"{role} {index + 1}", first + index)
        for role, first in firsts.items()
        for index in range(brokers)
    ]


def check_plan(uses: Iterable[PortUse]) -> None:
    """Every port is one that a user may open, and none is needed twice."""
    seen: dict[int, PortUse] = {}
    for use in uses:
        if not LOWEST <= use.port <= HIGHEST:
            raise UserError(
                f"{use} is outside {LOWEST}-{HIGHEST}",
                f"choose another --{use.cluster}-port; controllers take the port "
                f"{CONTROLLER_OFFSET} above, and 0 picks free ports",
            )
        if use.port in seen:
            raise UserError(
                f"{seen[use.port]} is also wanted for the {use.cluster} {use.purpose}",
                f"choose another --{use.cluster}-port; controllers take the port "
                f"{CONTROLLER_OFFSET} above, and 0 picks free ports",
            )
        seen[use.port] = use


def check_free(uses: Iterable[PortUse], name: str) -> None:
    """Raise one Problem that names the first port somebody else listens on, and who it is."""
    for use in uses:
        if is_free(use.port) or _is_let_go(use.port):
            continue
        owner = _holder(use.port)
        node = as_node(owner) if owner else None
        if node:
            # Two sandboxes with the same east port most likely share the west port too.
            other = command("up", name, *(f"--{cluster}-port 0" for cluster in Cluster))
            theirs = node.directory.parents[3]
            raise UserError(
                f"{use} is taken by the broker {node.directory.name} of the sandbox "
                f"{node.sandbox!r} in {theirs} (pid {node.pid})",
                f"in a shell with `source ./activate`, stop it: `MIRRORSTACK_HOME={theirs} "
                f"{command('down', node.sandbox)}`, or take any free ports: `{other}`",
            )
        other = command("up", name, f"--{use.cluster}-port 0")
        by = f"{owner.name()} (pid {owner.pid})" if owner else "another process"
        raise UserError(
            f"{use} is taken by {by}",
            "end that process, or, in a shell with `source ./activate`, take any free ports: "
            f"`{other}`",
        )


def is_free(port: int) -> bool:
    """Whether Kafka could listen on it now; connections that are closing do not count."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((ADDRESS, port))
            probe.listen(1)
        except OSError:
            return False
    return True


def _is_let_go(port: int) -> bool:
    """A process that was killed is gone a moment before its ports are free: nobody holds them."""
    deadline = time.monotonic() + LETTING_GO_SECONDS
    while _holder(port) is None and time.monotonic() < deadline:
        if is_free(port):
            return True
        time.sleep(POLL_SECONDS)
    return False


def accepts(port: int, timeout: float = 0.5) -> bool:
    """Whether somebody listens there."""
    try:
        with socket.create_connection((ADDRESS, port), timeout=timeout):
            return True
    except OSError:
        return False


def pick(cluster: Cluster, brokers: int, avoid: frozenset[int]) -> int:
    """A base whose ports are all free now, and not remembered by another sandbox."""
    candidates = list(range(PICK_FROM, PICK_TO, 10))
    random.shuffle(candidates)
    for base in candidates:
        ports = [use.port for use in port_uses(cluster, base, brokers)]
        if avoid.isdisjoint(ports) and all(is_free(port) for port in ports):
            return base
    raise UserError(
        f"no {brokers} free ports in a row for {cluster} between {PICK_FROM} and {PICK_TO}",
        f"choose one yourself with --{cluster}-port",
    )


def _holder(port: int) -> psutil.Process | None:
    """The process that listens on the port, where the system lets us see it."""
    try:
        connections = psutil.net_connections(kind="tcp")
    except psutil.AccessDenied:  # macOS shows other people's connections to root only
        return None
    for connection in connections:
        if connection.status != psutil.CONN_LISTEN or not connection.laddr:
            continue
        if connection.laddr.port == port and connection.pid is not None:
            try:
                return psutil.Process(connection.pid)
            except psutil.NoSuchProcess:
                return None
    return None
