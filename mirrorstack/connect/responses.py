"""Connect's answers as frozen values; what is not needed is not kept, least of all configs."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from mirrorstack.connect.config import REFERENCE
from mirrorstack.kafka.partitions import TopicPartition

FAILED = "FAILED"
"""Topic and number."""

ASSIGNED = "task.assigned.partitions"


@dataclass(frozen=True)
class TaskStatus:
    id: int
    state: str
    trace: str = ""


@dataclass(frozen=True)
class ConnectorStatus:
    """States are Connect's words: RUNNING, PAUSED, STOPPED, FAILED, UNASSIGNED, RESTARTING."""

    state: str
    trace: str
    tasks: tuple[TaskStatus, ...]

    @property
    def has_failed(self) -> bool:
        return self.state == FAILED or any(task.state == FAILED for task in self.tasks)


@dataclass(frozen=True)
class LiveConnector:
    """A connector as it is, with a state in Connect's words."""

    config: Mapping[str, str]
    state: str


@dataclass(frozen=True)
class TaskConfig:
    """What a task was told to do. References in it are still references: Connect keeps them."""

    values: Mapping[str, str]

    @property
    def assigned(self) -> frozenset[TopicPartition]:
        """The source partitions of a MirrorSource task; `a-b-3` is partition 3 of `a-b`."""
        given = self.values.get(ASSIGNED, "")
        pairs = (text.rpartition("-") for text in given.split(",") if text)
        return frozenset(TopicPartition(topic, int(number)) for topic, _, number in pairs)


@dataclass(frozen=True)
class InvalidKey:
    """One finding of the worker's validation."""

    key: str
    value: str | None
    message: str


@dataclass(frozen=True)
class Validation:
    """What the worker says about a config, and which keys it looked at: others it lets through."""

    invalid: tuple[InvalidKey, ...]
    declared: frozenset[str]


def config(answer: Mapping[str, Any]) -> dict[str, str]:
    return {str(key): str(value) for key, value in answer.items() if value is not None}


def connectors(answer: Mapping[str, Any]) -> dict[str, LiveConnector]:
    return {
        name: LiveConnector(config(one["info"]["config"]), status(one["status"]).state)
        for name, one in answer.items()
    }


def status(answer: Mapping[str, Any]) -> ConnectorStatus:
    connector = answer["connector"]
    return ConnectorStatus(
        state=connector["state"],
        trace=connector.get("trace") or "",
        tasks=tuple(
            TaskStatus(task["id"], task["state"], task.get("trace") or "")
            for task in answer["tasks"]
        ),
    )


def tasks(answer: list[Mapping[str, Any]]) -> tuple[TaskConfig, ...]:
    return tuple(TaskConfig(config(task["config"])) for task in answer)


def partitions_of(answer: Mapping[str, Any], topics: Collection[str]) -> list[dict[str, Any]]:
    """The partitions of these topics that have an offset, in Connect's own words."""
    return [
        entry["partition"]
        for entry in answer["offsets"]
        if entry.get("offset") and entry["partition"].get("topic") in topics
    ]


def offsets(answer: Mapping[str, Any]) -> dict[TopicPartition, int]:
    """The last offset that was written to the target and committed, by partition of the source.

    Of a MirrorSource connector; what others keep as their offsets is none of ours.
    """
    return {
        TopicPartition(entry["partition"]["topic"], int(entry["partition"]["partition"])): int(
            entry["offset"]["offset"]
        )
        for entry in answer["offsets"]
        if entry.get("offset") and {"topic", "partition"} <= entry["partition"].keys()
        if "offset" in entry["offset"]
    }


def validation(answer: Mapping[str, Any], given: Mapping[str, str]) -> Validation:
    """What the validation complains about, with the values as they were given.

    The worker resolves references before it validates, so its own values, and messages that
    quote them, may be secrets.
    """
    values = [entry["value"] for entry in answer["configs"]]
    return Validation(
        invalid=tuple(_invalid(value, given) for value in values if value["errors"]),
        declared=frozenset(value["name"] for value in values),
    )


def _invalid(value: Mapping[str, Any], given: Mapping[str, str]) -> InvalidKey:
    key, message = value["name"], value["errors"][0]  # what follows comes of the first
    text = given.get(key)
    if text is not None and REFERENCE.search(text):
        message = "not valid (the worker's message is not shown: it might quote the secret)"
    return InvalidKey(key, text, message)
