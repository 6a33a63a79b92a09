"""The nodes of a sandbox: each is a broker and a controller in one process."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from mirrorstack.local.logs import error_lines
from mirrorstack.local.ports import ADDRESS
from mirrorstack.sandbox.certificates import keystore
from mirrorstack.sandbox.layout import Layout
from mirrorstack.sandbox.names import Cluster
from mirrorstack.sandbox.ports import CONTROLLER_OFFSET
from mirrorstack.sandbox.settings import Settings


@dataclass(frozen=True)
class Node:
    """One Kafka process: its id, ports and files."""

    cluster: Cluster
    id: int
    client_port: int
    controller_port: int
    directory: Path
    keystore: Path
    log: Path

    @property
    def name(self) -> str:
        return f"{self.cluster}-{self.id}"

    @property
    def address(self) -> str:
        return f"{ADDRESS}:{self.client_port}"

    @property
    def controller_address(self) -> str:
        return f"{ADDRESS}:{self.controller_port}"

    @property
    def properties(self) -> Path:
        return self.directory / "server.properties"

    @property
    def data(self) -> Path:
        return self.directory / "data"

    @property
    def formatted(self) -> Path:
        """Created after the data directory was formatted. Without it, `data` holds no records."""
        return self.directory / "formatted"

    @property
    def output(self) -> Path:
        """Output of the JVM itself, before and besides Kafka's log."""
        return self.log.with_suffix(".out")

    def errors(self) -> tuple[str, ...]:
        """The last log lines that report errors; empty if the node was stopped from outside."""
        return error_lines([self.log, self.output])


def nodes_of(layout: Layout, settings: Settings) -> list[Node]:
    return [
        Node(
            cluster=cluster,
            id=id_,
            client_port=settings.cluster(cluster).port + id_ - 1,
            controller_port=settings.cluster(cluster).port + CONTROLLER_OFFSET + id_ - 1,
            directory=layout.cluster(cluster) / f"{cluster}-{id_}",
            keystore=keystore(layout, f"{cluster}-{id_}"),
            log=layout.logs / f"{cluster}-{id_}.log",
        )
        for cluster in Cluster
        for id_ in range(1, settings.brokers + 1)
    ]


def bootstrap_servers(settings: Settings, cluster: Cluster) -> str:
    first = settings.cluster(cluster).port
    return ",".join(f"{ADDRESS}:{first + index}" for index in range(settings.brokers))
