"""What replicates a topic in bench.throughput: a Connect worker, or a plain program."""

from __future__ import annotations

import itertools
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any, Protocol

from bench.plain_broker import PlainBroker
from mirrorstack.config.settings import StackSettings, parse
from mirrorstack.config.workers import WorkerSettings
from mirrorstack.connect import credentials
from mirrorstack.connect.client import ConnectClient, RetryPolicy
from mirrorstack.connect.protocol import (
    ConnectorState,
    ConnectResponseError,
    ConnectUnreachableError,
)
from mirrorstack.connect.responses import FAILED
from mirrorstack.kafka.java_client import ClientAccess
from mirrorstack.local.kafka_installation import KafkaInstallation
from mirrorstack.local.logs import error_lines
from mirrorstack.local.polling import poll_until
from mirrorstack.mm2.connector_configs import (
    BYTE_ARRAY_CONVERTER,
    ConnectorKind,
    connector_configs,
)
from mirrorstack.mm2.profiles import CONSUMER, PRODUCER, PROFILES, ProfileName
from mirrorstack.mm2.resolved_flow import ResolvedFlow
from mirrorstack.mm2.worker_configs import worker_config
from mirrorstack.mm2.worker_group import WorkerGroup
from mirrorstack.runtimes.local import LocalRuntime
from mirrorstack.runtimes.local_worker import LocalWorker
from mirrorstack.runtimes.worker_java import launch, worker_command

TASKS, PARTITIONS = 2, 4
STOCK_HEAP_MB = 2048
STOCK_OPTIONS = (
    *("-server", "-Xms256M", "-XX:+UseG1GC", "-XX:MaxGCPauseMillis=20"),
    *("-XX:InitiatingHeapOccupancyPercent=35", "-XX:+ExplicitGCInvokesConcurrent"),
)
"""With the heap, the defaults of Kafka's own script, connect-distributed.sh."""
READY_SECONDS, STOP_SECONDS = 90.0, 60.0
RAW_COPY = Path(__file__).with_name("RawCopy.java")
RAW_OPTIONS = ("-Xmx1g", "-Dorg.apache.logging.log4j.level=OFF")
_numbers = itertools.count(1)


@dataclass(frozen=True)
class Variant:
    """One way to replicate."""

    name: str
    flow: Mapping[str, Any] | None = None
    """Settings of a flow; None: MirrorMaker's defaults."""
    is_raw: bool = False

    @property
    def is_stock(self) -> bool:
        return self.flow is None and not self.is_raw

    def settings(self, source: str, topic: str, brokers: Brokers) -> StackSettings:
        clusters = {
            alias: {
                "bootstrap-servers": [broker.address],
                "security": {"protocol": "PLAINTEXT"},
                "brokers": 1,
            }
            for alias, broker in ((source, brokers.source), ("west", brokers.target))
        }
        flow = {
            **{"from": source, "to": "west", "topics": [topic], "tasks": TASKS},
            **{"heartbeats": False, "exactly-once": False, **(self.flow or {})},
        }
        return parse({"clusters": clusters, "flows": [flow]}, "bench")

    def heap_mb(self, brokers: Brokers) -> int:
        if self.is_stock:
            return STOCK_HEAP_MB
        return self.settings("east", "any", brokers).heap_mb("west")


@dataclass(frozen=True)
class Brokers:
    source: PlainBroker
    target: PlainBroker


class LostTaskError(RuntimeError):
    """A task failed, or the process ended."""


class Replicator(Protocol):
    """A running process that replicates one topic at a time."""

    @property
    def pid(self) -> int: ...
    def start(self, topic: str, alias: str) -> None:
        """Begin to replicate `topic` to `<alias>.<topic>`, which exists."""

    def stop(self) -> None:
        """Replicate no more."""

    def failures(self) -> list[str]:
        """Why it cannot go on: a task that failed, a process that ended."""


@contextmanager
def running(
    variant: Variant, brokers: Brokers, kafka: KafkaInstallation, home: Path
) -> Iterator[Replicator]:
    if variant.is_raw:
        with _raw_copy(brokers, kafka) as raw:
            yield raw
        return
    worker = _ConnectReplicator(variant, brokers, home)
    try:
        worker.launch(kafka)
        yield worker
    finally:
        worker.end()


