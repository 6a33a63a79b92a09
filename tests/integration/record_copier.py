"""Topics replicated by the test itself, correctly or with one fault that verification must find."""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from confluent_kafka import Consumer, Producer, TopicPartition
from confluent_kafka.admin import NewTopic

from mirrorstack.sandbox.names import Cluster, Principal
from mirrorstack.sandbox.sandbox import Sandbox
from tests.integration.replicated_stack import Place, admin

MIDDLE = 100
"""The record that a fault changes."""
BEGAN = 1_750_000_000_000


@dataclass(frozen=True)
class Written:
    """A record to write; by default to partition 0."""

    key: bytes | None
    value: bytes | None
    timestamp: int
    headers: tuple[tuple[str, bytes | None], ...] = (("trace", b"\x00\xff"), ("note", None))
    partition: int = 0


Fault = Callable[[list[Written]], list[Written]]


def plain(count: int = 200, partitions: int = 1) -> list[Written]:
    return [
        Written(
            f"key {n % 7}".encode(),
            f"value {n}".encode(),
            BEGAN + n * 300,
            partition=n % partitions,
        )
        for n in range(count)
    ]


def whole(records: list[Written]) -> list[Written]:
    return records


def altered(at: int = MIDDLE, **parts: object) -> Fault:
    def fault(records: list[Written]) -> list[Written]:
        changed = replace(records[at], **parts)  # type: ignore[arg-type]
        return [*records[:at], changed, *records[at + 1 :]]

    return fault


def dropped(records: list[Written]) -> list[Written]:
    return records[:MIDDLE] + records[MIDDLE + 1 :]


def swapped(records: list[Written]) -> list[Written]:
    one, other = records[MIDDLE : MIDDLE + 2]
    return [*records[:MIDDLE], other, one, *records[MIDDLE + 2 :]]


def doubled(records: list[Written]) -> list[Written]:
    return [*records[:150], records[MIDDLE], *records[150:]]


@dataclass(frozen=True)
class Copier:
    """Writes to both clusters of a sandbox as a super user."""

    sandbox: Sandbox
    prefix: str
    """The source alias, which prefixes target topics."""
    made: set[str] = field(default_factory=set)

    @property
    def source(self) -> Place:
        return self.sandbox, Cluster.EAST

    @property
    def target(self) -> Place:
        return self.sandbox, Cluster.WEST

    def target_topic(self, topic: str) -> str:
        return f"{self.prefix}.{topic}"

    def copy(
        self,
        topic: str,
        fault: Fault = whole,
        records: Sequence[Written] | None = None,
        *,
        partitions: tuple[int, int] = (1, 1),
        config: Mapping[str, str] | None = None,
        target_config: Mapping[str, str] | None = None,
    ) -> None:
        held = list(records) if records is not None else plain(partitions=partitions[0])
        self.make(self.source, topic, partitions[0], config)
        self.make(self.target, self.target_topic(topic), partitions[1], target_config or config)
        self.write(self.source, topic, held)
        self.write(self.target, self.target_topic(topic), fault(held))

    def make(
        self, place: Place, topic: str, partitions: int = 1, config: Mapping[str, str] | None = None
    ) -> None:
        new = NewTopic(topic, partitions, config=dict(config or {}))
        admin(*place).create_topics([new])[topic].result(15)

    def write(
        self, place: Place, topic: str, records: Sequence[Written], *, commit: bool | None = None
    ) -> None:
        """Without a transaction, or in one that is committed or aborted."""
        config = self._config(place) | {"enable.idempotence": True}
        if commit is not None:
            config |= {"transactional.id": f"{topic}-{len(records)}"}
        producer = Producer(config)
        if commit is not None:
            producer.init_transactions(30)
            producer.begin_transaction()
        for each in records:
            producer.produce(
                topic,
                each.value,
                key=each.key,
                headers=list(each.headers),
                timestamp=each.timestamp,
                partition=each.partition,
            )
        assert producer.flush(30) == 0, f"{topic} cannot be written"
        if commit is not None:
            (producer.commit_transaction if commit else producer.abort_transaction)(30)

    def trim(self, place: Place, topic: str, before: int) -> None:
        """Deletes records like retention: the log starts later."""
        asked = admin(*place).delete_records([TopicPartition(topic, 0, before)])
        for each in asked.values():
            each.result(15)

    def commit(self, place: Place, group: str, topic: str, offset: int) -> None:
        consumer = Consumer(self._config(place) | {"group.id": group})
        try:
            consumer.commit(offsets=[TopicPartition(topic, 0, offset)], asynchronous=False)
        finally:
            consumer.close()

    def checkpoint(self, group: str, topic: str, upstream: int, downstream: int) -> None:
        """Writes a checkpoint like MirrorMaker."""
        key = _text(group) + _text(self.target_topic(topic)) + struct.pack(">i", 0)
        value = struct.pack(">hqq", 0, upstream, downstream) + _text("")
        self._write_internal(f"{self.prefix}.checkpoints.internal", key, value)

    def sync(self, topic: str, upstream: int, downstream: int, written: int = BEGAN) -> None:
        """Writes an offset sync like MirrorMaker."""
        key, value = _text(topic) + struct.pack(">i", 0), struct.pack(">qq", upstream, downstream)
        self._write_internal(self.syncs_topic, key, value, written)

    @property
    def syncs_topic(self) -> str:
        return f"mm2-offset-syncs.{self.prefix}.internal"

    def beat(self, target: str, milliseconds: int) -> None:
        """Writes a heartbeat like MirrorMaker."""
        key = _text(self.prefix) + _text(target)
        self._write_internal("heartbeats", key, struct.pack(">hq", 0, milliseconds))

    def _write_internal(self, topic: str, key: bytes, value: bytes, timestamp: int = BEGAN) -> None:
        if topic not in self.made and topic not in admin(*self.target).list_topics().topics:
            self.make(self.target, topic, config={"cleanup.policy": "compact"})
        self.made.add(topic)
        self.write(self.target, topic, [Written(key, value, timestamp, ())])

    def _config(self, place: Place) -> dict[str, str | int | float | bool]:
        sandbox, cluster = place
        return sandbox.connection(cluster, Principal.ADMIN).client_config() | {"log_level": 0}


def _text(text: str) -> bytes:
    return struct.pack(">h", len(text.encode())) + text.encode()
