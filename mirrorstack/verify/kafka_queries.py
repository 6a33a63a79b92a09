"""What verification asks a cluster before and after it reads: offsets, configs, ids, commits."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

from confluent_kafka import (
    ConsumerGroupTopicPartitions,
    IsolationLevel,
    KafkaError,
    KafkaException,
    TopicCollection,
)
from confluent_kafka import (
    TopicPartition as KafkaPartition,
)
from confluent_kafka.admin import AdminClient, ConfigResource, OffsetSpec

from mirrorstack.kafka import errors as refusals
from mirrorstack.kafka.admin import TIMEOUT_SECONDS, KafkaCluster
from mirrorstack.kafka.partitions import TopicPartition

ABSENT = (KafkaError.UNKNOWN_TOPIC_OR_PART, KafkaError.GROUP_ID_NOT_FOUND)
EFFECTIVE = ("cleanup.policy", "message.timestamp.type")

"""A topic and a partition of it."""
Answer = TypeVar("Answer")


@dataclass(frozen=True)
class Topic:
    partitions: int
    id: str
    """Another one when a topic was deleted and made again under its name."""


class Asking:
    """One client for all the questions, as who looks at the cluster."""

    def __init__(self, cluster: KafkaCluster) -> None:
        self.cluster = cluster
        self._heard: list[KafkaError] = []

    @cached_property
    def _admin(self) -> AdminClient:
        admin = self.cluster.admin(self._heard)
        self.cluster.metadata(admin, self._heard)
        return admin

    def topics(self, names: Collection[str]) -> dict[str, Topic]:
        """Those of the topics that are there."""
        if not names:
            return {}
        asked = self._admin.describe_topics(
            TopicCollection(list(names)), request_timeout=TIMEOUT_SECONDS
        )
        found = {name: self._answer(future) for name, future in asked.items()}
        return {
            name: Topic(len(topic.partitions), str(topic.topic_id))
            for name, topic in found.items()
            if topic is not None
        }

    def configs(self, names: Collection[str]) -> dict[str, dict[str, str]]:
        """Of each topic what decides how it is compared, whether set on it or on the broker."""
        if not names:
            return {}
        resources = [ConfigResource(ConfigResource.Type.TOPIC, name) for name in names]
        asked = self._admin.describe_configs(resources, request_timeout=TIMEOUT_SECONDS)
        found = {resource.name: self._answer(future) for resource, future in asked.items()}
        return {
            name: {key: entries[key].value for key in EFFECTIVE if key in entries}
            for name, entries in found.items()
            if entries is not None
        }

    def starts(self, places: Iterable[TopicPartition]) -> dict[TopicPartition, int]:
        """Where each partition begins; later than 0 once retention has taken its head."""
        return self._offsets(places, OffsetSpec.earliest())  # type: ignore[no-untyped-call]

    def ends(self, places: Iterable[TopicPartition]) -> dict[TopicPartition, int]:
        """Where each partition ends for who reads only what is committed."""
        return self._offsets(places, OffsetSpec.latest())  # type: ignore[no-untyped-call]

    def first_stamps(self, places: Iterable[TopicPartition]) -> dict[TopicPartition, int]:
        """The timestamp of each partition's first record, in milliseconds; of those that have one.
        The brokers look it up: no record is read."""
        asked = self._ask(places, OffsetSpec.for_timestamp(0))
        return {
            place: answer.timestamp
            for place, answer in self._told(asked).items()
            if answer.timestamp >= 0
        }

    def ends_at(
        self, places: Collection[TopicPartition], moments: Sequence[int]
    ) -> list[dict[TopicPartition, int | None]]:
        """Where each partition ended at each moment, by the timestamps of its records; None where
        nothing has come since. The brokers look it up: no record is read."""
        after = [OffsetSpec.for_timestamp(moment + 1) for moment in moments]
        asked = [self._ask(places, each) for each in after]
        return [
            {
                place: offset if offset >= 0 else None
                for place, offset in self._told_offsets(each).items()
            }
            for each in asked
        ]

    def commits(self, groups: Sequence[str]) -> dict[str, dict[TopicPartition, int]]:
        """By group, where it goes on reading."""
        found: dict[str, dict[TopicPartition, int]] = {}
        for group in groups:  # the client takes one group at a time
            asked = self._admin.list_consumer_group_offsets(
                [ConsumerGroupTopicPartitions(group)], request_timeout=TIMEOUT_SECONDS
            )
            held = self._answer(asked[group])
            found[group] = {
                TopicPartition(each.topic, each.partition): each.offset
                for each in (held.topic_partitions if held else None) or ()
                if each.offset >= 0
            }
        return found

    def _offsets(
        self, places: Iterable[TopicPartition], which: OffsetSpec
    ) -> dict[TopicPartition, int]:
        return self._told_offsets(self._ask(places, which))

    def _ask(
        self, places: Iterable[TopicPartition], which: OffsetSpec
    ) -> Mapping[KafkaPartition, Future[Any]]:
        wanted = {KafkaPartition(*place): which for place in places}
        if not wanted:
            return {}
        asked: Mapping[KafkaPartition, Future[Any]] = self._admin.list_offsets(
            wanted,
            isolation_level=IsolationLevel.READ_COMMITTED,
            request_timeout=TIMEOUT_SECONDS,
        )
        return asked

    def _told_offsets(
        self, asked: Mapping[KafkaPartition, Future[Any]]
    ) -> dict[TopicPartition, int]:
        return {place: answer.offset for place, answer in self._told(asked).items()}

    def _told(self, asked: Mapping[KafkaPartition, Future[Any]]) -> dict[TopicPartition, Any]:
        found = {
            TopicPartition(place.topic, place.partition): self._answer(future)
            for place, future in asked.items()
        }
        return {place: answer for place, answer in found.items() if answer is not None}

    def _answer(self, future: Future[Answer]) -> Answer | None:
        """None where there is no such thing."""
        try:
            return future.result()
        except KafkaException as error:
            if refusals.code(error) in ABSENT:
                return None
            raise self.cluster.unanswered(error, self._heard) from error


def places_of(topics: Mapping[str, int]) -> list[TopicPartition]:
    """All partitions of topics, given how many each has."""
    return [
        TopicPartition(topic, number) for topic, count in topics.items() for number in range(count)
    ]
