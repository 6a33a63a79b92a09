"""The ports of a sandbox: which it needs, and whether they are free."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from mirrorstack.findings import UserError
from mirrorstack.local.ports import becomes_free, pick_free, port_holder
from mirrorstack.sandbox.names import Cluster, command
from mirrorstack.sandbox.processes import as_node_process

LOWEST, HIGHEST = 1024, 65535
CONTROLLER_OFFSET = 1000
# Below the ports that Linux uses for outgoing connections (32768 and up): a port that is free
# when it is picked should still be free tomorrow.
PICK_FROM, PICK_TO, PICK_STEP = 20000, 31000, 10


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
    """Check that a user may open every port, and that none is needed twice."""
    seen: dict[int, PortUse] = {}
    for use in uses:
        fix = (
            f"choose another --{use.cluster}-port; controllers use the port "
            f"{CONTROLLER_OFFSET} above, and 0 picks free ports"
        )
        if not LOWEST <= use.port <= HIGHEST:
            raise UserError(f"{use} is outside {LOWEST}-{HIGHEST}", fix)
        if use.port in seen:
            raise UserError(
                f"{seen[use.port]} is also the port of {use.cluster} {use.purpose}", fix
            )
        seen[use.port] = use


def check_free(uses: Iterable[PortUse], name: str) -> None:
    """Check that no other process listens on the ports; the error names port and process."""
    for use in uses:
        if becomes_free(use.port):
            continue
        holder = port_holder(use.port)
        node = as_node_process(holder) if holder else None
        if node:
            # Two sandboxes with the same east port most likely share the west port, too.
            retry = command("up", name, *(f"--{cluster}-port 0" for cluster in Cluster))
            their_home = node.directory.parents[3]
            raise UserError(
                f"{use} is used by the broker {node.directory.name} of the sandbox "
                f"{node.sandbox!r} in {their_home} (pid {node.pid})",
                f"in a shell with `source ./activate`, stop it: `MIRRORSTACK_HOME={their_home} "
                f"{command('down', node.sandbox)}`, or use any free ports: `{retry}`",
            )
        retry = command("up", name, f"--{use.cluster}-port 0")
        user = f"{holder.name()} (pid {holder.pid})" if holder else "another process"
        raise UserError(
            f"{use} is used by {user}",
            "stop that process, or, in a shell with `source ./activate`, use any free ports: "
            f"`{retry}`",
        )


def pick_base_port(cluster: Cluster, brokers: int, avoid: frozenset[int]) -> int:
    """The first port of a cluster: its ports are free now and not in `avoid`."""
    base = pick_free(
        range(PICK_FROM, PICK_TO, PICK_STEP),
        lambda first: [use.port for use in port_uses(cluster, first, brokers)],
        avoid=avoid,
    )
    if base is None:
        raise UserError(
            f"no {brokers} consecutive free ports for {cluster} between {PICK_FROM} and {PICK_TO}",
            f"choose a port with --{cluster}-port",
        )
    return base
