"""Two real Kafka clusters on this machine: up, down, reset."""

from __future__ import annotations

import shutil
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import psutil

from mirrorstack.console import Console
from mirrorstack.findings import UserError
from mirrorstack.kafka.connection import Connection
from mirrorstack.local.files import private_directory, remove_leftovers, write_private
from mirrorstack.local.java_properties import render
from mirrorstack.local.lock import exclusive
from mirrorstack.sandbox import certificates, launcher, passwords, ports, processes, settings
from mirrorstack.sandbox.connection import connect, connection
from mirrorstack.sandbox.layout import Layout, existing, home
from mirrorstack.sandbox.logs import LOGGING, last_errors
from mirrorstack.sandbox.names import CLIENT_PRINCIPALS, DEFAULT_NAME, Cluster, Principal, command
from mirrorstack.sandbox.nodes import Node, nodes_of
from mirrorstack.sandbox.passwords import Passwords
from mirrorstack.sandbox.processes import NodeProcess
from mirrorstack.sandbox.readiness import admin_client, ensure_app_grants, wait_for_brokers
from mirrorstack.sandbox.runtime import KafkaRuntime
from mirrorstack.sandbox.server_properties import server_properties
from mirrorstack.sandbox.settings import NO_OPTIONS, SandboxOptions, Settings
from mirrorstack.sandbox.status import SandboxStatus, brokers_below, observe

UP_SECONDS = 60.0
UP_SECONDS_PER_FURTHER_BROKER = 30.0
FORMATTED_NODES = "*/*/formatted"


@dataclass(frozen=True)
class UpOutcome:
    """What `up` did: the nodes it started (none when all ran already) and how they are now."""

    started: tuple[str, ...]
    status: SandboxStatus


