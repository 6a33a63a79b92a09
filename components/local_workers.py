"""The local-process runtime: Connect workers of this machine as resources."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pulumi
from pulumi.dynamic import (
    CreateResult,
    DiffResult,
    ReadResult,
    Resource,
    ResourceProvider,
    UpdateResult,
)

from mirrorstack.connect import credentials
from mirrorstack.connect.client import ConnectClient, Patience
from mirrorstack.connect.protocol import ConnectResponseError, ConnectUnreachableError
from mirrorstack.local.ports import is_free
from mirrorstack.runtimes.installed import installed_kafka
from mirrorstack.runtimes.local import LocalWorker

READY_SECONDS = 90.0
RUNNING, DEAD = "running", "dead"
# What a change of the provider's own code must not restart a worker for.
NOT_COMPARED = ("__provider",)


class LocalWorkerProvider(ResourceProvider):
    """Starts, restarts and ends a worker."""

    serialize_as_secret_always = False

    def create(self, props: dict[str, Any]) -> CreateResult:
        _bring_up(props)
        return CreateResult(id_=props["directory"], outs=props)

    def diff(self, _id: str, _olds: dict[str, Any], _news: dict[str, Any]) -> DiffResult:
        keys = (_olds.keys() | _news.keys()) - set(NOT_COMPARED)
        changed = sorted(key for key in keys if _olds.get(key) != _news.get(key))
        return DiffResult(
            # A worker that ended is brought back by a plain `up`: nothing works without it.
            changes=bool(changed) or not _is_alive(_id, _news),
            replaces=[key for key in changed if key == "directory"],
            # The new one would want the port of the old one.
            delete_before_replace=True,
        )

    def update(self, _id: str, _olds: dict[str, Any], _news: dict[str, Any]) -> UpdateResult:
        _bring_up(_news)
        return UpdateResult(outs=_news)

    def read(self, id_: str, props: dict[str, Any]) -> ReadResult:
        """A worker that ended is drift: its state differs from the declared one."""
        seen = {**props, "state": RUNNING if _is_alive(id_, props) else DEAD}
        return ReadResult(id_=id_, outs=seen, inputs=seen)

    def delete(self, _id: str, _props: dict[str, Any]) -> None:
        LocalWorker(Path(_id)).remove()


def _is_alive(directory: str, props: Mapping[str, Any]) -> bool:
    """One that lost its brokers shuts its REST interface long before its process ends."""
    address = urlsplit(props["rest_url"])
    listens = address.port is not None and not is_free(address.port)
    return listens and LocalWorker(Path(directory)).process() is not None


def _bring_up(props: Mapping[str, Any]) -> None:
    """From whatever an interrupted attempt left: stop, write, start, wait."""
    worker = LocalWorker(Path(props["directory"]))
    worker.stop()
    worker.write(props["config"], props["passwords"])
    runtime = installed_kafka()
    if not props["up_soon"]:
        runtime = runtime.for_throughput()
    started = worker.start(runtime, int(props["heap_mb"]))

    def answers() -> bool:
        who = credentials.load(worker.credentials_file)
        client = ConnectClient(props["rest_url"], who, timeout=10, patience=Patience(seconds=0))
        try:
            client.config("any")
        except (ConnectUnreachableError, ConnectResponseError):
            return False
        return True

    worker.wait_until_ready(started, answers, READY_SECONDS)


class LocalWorkerProcess(Resource, module="mirrorstack", name="LocalWorker"):
    """One worker process. It outlives `pulumi up`, and ends when the resource is deleted."""

    rest_url: pulumi.Output[str]

    def __init__(
        self,
        name: str,
        *,
        directory: Path,
        config: Mapping[str, str],
        passwords: Mapping[str, str],
        rest_url: str,
        heap_mb: int,
        up_soon: bool,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        props = {
            "directory": str(directory),
            "config": dict(config),
            # A secret before Pulumi first sees it, so the state holds only ciphertext.
            "passwords": pulumi.Output.secret(dict(passwords)),
            "rest_url": rest_url,
            "heap_mb": heap_mb,
            "up_soon": up_soon,
            "state": RUNNING,
        }
        super().__init__(LocalWorkerProvider(), name, props, opts)
