"""The Connect workers next to a target cluster."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pulumi

from components.local_workers import LocalWorkerProcess
from mirrorstack.config.settings import WorkerSettings
from mirrorstack.kafka.java_client import ClientAccess
from mirrorstack.mm2.worker_configs import WorkerGroup, worker_config
from mirrorstack.runtimes.local import credentials_file


@dataclass(frozen=True, kw_only=True)
class ConnectWorkersArgs:
    group: WorkerGroup
    settings: WorkerSettings
    target: ClientAccess
    replication_factor: int
    rest_port: int
    directory: Path
    """Where the group keeps its config, secrets and logs."""
    passwords: Mapping[str, str]
    """Of the mirroring principals, by the alias of the cluster that connectors reach."""
    up_soon: bool
    """Rather than fast for as long as it lasts."""


class ConnectWorkers(pulumi.ComponentResource):
    """A group of workers. The runtime decides where they run and nothing else."""

    rest_url: pulumi.Output[str]
    """Connect's REST interface."""
    credentials_file: pulumi.Output[str]
    """Who may use it: a file that only its owner can read."""

    def __init__(
        self, name: str, args: ConnectWorkersArgs, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        super().__init__("mirrorstack:index:ConnectWorkers", name, None, opts)
        urls = [
            f"http://127.0.0.1:{args.rest_port + number}" for number in range(args.settings.count)
        ]
        self.resources = [
            LocalWorkerProcess(
                f"{name}-{number}",
                directory=args.directory / str(number),
                config=worker_config(args.group, args.target, url, args.replication_factor),
                passwords=args.passwords,
                rest_url=url,
                heap_mb=args.settings.heap_mb,
                up_soon=args.up_soon,
                opts=pulumi.ResourceOptions(parent=self),
            )
            for number, url in enumerate(urls, start=1)
        ]
        self.rest_url = pulumi.Output.from_input(urls[0])
        self.credentials_file = pulumi.Output.from_input(str(credentials_file(args.directory)))
        self.register_outputs(
            {"rest_url": self.rest_url, "credentials_file": self.credentials_file}
        )
