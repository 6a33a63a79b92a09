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
from mirrorstack.local.home import home
from mirrorstack.local.java_properties import render
from mirrorstack.local.kafka_installation import KafkaInstallation
from mirrorstack.local.logs import log_config
from mirrorstack.local.ports import is_free
from mirrorstack.local.processes import stop_processes
from mirrorstack.sandbox import certificates, launcher, passwords, ports, settings
from mirrorstack.sandbox.connection import connection, connection_of
from mirrorstack.sandbox.layout import Layout, exclusive, existing_layouts
from mirrorstack.sandbox.names import CLIENT_PRINCIPALS, DEFAULT_NAME, Cluster, Principal, command
from mirrorstack.sandbox.nodes import Node, nodes_of
from mirrorstack.sandbox.passwords import Passwords
from mirrorstack.sandbox.processes import NodeProcess, broker_processes, node_processes
from mirrorstack.sandbox.readiness import admin_client, ensure_app_acls, wait_for_brokers
from mirrorstack.sandbox.server_properties import server_properties
from mirrorstack.sandbox.settings import NO_OPTIONS, SandboxOptions, Settings
from mirrorstack.sandbox.status import SandboxStatus, read_status

UP_SECONDS = 60.0
UP_SECONDS_PER_FURTHER_BROKER = 30.0
FORMATTED_NODES = "*/*/formatted"


@dataclass(frozen=True)
class UpOutcome:
    """The nodes that `up` started (none if all were running), and the status after it."""

    started: tuple[str, ...]
    status: SandboxStatus


