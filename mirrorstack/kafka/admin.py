"""A cluster's admin API: metadata, inventory, offsets, configs and groups."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from confluent_kafka import (
    ConsumerGroupTopicPartitions,
    IsolationLevel,
    KafkaError,
    KafkaException,
    TopicCollection,
)
from confluent_kafka import TopicPartition as ClientPartition
from confluent_kafka.admin import ConfigResource, ConfigSource, OffsetSpec

from mirrorstack.findings import UserError
from mirrorstack.kafka import errors
from mirrorstack.kafka.acls import Operation, ResourceType
from mirrorstack.kafka.admin_client import TIMEOUT_SECONDS, ClusterClient, retried
from mirrorstack.kafka.inventory import Inventory, TopicDescription
from mirrorstack.kafka.partitions import TopicPartition, all_partitions

EARLIEST: OffsetSpec = OffsetSpec.earliest()  # type: ignore[no-untyped-call]
LATEST: OffsetSpec = OffsetSpec.latest()  # type: ignore[no-untyped-call]


@dataclass(frozen=True)
class KafkaCluster(ClusterClient):
    """What can be asked of a cluster."""

    def inventory(self, is_wanted: Callable[[str], bool]) -> Inventory:
        """The brokers, groups and topics, with the configs of the topics that are wanted."""
        metadata = self.metadata()
        overrides = self._config_overrides([name for name in metadata.topics if is_wanted(name)])
        return Inventory(
            brokers=len(metadata.brokers),
            topics={
                name: TopicDescription(name, len(topic.partitions), overrides.get(name, {}))
                for name, topic in metadata.topics.items()
            },
            groups=frozenset(self._group_ids()),
            principal=self.connection.username,
            bootstrap_servers=self.connection.bootstrap_servers,
            cluster_id=metadata.cluster_id or "",
        )

    @retried
    def describe_topics(self, names: Collection[str]) -> dict[str, TopicDescription]:
        """The topics that exist, with their ids and without their configs."""
        if not names:
            return {}
        futures = self.client.describe_topics(
            TopicCollection(list(names)), request_timeout=TIMEOUT_SECONDS
        )
        results = {
            name: self.result(future, Operation.DESCRIBE, name) for name, future in futures.items()
        }
        return {
            name: TopicDescription(name, len(topic.partitions), id=str(topic.topic_id))
            for name, topic in results.items()
            if topic is not None
        }

    @retried
    def topic_configs(
        self, names: Collection[str], keys: Collection[str]
    ) -> dict[str, dict[str, str]]:
        """The values in effect, of the topics that exist: set on the topic, broker or default."""
        results = {
            name: self.result(future, Operation.DESCRIBE_CONFIGS, name)
            for name, future in self._describe_configs(names)
        }
        return {
            name: {key: entries[key].value for key in keys if key in entries}
            for name, entries in results.items()
            if entries is not None
        }

    @retried
    def _config_overrides(self, names: Collection[str]) -> dict[str, dict[str, str]]:
        """The configs that are set on the topics themselves."""
        overrides: dict[str, dict[str, str]] = {}
        refused: list[str] = []
        for name, future in self._describe_configs(names):
            try:
                entries = future.result()
            except KafkaException as error:
                if errors.error_code(error) not in errors.NOT_AUTHORIZED:
                    raise self.request_failed(error) from error
                refused.append(name)
                continue
            overrides[name] = {
                key: entry.value
                for key, entry in entries.items()
                if entry.source == ConfigSource.DYNAMIC_TOPIC_CONFIG.value
            }
        if refused:
            raise self.not_authorized(Operation.DESCRIBE_CONFIGS, sorted(refused))
        return overrides

    def _describe_configs(self, names: Collection[str]) -> list[tuple[str, Future[Any]]]:
        if not names:
            return []
        resources = [ConfigResource(ConfigResource.Type.TOPIC, name) for name in names]
        futures = self.client.describe_configs(resources, request_timeout=TIMEOUT_SECONDS)
        return [(resource.name, future) for resource, future in futures.items()]

    def topics_with_records(self, partitions: Mapping[str, int]) -> frozenset[str]:
        """The topics that hold records; records of aborted transactions count, too."""
        offset_ranges = self.offset_ranges(partitions)
        return frozenset(
            topic
            for topic, each in offset_ranges.items()
            if any(start < end for start, end in each)
        )

    def offset_ranges(self, partitions: Mapping[str, int]) -> dict[str, list[tuple[int, int]]]:
        """For each partition of the topics: the first offset, and the one after the last."""
        every = all_partitions(partitions)
        uncommitted = IsolationLevel.READ_UNCOMMITTED
        starts = self._list_offsets(dict.fromkeys(every, EARLIEST), uncommitted)
        ends = self._list_offsets(dict.fromkeys(every, LATEST), uncommitted)
        offset_ranges: dict[str, list[tuple[int, int]]] = {topic: [] for topic in partitions}
        for each in every:
            if each not in starts or each not in ends:
                raise UserError(
                    f"Cluster {self.alias}: partition {each} does not exist (any more).",
                    "run the command again",
                    cluster=self.alias,
                    topic=each.topic,
                )
            offset_ranges[each.topic].append((starts[each].offset, ends[each].offset))
        return offset_ranges

    def earliest_offsets(self, partitions: Iterable[TopicPartition]) -> dict[TopicPartition, int]:
        """The log start offset of each partition that exists: above 0 after retention."""
        return _offsets(self._list_offsets(dict.fromkeys(partitions, EARLIEST)))

    def latest_offsets(self, partitions: Iterable[TopicPartition]) -> dict[TopicPartition, int]:
        """The last stable offset of each partition that exists: where read_committed ends."""
        return _offsets(self._list_offsets(dict.fromkeys(partitions, LATEST)))

    def first_timestamps(self, partitions: Iterable[TopicPartition]) -> dict[TopicPartition, int]:
        """The timestamp of each partition's first record, in milliseconds, where there is one.

        The brokers look it up: no record is read.
        """
        found = self._list_offsets(dict.fromkeys(partitions, OffsetSpec.for_timestamp(0)))
        return {
            partition: result.timestamp
            for partition, result in found.items()
            if result.timestamp >= 0
        }

    def offsets_for_times(self, times: Mapping[TopicPartition, int]) -> dict[TopicPartition, int]:
        """The first offset whose record has the given timestamp in milliseconds or a later one;
        -1 where there is none."""
        specs = {partition: OffsetSpec.for_timestamp(at) for partition, at in times.items()}
        return _offsets(self._list_offsets(specs, IsolationLevel.READ_UNCOMMITTED))

    @retried
    def end_offsets_at(
        self, partitions: Collection[TopicPartition], times: Sequence[int]
    ) -> list[dict[TopicPartition, int | None]]:
        """Where each partition ended at each time, by the timestamps of its records; None where
        no record is later. The brokers look it up: no record is read."""
        # All requests are sent before the first result is awaited.
        requests = [
            self._request_offsets(dict.fromkeys(partitions, OffsetSpec.for_timestamp(at + 1)))
            for at in times
        ]
        return [
            {
                partition: result.offset if result.offset >= 0 else None
                for partition, result in self._offset_results(futures).items()
            }
            for futures in requests
        ]

    @retried
    def _list_offsets(
        self,
        specs: Mapping[TopicPartition, OffsetSpec],
        isolation: IsolationLevel = IsolationLevel.READ_COMMITTED,
    ) -> dict[TopicPartition, Any]:
        return self._offset_results(self._request_offsets(specs, isolation))

    def _request_offsets(
        self,
        specs: Mapping[TopicPartition, OffsetSpec],
        isolation: IsolationLevel = IsolationLevel.READ_COMMITTED,
    ) -> Mapping[ClientPartition, Future[Any]]:
        if not specs:
            return {}
        futures: Mapping[ClientPartition, Future[Any]] = self.client.list_offsets(
            {ClientPartition(*partition): spec for partition, spec in specs.items()},
            isolation_level=isolation,
            request_timeout=TIMEOUT_SECONDS,
        )
        return futures

    def _offset_results(
        self, futures: Mapping[ClientPartition, Future[Any]]
    ) -> dict[TopicPartition, Any]:
        """Of the partitions that exist."""
        results: dict[TopicPartition, Any] = {}
        for each, future in futures.items():
            if self._has_no_leader(future) and not self.describe_topics([each.topic]):
                continue
            result = self.result(future, Operation.DESCRIBE, each.topic)
            if result is not None:
                results[TopicPartition(each.topic, each.partition)] = result
        return results

    @staticmethod
    def _has_no_leader(future: Future[Any]) -> bool:
        """If none of the partitions of a request has a leader, the client does not say why: they
        are offline, or do not exist."""
        error = future.exception()
        return isinstance(error, KafkaException) and errors.error_code(error) == KafkaError._NOENT

    @retried
    def committed_offsets(self, groups: Sequence[str]) -> dict[str, dict[TopicPartition, int]]:
        """The committed offsets of each consumer group."""
        committed: dict[str, dict[TopicPartition, int]] = {}
        for group in groups:  # the client takes one group at a time
            futures = self.client.list_consumer_group_offsets(
                [ConsumerGroupTopicPartitions(group)], request_timeout=TIMEOUT_SECONDS
            )
            result = self.result(futures[group], Operation.DESCRIBE, group, ResourceType.GROUP)
            committed[group] = {
                TopicPartition(each.topic, each.partition): each.offset
                for each in (result.topic_partitions if result else None) or ()
                if each.offset >= 0
            }
        return committed

    @retried
    def has_members(self, group: str) -> bool:
        """Whether a group of any type has members; an empty group stays for a while."""
        try:
            with warnings.catch_warnings():
                # Its successor describes consumer groups only, and Connect's have another type.
                warnings.simplefilter("ignore", DeprecationWarning)
                groups = self.client.list_groups(group, timeout=TIMEOUT_SECONDS)
        except KafkaException as error:
            raise self.request_failed(error) from error
        return any(each.members for each in groups)

    @retried
    def _group_ids(self) -> list[str]:
        future = self.client.list_consumer_groups(request_timeout=TIMEOUT_SECONDS)
        listed = self.result(future)
        if listed is None:
            return []
        if listed.errors:  # one broker's; the list lacks its groups
            raise self.request_failed(listed.errors[0]) from listed.errors[0]
        return [group.group_id for group in listed.valid]


def _offsets(results: Mapping[TopicPartition, Any]) -> dict[TopicPartition, int]:
    return {partition: result.offset for partition, result in results.items()}
