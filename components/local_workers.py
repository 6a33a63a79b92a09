"""The local-process runtime: Connect workers of this machine as resources."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pulumi
from pulumi.dynamic import CreateResult, DiffResult, ReadResult, Resource, UpdateResult

from components.cluster_props import PasswordProvider
from mirrorstack.findings import UserError
from mirrorstack.local.ports import becomes_free, is_free
from mirrorstack.mm2.dedicated.config import is_dedicated, target_of
from mirrorstack.planning.connections import PasswordReference
from mirrorstack.planning.deployment import WorkerDeployment
from mirrorstack.planning.policy_jars import PolicyJar
from mirrorstack.runtimes.installed import installed_kafka
from mirrorstack.runtimes.local_worker import READY_SECONDS, LocalWorker
from mirrorstack.runtimes.worker_java import jar_copies, worker_command

RUNNING, DEAD, UNSUPERVISED = "running", "dead", "unsupervised"
# A change of the provider's own code must not restart a worker, nor a jar's move.
NOT_COMPARED = ("__provider", "jar_paths")


class LocalWorkerProvider(PasswordProvider):
    """Starts, restarts and stops a worker."""

    def create(self, props: dict[str, Any]) -> CreateResult:
        self._start(props)
        return CreateResult(id_=props["directory"], outs=props)

    def diff(self, id_: str, olds: dict[str, Any], news: dict[str, Any]) -> DiffResult:
        changed = _changed(olds, news)
        return DiffResult(
            # A plain `up` restarts a worker that ended: nothing works without it.
            changes=bool(changed) or _live_state(id_, news) != RUNNING,
            replaces=[key for key in changed if key == "directory"],
            # Both would need the same port.
            delete_before_replace=True,
        )

    def update(self, id_: str, olds: dict[str, Any], news: dict[str, Any]) -> UpdateResult:
        worker = LocalWorker(Path(id_))
        # After a refresh the old state is what was seen.
        same = set(_changed(olds, news)) <= {"state"} and worker.has_command
        if same and _live_state(id_, news) == UNSUPERVISED:
            # Its new supervisor adopts the running worker.
            worker.wait_until_ready(worker.start(), READY_SECONDS)
        else:
            self._start(news)
        return UpdateResult(outs=news)

    def read(self, id_: str, props: dict[str, Any]) -> ReadResult:
        """A worker that ended is drift: its state differs from the declared one."""
        seen = {**props, "state": _live_state(id_, props)}
        return ReadResult(id_=id_, outs=seen, inputs=seen)

    def delete(self, id_: str, _props: dict[str, Any]) -> None:
        LocalWorker(Path(id_)).remove()

    def _start(self, props: Mapping[str, Any]) -> None:
        """From whatever an interrupted attempt left: stop, write, start, wait."""
        worker = LocalWorker(Path(props["directory"]))
        worker.stop()
        _check_port_is_free(props["rest_url"])
        references = props["password_references"]
        passwords = {alias: self.password(references[alias]) for alias in references}
        jars = _jars(props)
        runtime = installed_kafka()
        if not props["quick_start"]:
            runtime = runtime.for_throughput()
        config = props["config"]
        command = worker_command(
            worker.directory,
            runtime,
            int(props["heap_mb"]),
            jar_copies(worker.directory, jars),
            dedicated_at=target_of(config) if is_dedicated(config) else "",
        )
        worker.write(config, passwords, command, jars)
        worker.wait_until_ready(worker.start(), READY_SECONDS)


def _changed(olds: Mapping[str, Any], news: Mapping[str, Any]) -> list[str]:
    keys = (olds.keys() | news.keys()) - set(NOT_COMPARED)
    return sorted(key for key in keys if olds.get(key) != news.get(key))


def _jars(props: Mapping[str, Any]) -> list[Path]:
    """Those that the preview has checked."""
    for path, digest in zip(props.get("jar_paths", ()), props.get("jars", ()), strict=True):
        if PolicyJar.read(Path(path)).sha256 != digest:
            raise UserError(
                f"{path} has changed since the preview checked its replication policy.",
                "run `pulumi up` again",
            )
    return [Path(path) for path in props.get("jar_paths", ())]


def _check_port_is_free(rest_url: str) -> None:
    """Another process, or another stack's worker, may have taken the port since it was chosen."""
    port = urlsplit(rest_url).port or 0
    if not becomes_free(port):
        raise UserError(
            f"Port {port} for the REST API of the Connect worker is taken by another process.",
            "end that process; or set `rest-port` under `mirrorstack:workers.<target>`",
        )


def _live_state(directory: str, props: Mapping[str, Any]) -> str:
    """A worker that lost its brokers closes its REST API long before its process ends."""
    address, worker = urlsplit(props["rest_url"]), LocalWorker(Path(directory))
    listens = address.port is not None and not is_free(address.port)
    if not listens or worker.process() is None:
        return DEAD
    return RUNNING if worker.supervisor() else UNSUPERVISED


@dataclass(frozen=True, kw_only=True)
class LocalWorkerArgs:
    directory: Path
    """For the worker's config and logs."""
    config: Mapping[str, str]
    rest_url: str
    heap_mb: int
    passwords: Mapping[str, PasswordReference]
    """Of the mirroring principals, by the alias of the cluster."""
    password_fingerprint: str
    """Changes when a password changes, so that the worker gets the new one."""
    quick_start: bool = False
    jars: Sequence[PolicyJar] = ()
    """For the class path."""


class LocalWorkerProcess(Resource, module="mirrorstack", name="LocalWorker"):
    """One worker process and its supervisor. They outlive `pulumi up`, and end when the resource is
    deleted."""

    rest_url: pulumi.Output[str]

    def __init__(
        self, name: str, args: LocalWorkerArgs, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        props = {
            "directory": str(args.directory),
            "config": dict(args.config),
            "password_references": {
                alias: reference.as_dict() for alias, reference in args.passwords.items()
            },
            "password_fingerprint": pulumi.Output.secret(args.password_fingerprint),
            "rest_url": args.rest_url,
            "heap_mb": args.heap_mb,
            "quick_start": args.quick_start,
            "state": RUNNING,
        }
        if args.jars:
            props["jars"] = [jar.sha256 for jar in args.jars]
            props["jar_paths"] = [str(jar.path) for jar in args.jars]
        super().__init__(LocalWorkerProvider(), name, props, opts)


def local_workers(
    name: str, workers: WorkerDeployment, opts: pulumi.ResourceOptions
) -> list[pulumi.Resource]:
    """The workers of one target. `components.workers` looks this function up by the runtime."""
    directory = Path(workers.placement.options["directory"])
    worker_of = zip(workers.placement.rest_urls, workers.configs, strict=True)
    return [
        LocalWorkerProcess(
            f"{name}-{number}",
            LocalWorkerArgs(
                directory=directory / str(number),
                config=config,
                rest_url=rest_url,
                heap_mb=workers.heap_mb,
                passwords=workers.passwords,
                password_fingerprint=workers.password_fingerprint,
                quick_start=workers.quick_start,
                jars=workers.jars,
            ),
            opts,
        )
        for number, (rest_url, config) in enumerate(worker_of, start=1)
    ]
