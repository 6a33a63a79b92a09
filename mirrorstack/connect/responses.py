"""Connect's responses as frozen values, reduced to what is needed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from mirrorstack.connect.config import REFERENCE
from mirrorstack.kafka.partitions import TopicPartition

RUNNING, FAILED = "RUNNING", "FAILED"
ASSIGNED = "task.assigned.partitions"


@dataclass(frozen=True)
class TaskStatus:
    id: int
    state: str
    trace: str = ""


@dataclass(frozen=True)
class ConnectorStatus:
    """The states are Connect's: RUNNING, PAUSED, STOPPED, FAILED, UNASSIGNED, RESTARTING."""

    state: str
    trace: str
    tasks: tuple[TaskStatus, ...]
    worker: str = ""
    """The worker that runs the connector itself, `host:port`."""

    @property
    def has_failed(self) -> bool:
        return self.state == FAILED or any(task.state == FAILED for task in self.tasks)

    @property
    def is_running(self) -> bool:
        """Whether the connector and all of its tasks are RUNNING."""
        return self.state == RUNNING and all(task.state == RUNNING for task in self.tasks)

    @property
    def failed_parts(self) -> tuple[str, ...]:
        """What has FAILED: `connector`, `task 0`."""
        own = ("connector",) if self.state == FAILED else ()
        return (*own, *(f"task {task.id}" for task in self.tasks if task.state == FAILED))

    @property
    def failure_trace(self) -> str:
        """The stack trace of the first that has FAILED."""
        if self.state == FAILED:
            return self.trace
        return next((task.trace for task in self.tasks if task.state == FAILED), "")


@dataclass(frozen=True)
class LiveConnector:
    """A connector as it is, with its state as Connect names it."""

    config: Mapping[str, str]
    state: str


@dataclass(frozen=True)
class TaskConfig:
    """A task's config. Config provider references are unresolved in it."""

    values: Mapping[str, str]

    @property
    def assigned(self) -> frozenset[TopicPartition]:
        """The source partitions of a MirrorSource task; `a-b-3` is partition 3 of `a-b`."""
        given = self.values.get(ASSIGNED, "")
        pairs = (text.rpartition("-") for text in given.split(",") if text)
        return frozenset(TopicPartition(topic, int(number)) for topic, _, number in pairs)


@dataclass(frozen=True)
class InvalidKey:
    """A key that the worker's validation rejects."""

    key: str
    value: str | None
    message: str


@dataclass(frozen=True)
class Validation:
    """The worker's validation of a config, and the keys that it knows: it ignores all others."""

    invalid: tuple[InvalidKey, ...]
    declared: frozenset[str]


def config(response: Mapping[str, Any]) -> dict[str, str]:
    return {str(key): str(value) for key, value in response.items() if value is not None}


@dataclass(frozen=True)
class WorkerInfo:
    version: str
    """Of Kafka."""
    kafka_cluster_id: str


def worker(response: Mapping[str, Any]) -> WorkerInfo:
    return WorkerInfo(str(response.get("version", "")), str(response.get("kafka_cluster_id", "")))


def plugins(response: Iterable[Mapping[str, Any]]) -> frozenset[str]:
    return frozenset(str(plugin.get("class")) for plugin in response)


def connectors(response: Mapping[str, Any]) -> dict[str, LiveConnector]:
    return {
        name: LiveConnector(config(one["info"]["config"]), status(one["status"]).state)
        for name, one in response.items()
    }


def statuses(response: Mapping[str, Any]) -> dict[str, ConnectorStatus]:
    return {name: status(one["status"]) for name, one in response.items()}


def status(response: Mapping[str, Any]) -> ConnectorStatus:
    connector = response["connector"]
    return ConnectorStatus(
        state=connector["state"],
        trace=connector.get("trace") or "",
        tasks=tuple(
            TaskStatus(task["id"], task["state"], task.get("trace") or "")
            for task in response["tasks"]
        ),
        worker=connector.get("worker_id") or "",
    )


def tasks(response: list[Mapping[str, Any]]) -> tuple[TaskConfig, ...]:
    return tuple(TaskConfig(config(task["config"])) for task in response)


def partitions_of(response: Mapping[str, Any], topics: Collection[str]) -> list[dict[str, Any]]:
    """The partitions of these topics that have an offset, as Connect represents them."""
    return [
        entry["partition"]
        for entry in response["offsets"]
        if entry.get("offset") and entry["partition"].get("topic") in topics
    ]


def offsets(response: Mapping[str, Any]) -> dict[TopicPartition, int]:
    """The last offset that was written to the target and committed, by source partition.

    Of a MirrorSource connector; offsets of other connectors have another form and are left out.
    """
    return {
        TopicPartition(entry["partition"]["topic"], int(entry["partition"]["partition"])): int(
            entry["offset"]["offset"]
        )
        for entry in response["offsets"]
        if entry.get("offset") and {"topic", "partition"} <= entry["partition"].keys()
        if "offset" in entry["offset"]
    }


def validation(response: Mapping[str, Any], given: Mapping[str, str]) -> Validation:
    """The rejected keys, with the values as they were given.

    The worker resolves references before it validates, so its values, and messages that quote
    them, may be secrets.
    """
    values = [entry["value"] for entry in response["configs"]]
    return Validation(
        invalid=tuple(_invalid(value, given) for value in values if value["errors"]),
        declared=frozenset(value["name"] for value in values),
    )


def _invalid(value: Mapping[str, Any], given: Mapping[str, str]) -> InvalidKey:
    key, message = value["name"], value["errors"][0]  # the others follow from the first
    value_given = given.get(key)
    if value_given is not None and REFERENCE.search(value_given):
        message = "not valid (the worker's message is not shown: it may contain the secret)"
    return InvalidKey(key, value_given, message)