class Sandbox:
    """One named pair of clusters. Prints nothing: progress goes to the console it is given."""

    def __init__(
        self,
        name: str = DEFAULT_NAME,
        *,
        below: Path | None = None,
        console: Console | None = None,
    ) -> None:
        self.layout = Layout(below.resolve() if below else home(), name)
        self._console = console or Console()
        self._children: list[subprocess.Popen[bytes]] = []

    def up(self, runtime: KafkaRuntime, wishes: SandboxOptions = NO_OPTIONS) -> UpOutcome:
        """Bring up whatever is not up, from whatever an earlier, perhaps killed, `up` left."""
        with exclusive(self.layout, self._console):
            return self._up(runtime, wishes)

    def status(self) -> SandboxStatus:
        return observe(self.layout)

    def down(self, *, delete: bool = False) -> int:
        """End every process of this sandbox; returns how many there were. The data stays."""
        with exclusive(self.layout, self._console):
            ended = self._stop()
            if delete and self.layout.directory.exists():
                with self._console.step(f"deleting {self.layout.directory}"):
                    shutil.rmtree(self.layout.directory)
            return ended

    def reset(self, runtime: KafkaRuntime, wishes: SandboxOptions = NO_OPTIONS) -> UpOutcome:
        """Start again with empty clusters. CA, passwords and ports stay."""
        with exclusive(self.layout, self._console):
            stored = settings.load(self.layout)
            if stored is None:
                raise UserError(
                    f"there is no sandbox {self.layout.name!r} to reset",
                    f"`{command('up', self.layout.name)}` makes one",
                )
            # Judged before anything is deleted: a bad option must not cost the data.
            wanted = self._settle(stored, wishes, has_data=False, runs=False)
            self._stop()
            ports.check_free(wanted.port_uses(), self.layout.name)
            with self._console.step(
                f"deleting data and logs of east and west in {self.layout.directory}"
            ):
                self._delete_data()
            settings.save(self.layout, settings.with_new_clusters(wanted))
            return self._up(runtime, NO_OPTIONS)

    def connection(self, cluster: Cluster, principal: Principal) -> Connection:
        return connection(self.layout.name, cluster, principal, below=self.layout.home)

    def _up(self, runtime: KafkaRuntime, wishes: SandboxOptions) -> UpOutcome:
        layout = self.layout
        running = brokers_below(layout.directory)
        stored = settings.load(layout)
        has_data = any(layout.directory.glob(FORMATTED_NODES))
        chosen = self._settle(stored, wishes, has_data=has_data, runs=bool(running))
        nodes = nodes_of(layout, chosen)
        missing = [node for node in nodes if node.directory not in running]
        if missing:
            self._end_formatting()
            ports.check_free(_ports(chosen, missing), layout.name)
            private_directory(layout.directory)
            remove_leftovers(layout.directory)
            settings.save(layout, chosen)
        secrets = passwords.ensure(layout, has_data=has_data)
        if missing:
            certificates.ensure(layout, [node.name for node in nodes])
            self._write_configuration(chosen, secrets, nodes)
            self._prepare(runtime, chosen, secrets, nodes)
        layout.wanted_up.touch(mode=0o600)
        started: dict[Path, NodeProcess] = {}
        try:
            for node in missing:
                started[node.directory] = self._start(runtime, node)
            self._wait(chosen, secrets, nodes, running | started)
        except BaseException:
            # Nothing half-made: what this call started does not outlive its failure.
            processes.end(started.values(), grace=5)
            if not running:
                layout.wanted_up.unlink(missing_ok=True)
            raise
        return UpOutcome(tuple(node.name for node in missing), observe(layout))

    def _settle(
        self, stored: Settings | None, wishes: SandboxOptions, *, has_data: bool, runs: bool
    ) -> Settings:
        ours = {use.port for use in stored.port_uses()} if stored else set()
        held = bool(brokers_below(self.layout.directory))
        return settings.settle(
            self.layout,
            stored,
            wishes,
            has_data=has_data,
            runs=runs,
            usable=lambda port: (held and port in ours) or ports.is_free(port),
        )

    def _write_configuration(self, chosen: Settings, secrets: Passwords, nodes: list[Node]) -> None:
        layout = self.layout
        write_private(layout.logging, LOGGING)
        for node in nodes:
            private_directory(node.directory)
            peers = [other for other in nodes if other.cluster is node.cluster]
            password = secrets.of(node.cluster, Principal.BROKER)
            properties = server_properties(node, peers, layout.ca, password)
            write_private(node.properties, render(properties))
        for cluster in Cluster:
            for principal in CLIENT_PRINCIPALS:
                client = connect(layout, chosen, secrets, cluster, principal)
                path = layout.client_properties(cluster, principal)
                write_private(path, render(client.java_properties()))

    def _prepare(
        self, runtime: KafkaRuntime, chosen: Settings, secrets: Passwords, nodes: list[Node]
    ) -> None:
        new = [node for node in nodes if not node.formatted.exists()]
        if not new:
            return

        def prepare(node: Node) -> None:
            cluster_id = chosen.cluster(node.cluster).cluster_id
            launcher.prepare(runtime, node, cluster_id, secrets)

        with (
            self._console.step(f"preparing {_names(new)}"),
            ThreadPoolExecutor(max_workers=len(new)) as pool,
        ):
            list(pool.map(prepare, new))

    def _start(self, runtime: KafkaRuntime, node: Node) -> NodeProcess:
        child = launcher.start(runtime, node, self.layout.logging)
        self._children.append(child)  # kept, or Python would warn that it still runs
        return NodeProcess(psutil.Process(child.pid), node.directory, formatting=False)

    def _wait(
        self,
        chosen: Settings,
        secrets: Passwords,
        nodes: list[Node],
        by_directory: dict[Path, NodeProcess],
    ) -> None:
        seconds = UP_SECONDS + UP_SECONDS_PER_FURTHER_BROKER * (chosen.brokers - 1)
        deadline = time.monotonic() + seconds

        with self._console.step(f"waiting for {_names(nodes)}") as step:

            def look(answering: int) -> None:
                step.progress(f"{answering} of {chosen.brokers} in {cluster} answer")
                for node in nodes:
                    if not by_directory[node.directory].lives:
                        raise launcher.ended_early(node)

            for cluster in Cluster:
                as_admin = connect(self.layout, chosen, secrets, cluster, Principal.ADMIN)
                admin = admin_client(as_admin)
                up = wait_for_brokers(admin, chosen.brokers, deadline, look)
                if not (up and ensure_app_grants(admin, deadline)):
                    raise self._too_slow(cluster, nodes, seconds)

    def _too_slow(self, cluster: Cluster, nodes: list[Node], seconds: float) -> UserError:
        of_cluster = [node for node in nodes if node.cluster is cluster]
        lines = [line for node in of_cluster for line in last_errors(node)]
        return UserError(
            f"the cluster {cluster} was not ready within {seconds:.0f} s"
            + "".join(f"\n    {line}" for line in lines),
            f"see {of_cluster[0].log}; on a busy machine `{command('up', self.layout.name)}` again",
        )

    def _end_formatting(self) -> None:
        """A formatting tool without its `up` may still write into a directory we throw away."""
        processes.end(node for node in processes.below(self.layout.directory) if node.formatting)

    def _stop(self) -> int:
        self.layout.wanted_up.unlink(missing_ok=True)
        found = processes.below(self.layout.directory)
        if not found:
            return 0
        with self._console.step(f"stopping {', '.join(sorted(n.directory.name for n in found))}"):
            ended = processes.end(found)
        self._children.clear()
        return ended

    def _delete_data(self) -> None:
        self.layout.seed.unlink(missing_ok=True)
        # All marks go first: what an interruption then leaves counts as unprepared nodes.
        for mark in self.layout.directory.glob(FORMATTED_NODES):
            mark.unlink()
        for cluster in Cluster:
            shutil.rmtree(self.layout.cluster(cluster), ignore_errors=True)
        shutil.rmtree(self.layout.logs, ignore_errors=True)


def all_names(below: Path) -> list[str]:
    """Every sandbox of a home: those with a directory, and those that only still run."""
    directory = below / "sandbox"
    running = {node.sandbox for node in processes.below(directory)}
    return sorted(running | {layout.name for layout in existing(below)})


def _ports(chosen: Settings, missing: list[Node]) -> list[ports.PortUse]:
    wanted = {port for node in missing for port in (node.client_port, node.controller_port)}
    return [use for use in chosen.port_uses() if use.port in wanted]


def _names(nodes: list[Node]) -> str:
    """`east-1 and west-1`, or how many when there are more."""
    return " and ".join(n.name for n in nodes) if len(nodes) <= 2 else f"{len(nodes)} brokers"
