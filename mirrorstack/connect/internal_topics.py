"""Connectors as the internal topics of their Connect group show them: where there is no REST API.

Connect writes configs, statuses and offsets there as JSON (`KafkaConfigBackingStore`,
`KafkaStatusBackingStore`, `KafkaOffsetBackingStore`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from mirrorstack.connect import responses
from mirrorstack.connect.responses import ConnectorStatus, TaskConfig, TaskStatus
from mirrorstack.connect.storage import ConnectStorage
from mirrorstack.kafka.admin import KafkaCluster
from mirrorstack.kafka.keyed_topic import KeyedTopic
from mirrorstack.kafka.partitions import TopicPartition

UNASSIGNED = "UNASSIGNED"


class InternalTopicsReader:
    """Answers as Connect's REST API does. `cluster` as a principal that may read the topics."""

    def __init__(self, cluster: KafkaCluster, storage: ConnectStorage) -> None:
        self._cluster = cluster
        self._group = storage.group
        self._configs = KeyedTopic(cluster, storage.configs_topic)
        self._offsets = KeyedTopic(cluster, storage.offsets_topic)
        self._statuses = KeyedTopic(cluster, storage.status_topic)

    def config(self, name: str) -> dict[str, str] | None:
        """None when there is no such connector."""
        stored = _json(self._configs.read().get(f"connector-{name}".encode()))
        return responses.config(stored["properties"]) if stored else None

    def status(self, name: str) -> ConnectorStatus | None:
        """None when there is none yet. The status of workers that are gone stays in the topic."""
        statuses = self._statuses.read()
        connector = _json(statuses.get(f"status-connector-{name}".encode()))
        if not connector:
            return None
        pattern = re.compile(f"status-task-{re.escape(name)}-(\\d+)".encode())
        tasks = {
            int(found[1]): _json(value)
            for key, value in statuses.items()
            if (found := pattern.fullmatch(key))
        }
        has_workers = self._cluster.has_members(self._group)
        return ConnectorStatus(
            state=connector["state"] if has_workers else UNASSIGNED,
            trace=connector.get("trace") or "",
            tasks=tuple(
                TaskStatus(number, task["state"], task.get("trace") or "")
                for number, task in sorted(tasks.items())
                if number < self._task_count(name)
            ),
            worker=connector.get("worker_id") or "",
        )

    def tasks(self, name: str) -> tuple[TaskConfig, ...]:
        configs = self._configs.read()
        stored = [
            _json(configs.get(f"task-{name}-{number}".encode()))
            for number in range(self._task_count(name))
        ]
        return tuple(TaskConfig(responses.config(each["properties"])) for each in stored if each)

    def offsets(self, name: str) -> dict[TopicPartition, int]:
        """By source partition, the offset of the last replicated record."""
        entries = []
        for key, value in self._offsets.read().items():
            connector, partition = json.loads(key or b"[null, null]")
            if connector == name and partition:
                entries.append({"partition": partition, "offset": _json(value)})
        return responses.offsets({"offsets": entries})

    def _task_count(self, name: str) -> int:
        """Tasks that a connector had before stay in the topics."""
        return int(_json(self._configs.read().get(f"commit-{name}".encode())).get("tasks", 0))


def _json(value: bytes | None) -> Mapping[str, Any]:
    return json.loads(value or b"{}") or {}