class _ConnectReplicator:
    """A worker of the local runtime, as a stack deploys it, with one source connector."""

    def __init__(self, variant: Variant, brokers: Brokers, home: Path) -> None:
        self._variant, self._brokers = variant, brokers
        self._runtime = LocalRuntime(f"bench-{next(_numbers)}", home)
        self._worker = LocalWorker(self._runtime.directory("west") / "1")
        self._process: subprocess.Popen[bytes] | None = None
        self._url = self._connector = ""

    def launch(self, kafka: KafkaInstallation) -> None:
        (self._url,) = self._runtime.place_workers("west", WorkerSettings(), None).rest_urls
        flows = self._variant.settings("east", "any", self._brokers).flows
        config = worker_config(
            WorkerGroup.of("west", flows, self._runtime.stack),
            self._access("west"),
            1,
            self._runtime.worker_properties(self._url),
        )
        directory = self._worker.directory
        heap = self._variant.heap_mb(self._brokers)
        installation = replace(kafka, tuning=STOCK_OPTIONS) if self._variant.is_stock else kafka
        self._worker.write(config, {}, worker_command(directory, installation, heap))
        # Without a supervisor: a worker that ends is a result.
        self._process = launch(directory)
        poll_until(
            self._answers,
            deadline=time.monotonic() + READY_SECONDS,
            on_timeout=lambda: LostTaskError("; ".join(self.failures())),
        )

    def end(self) -> None:
        self._worker.remove()

    @property
    def pid(self) -> int:
        return self._started().pid

    def start(self, topic: str, alias: str) -> None:
        config = self._config(topic, alias)
        self._connector = config["name"]
        self._client(wait=True).create(self._connector, config, ConnectorState.RUNNING)

    def stop(self) -> None:
        client = self._client(wait=True)
        try:
            client.delete(self._connector)
            poll_until(
                lambda: client.status(self._connector) is None,
                deadline=time.monotonic() + STOP_SECONDS,
                on_timeout=lambda: LostTaskError(f"{self._connector} was not deleted"),
            )
        except ConnectUnreachableError as error:
            raise LostTaskError("; ".join(self.failures() or [str(error)])) from error

    def failures(self) -> list[str]:
        if self._started().poll() is not None:
            out = (self._worker.directory / "worker.out", self._worker.log)
            return ["the worker ended", *error_lines(out)]
        try:
            status = self._client().status(self._connector)
        except (ConnectResponseError, ConnectUnreachableError):
            return []  # rebalancing, or too busy to answer: asked again
        tasks = status.tasks if status else ()
        return [f"task {task.id}: {task.trace[:300]}" for task in tasks if task.state == FAILED]

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            raise RuntimeError("the worker was not launched")
        return self._process

    def _config(self, topic: str, alias: str) -> dict[str, str]:
        if not self._variant.is_stock:
            (flow,) = self._variant.settings(alias, topic, self._brokers).flows
            resolved = ResolvedFlow(flow, (topic,))
            configs = connector_configs(resolved, self._access(alias), self._access("west"), 1)
            return next(one.config for one in configs if one.kind is ConnectorKind.SOURCE)
        return {
            "name": f"{alias}-source",
            "connector.class": ConnectorKind.SOURCE.java_class,
            "source.cluster.alias": alias,
            "target.cluster.alias": "west",
            "source.cluster.bootstrap.servers": self._brokers.source.address,
            "target.cluster.bootstrap.servers": self._brokers.target.address,
            **{f"{part}.converter": BYTE_ARRAY_CONVERTER for part in ("key", "value", "header")},
            "topics": topic,
            "tasks.max": str(TASKS),
            "replication.factor": "1",
            "offset-syncs.topic.replication.factor": "1",
            # There is no authorizer.
            "sync.topic.acls.enabled": "false",
        }

    def _access(self, alias: str) -> ClientAccess:
        broker = self._brokers.target if alias == "west" else self._brokers.source
        return ClientAccess(alias, broker.address, "", "", protocol="PLAINTEXT")

    def _client(self, *, wait: bool = False) -> ConnectClient:
        login = credentials.load(self._worker.credentials_file)
        retries = RetryPolicy() if wait else RetryPolicy(seconds=0)
        return ConnectClient(self._url, login, timeout=10, retries=retries)

    def _answers(self) -> bool:
        try:
            self._client().config("any")
        except (ConnectResponseError, ConnectUnreachableError):
            return False
        return True


class _RawReplicator:
    """RawCopy.java with the sizes of the default profile, in as many threads as there are tasks."""

    def __init__(self, process: subprocess.Popen[str], lines: IO[str], answers: IO[str]) -> None:
        self._process, self._lines, self._answers = process, lines, answers

    @property
    def pid(self) -> int:
        return self._process.pid

    def start(self, topic: str, alias: str) -> None:
        self._lines.write(f"{topic} {alias}.{topic}\n")
        self._lines.flush()

    def stop(self) -> None:
        """It copies to the end of the topic."""
        if self._answers.readline().strip() != "done":
            raise LostTaskError("RawCopy ended")

    def failures(self) -> list[str]:
        return [] if self._process.poll() is None else ["RawCopy ended"]


@contextmanager
def _raw_copy(brokers: Brokers, kafka: KafkaInstallation) -> Iterator[_RawReplicator]:
    keys = PROFILES[ProfileName.DEFAULT].as_keys()
    settings = [
        f"{'producer' if key.startswith(PRODUCER) else 'consumer'}."
        f"{key.removeprefix(PRODUCER).removeprefix(CONSUMER)}={value}"
        for key, value in keys.items()
    ]
    ends = (brokers.source.address, brokers.target.address, str(PARTITIONS), str(TASKS))
    process = subprocess.Popen(
        kafka.command(RAW_COPY, *ends, *settings, options=RAW_OPTIONS),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    with process:
        try:
            if process.stdin and process.stdout:
                yield _RawReplicator(process, process.stdin, process.stdout)
        finally:
            process.kill()
