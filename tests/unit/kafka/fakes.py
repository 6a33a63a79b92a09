"""Fakes of confluent-kafka's clients, futures and messages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest
from confluent_kafka import KafkaError, KafkaException
from confluent_kafka import TopicPartition as ClientPartition

from mirrorstack.kafka.admin import KafkaCluster
from mirrorstack.kafka.connection import Connection

CONNECTION = Connection(bootstrap_servers="east:9093", username="mirror", password="secret-1")


def failed(code: int, reason: str | None = None) -> KafkaException:
    return KafkaException(KafkaError(code, reason) if reason else KafkaError(code))


def done(result: Any) -> Future[Any]:
    """A future with its result, or its exception."""
    future: Future[Any] = Future()
    if isinstance(result, Exception):
        future.set_exception(result)
    else:
        future.set_result(result)
    return future


@dataclass
class FakeAdmin:
    """Answers with what a test sets; an exception is raised, or is the future's result."""

    answers: dict[str, Any] = field(default_factory=dict)
    requests: list[tuple[str, Any]] = field(default_factory=list)
    report: Callable[[KafkaError], None] = lambda _error: None

    def list_topics(self, timeout: float) -> Any:
        assert timeout > 0
        answer = self.answers.get("list_topics", SimpleNamespace(brokers={}, topics={}))
        if isinstance(answer, Exception):
            raise answer
        return answer

    def poll(self, _timeout: float) -> int:
        for error in self.answers.get("reported", ()):
            self.report(error)
        return 0

    def list_groups(self, group: str, **_options: Any) -> Any:
        answer = self.answers["list_groups"]
        if isinstance(answer, Exception):
            raise answer
        return answer.get(group, [])

    def list_offsets(
        self, specs: Mapping[ClientPartition, Any], **options: Any
    ) -> dict[ClientPartition, Future[Any]]:
        self.requests.append(("list_offsets", options["isolation_level"]))
        answer = self.answers["list_offsets"]
        return {each: done(answer(each, spec)) for each, spec in specs.items()}

    def describe_configs(self, resources: Iterable[Any], **_options: Any) -> dict[Any, Future[Any]]:
        return {each: done(self.answers["describe_configs"][each.name]) for each in resources}

    def list_consumer_groups(self, **_options: Any) -> Future[Any]:
        return done(self.answers.get("list_consumer_groups", SimpleNamespace(valid=[], errors=[])))

    def list_consumer_group_offsets(
        self, groups: Sequence[Any], **_options: Any
    ) -> dict[str, Future[Any]]:
        (group,) = groups
        return {group.group_id: done(self.answers["offsets"][group.group_id])}

    def describe_topics(self, topics: Any, **_options: Any) -> dict[str, Future[Any]]:
        del topics  # the client's collection cannot be read
        return {name: done(each) for name, each in self.answers["describe_topics"].items()}

    def describe_consumer_groups(
        self, names: Iterable[str], **_options: Any
    ) -> dict[str, Future[Any]]:
        return {name: done(self.answers["describe_groups"][name]) for name in names}

    def describe_cluster(self, **_options: Any) -> Future[Any]:
        return done(self.answers["describe_cluster"])

    def describe_acls(self, _filter: Any, **_options: Any) -> Future[Any]:
        return done(self.answers["describe_acls"])


def cluster(admin: FakeAdmin) -> KafkaCluster:
    """A cluster that is connected to the fake."""
    found = KafkaCluster("east", CONNECTION, "start the brokers")
    found.__dict__["client"] = admin
    admin.report = found._reported.append
    return found


@dataclass(frozen=True)
class FakeMessage:
    topic_: str
    partition_: int
    offset_: int = 0
    value_: bytes | None = b"value"
    key_: bytes | None = None
    error_: KafkaError | None = None

    def topic(self) -> str:
        return self.topic_

    def partition(self) -> int:
        return self.partition_

    def offset(self) -> int:
        return self.offset_

    def key(self) -> bytes | None:
        return self.key_

    def value(self) -> bytes | None:
        return self.value_

    def headers(self) -> None:
        return None

    def timestamp(self) -> tuple[int, int]:
        return (1, 1000 + self.offset_)

    def error(self) -> KafkaError | None:
        return self.error_


def end_of(topic: str, partition: int) -> FakeMessage:
    return FakeMessage(topic, partition, error_=KafkaError(KafkaError._PARTITION_EOF))


class FakeConsumer:
    """Hands out batches; an exception among them is raised. Then there is nothing more."""

    def __init__(self, batches: Iterable[list[FakeMessage] | Exception]) -> None:
        self.batches = list(batches)
        self.config: dict[str, Any] = {}
        self.assigned: list[list[tuple[str, int, int]]] = []
        self.unassigned: list[tuple[str, int]] = []
        self.is_closed = False

    def __call__(self, config: dict[str, Any]) -> FakeConsumer:
        """In the place of the class."""
        self.config = config
        return self

    def assign(self, partitions: Sequence[ClientPartition]) -> None:
        self.assigned.append([(p.topic, p.partition, p.offset) for p in partitions])

    def incremental_unassign(self, partitions: Sequence[ClientPartition]) -> None:
        self.unassigned += [(p.topic, p.partition) for p in partitions]

    def consume(self, _most: int, _timeout: float) -> list[FakeMessage]:
        batch = self.batches.pop(0) if self.batches else []
        if isinstance(batch, Exception):
            raise batch
        return batch

    def close(self) -> None:
        self.is_closed = True


def install_consumer(
    monkeypatch: pytest.MonkeyPatch, *batches: list[FakeMessage] | Exception
) -> FakeConsumer:
    """As the reader's consumer; with nothing more to read, a second passes with each poll."""
    fake = FakeConsumer(batches)
    now = [0.0]

    def clock() -> float:
        now[0] += 0.0 if fake.batches else 1.0
        return now[0]

    monkeypatch.setattr("mirrorstack.kafka.offset_ranges.Consumer", fake)
    monkeypatch.setattr("mirrorstack.kafka.offset_ranges.time.monotonic", clock)
    return fake