class Sandbox:
    """One named pair of clusters. Progress is written to the console."""

    def __init__(
        self,
        name: str = DEFAULT_NAME,
        *,
        home_directory: Path | None = None,
        console: Console | None = None,
    ) -> None:
        self.layout = Layout(home_directory.resolve() if home_directory else home(), name)
        self._console = console or Console()
        self._children: list[subprocess.Popen[bytes]] = []

    def up(self, kafka: KafkaInstallation, options: SandboxOptions = NO_OPTIONS) -> UpOutcome:
        """Start the nodes that do not run, whatever state an interrupted `up` has left."""
        with exclusive(self.layout, self._console):
            return self._up(kafka, options)

    def status(self) -> SandboxStatus:
        return read_status(self.layout)

    def down(self, *, delete: bool = False) -> int:
        """Stop every process of this sandbox; returns how many there were. Keeps the data."""
        with exclusive(self.layout, self._console):
            stopped = self._stop()
            if delete and self.layout.directory.exists():
                with self._console.step(f"deleting {self.layout.directory}"):
                    shutil.rmtree(self.layout.directory)
            return stopped

    def reset(self, kafka: KafkaInstallation, options: SandboxOptions = NO_OPTIONS) -> UpOutcome:
        """Restart with empty clusters. Keeps CA, passwords and ports."""
        with exclusive(self.layout, self._console):
            stored = settings.load(self.layout)
            if stored is None:
                raise UserError(
                    f"there is no sandbox {self.layout.name!r} to reset",
                    f"create it: `{command('up', self.layout.name)}`",
                )
            # Checked before anything is deleted: an invalid option must not cost the data.
            resolved = self._resolve_settings(stored, options, has_data=False, is_running=False)
            self._stop()
            ports.check_free(resolved.port_uses(), self.layout.name)
            with self._console.step(
                f"deleting data and logs of east and west in {self.layout.directory}"
            ):
                self._delete_data()
            settings.save(self.layout, settings.with_new_cluster_ids(resolved))
            return self._up(kafka, NO_OPTIONS)

    def connection(self, cluster: Cluster, principal: Principal) -> Connection:
        return connection(self.layout.name, cluster, principal, home_directory=self.layout.home)

    def _up(self, kafka: KafkaInstallation, options: SandboxOptions) -> UpOutcome:
        layout = self.layout
        running = broker_processes(layout.directory)
        stored = settings.load(layout)
        has_data = any(layout.directory.glob(FORMATTED_NODES))
        resolved = self._resolve_settings(
            stored, options, has_data=has_data, is_running=bool(running)
        )
        nodes = nodes_of(layout, resolved)
        missing = [node for node in nodes if node.directory not in running]
        if missing:
            self._stop_formatting()
            ports.check_free(_ports(resolved, missing), layout.name)
            private_directory(layout.directory)
            remove_leftovers(layout.directory)
            settings.save(layout, resolved)
        secrets = passwords.ensure(layout, has_data=has_data)
        if missing:
            certificates.ensure(layout, [node.name for node in nodes])
            self._write_configuration(resolved, secrets, nodes)
            self._format(kafka, resolved, secrets, nodes)
        layout.wanted_up.touch(mode=0o600)
        started: dict[Path, NodeProcess] = {}
        try:
            for node in missing:
                started[node.directory] = self._start(kafka, node)
            self._wait(resolved, secrets, nodes, running | started)
        except BaseException:
            # A failed `up` stops the processes that it started.
            stop_processes(started.values(), grace=5)
            if not running:
                layout.wanted_up.unlink(missing_ok=True)
            raise
        return UpOutcome(tuple(node.name for node in missing), read_status(layout))

    def _resolve_settings(
        self, stored: Settings | None, options: SandboxOptions, *, has_data: bool, is_running: bool
    ) -> Settings:
        stored_ports = {use.port for use in stored.port_uses()} if stored else set()
        held = bool(broker_processes(self.layout.directory))
        return settings.resolve(
            self.layout,
            stored,
            options,
            has_data=has_data,
            is_running=is_running,
            usable=lambda port: (held and port in stored_ports) or is_free(port),
        )

    def _write_configuration(
        self, resolved: Settings, secrets: Passwords, nodes: list[Node]
    ) -> None:
        layout = self.layout
        write_private(layout.logging, log_config())
        for node in nodes:
            private_directory(node.directory)
            peers = [other for other in nodes if other.cluster is node.cluster]
            password = secrets.of(node.cluster, Principal.BROKER)
            properties = server_properties(
                node, peers, layout.ca, password, authorizer=resolved.authorizer
            )
            write_private(node.properties, render(properties))
        for cluster in Cluster:
            for principal in CLIENT_PRINCIPALS:
                client = connection_of(layout, resolved, secrets, cluster, principal)
                path = layout.client_properties(cluster, principal)
                write_private(path, render(client.java_properties()))

    def _format(
        self, kafka: KafkaInstallation, resolved: Settings, secrets: Passwords, nodes: list[Node]
    ) -> None:
        new = [node for node in nodes if not node.formatted.exists()]
        if not new:
            return

        def format_node(node: Node) -> None:
            cluster_id = resolved.cluster(node.cluster).cluster_id
            launcher.format_data(kafka, node, cluster_id, secrets)

        with (
            self._console.step(f"formatting {_names(new)}"),
            ThreadPoolExecutor(max_workers=len(new)) as pool,
        ):
            list(pool.map(format_node, new))

    def _start(self, kafka: KafkaInstallation, node: Node) -> NodeProcess:
        child = launcher.start_broker(kafka, node, self.layout.logging)
        self._children.append(child)  # without a reference, Python warns that the child still runs
        return NodeProcess(psutil.Process(child.pid), node.directory)

    def _wait(
        self,
        resolved: Settings,
        secrets: Passwords,
        nodes: list[Node],
        by_directory: dict[Path, NodeProcess],
    ) -> None:
        seconds = UP_SECONDS + UP_SECONDS_PER_FURTHER_BROKER * (resolved.brokers - 1)
        deadline = time.monotonic() + seconds

        with self._console.step(f"waiting for {_names(nodes)}") as step:

            def check(answering: int) -> None:
                step.progress(f"{answering} of {resolved.brokers} brokers of {cluster} answer")
                for node in nodes:
                    if not by_directory[node.directory].is_alive:
                        raise launcher.ended_early(node)

            for cluster in Cluster:
                as_admin = connection_of(self.layout, resolved, secrets, cluster, Principal.ADMIN)
                admin = admin_client(as_admin)
                try:
                    wait_for_brokers(admin, resolved.brokers, deadline, check)
                    if resolved.authorizer:
                        ensure_app_acls(admin, deadline)
                except TimeoutError:
                    raise self._timeout(cluster, nodes, seconds) from None

    def _timeout(self, cluster: Cluster, nodes: list[Node], seconds: float) -> UserError:
        of_cluster = [node for node in nodes if node.cluster is cluster]
        lines = [line for node in of_cluster for line in node.errors()]
        return UserError(
            f"the cluster {cluster} was not ready within {seconds:.0f} s"
            + "".join(f"\n    {line}" for line in lines),
            f"see {of_cluster[0].log}; on a busy machine, run "
            f"`{command('up', self.layout.name)}` again",
        )

    def _stop_formatting(self) -> None:
        """A storage tool of a killed `up` may still write to a directory that `up` deletes."""
        stop_processes(node for node in node_processes(self.layout.directory) if node.is_formatting)

    def _stop(self) -> int:
        self.layout.wanted_up.unlink(missing_ok=True)
        found = node_processes(self.layout.directory)
        if not found:
            return 0
        with self._console.step(f"stopping {', '.join(sorted(n.directory.name for n in found))}"):
            stopped = stop_processes(found)
        self._children.clear()
        return stopped

    def _delete_data(self) -> None:
        self.layout.seed.unlink(missing_ok=True)
        # These files first: after an interruption the nodes then count as not formatted.
        for formatted in self.layout.directory.glob(FORMATTED_NODES):
            formatted.unlink()
        for cluster in Cluster:
            shutil.rmtree(self.layout.cluster(cluster), ignore_errors=True)
        shutil.rmtree(self.layout.logs, ignore_errors=True)


def all_names(home_directory: Path) -> list[str]:
    """Every sandbox of a home: those with a directory, and those with running processes only."""
    directory = home_directory / "sandbox"
    running = {node.sandbox for node in node_processes(directory)}
    return sorted(running | {layout.name for layout in existing_layouts(home_directory)})


def _ports(resolved: Settings, missing: list[Node]) -> list[ports.PortUse]:
    needed = {port for node in missing for port in (node.client_port, node.controller_port)}
    return [use for use in resolved.port_uses() if use.port in needed]


def _names(nodes: list[Node]) -> str:
    """`east-1 and west-1`, or how many there are."""
    return " and ".join(n.name for n in nodes) if len(nodes) <= 2 else f"{len(nodes)} brokers"
