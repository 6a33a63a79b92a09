"""Finds out about stalled topics, from both clusters, as the mirroring principal."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property

from confluent_kafka import Message

from mirrorstack.connect.progress import Offsets
from mirrorstack.connect.stalls import (
    DEFAULT_MAX_REQUEST_SIZE,
    RECORD_OVERHEAD,
    LargeRecord,
    MissingPermission,
    StallFacts,
    explain_all,
)
from mirrorstack.findings import Finding, UserError
from mirrorstack.kafka.acls import Operation, ResourceType
from mirrorstack.kafka.admin import KafkaCluster
from mirrorstack.kafka.offset_ranges import BEGINNING, OffsetRangeReader
from mirrorstack.kafka.partitions import all_partitions
from mirrorstack.kafka.permissions import EffectivePermission, missing_permissions
from mirrorstack.mm2.name_templates import NameTemplate
from mirrorstack.mm2.replication_policy import (
    SEPARATOR,
    Naming,
    PolicyClass,
    ReplicationPolicy,
)

TOPICS = 20
"""How many topics are inspected at most: the reason is mostly the same."""
SCAN_SECONDS = 15.0
MAX_MESSAGE_BYTES = "max.message.bytes"
MAX_REQUEST_SIZE = "producer.override.max.request.size"
COMPRESSION = "producer.override.compression.type"


@dataclass(frozen=True)
class StallInspector:
    """A `StallQuery`: why the topics of a source connector are stalled."""

    source: KafkaCluster
    target: KafkaCluster
    config: Mapping[str, str]
    """The connector's."""
    names: str | None = None
    """The names that a replication policy of one's own gives, such as `{source}_{topic}`."""

    def __call__(self, topics: Collection[str], offsets: Offsets) -> list[Finding]:
        try:
            return explain_all(self.facts(sorted(topics)[:TOPICS], offsets))
        except UserError as error:  # a cluster that does not answer is a reason, too
            return list(error.findings)

    def facts(self, topics: Collection[str], offsets: Offsets) -> list[StallFacts]:
        names = {topic: name for topic in topics if (name := self._target_topic(topic))}
        unreadable = _missing(self.source, Operation.READ, names)
        readable = {topic: name for topic, name in names.items() if topic not in unreadable}
        counts = _partitions(self.source, readable) or {}
        ranges = self.source.offset_ranges(counts)
        targets = _partitions(self.target, readable.values())
        unwritable = _missing(self.target, Operation.WRITE, readable.values())
        limits = self._limits(readable.values())
        large = self._large_records(counts, offsets, {t: limits.get(n) for t, n in names.items()})
        return [
            StallFacts(
                topic=topic,
                target_topic=name,
                source=self.source.alias,
                target=self.target.alias,
                last_offsets={
                    each.partition: at for each, at in offsets.items() if each.topic == topic
                },
                source_ends={n: end for n, (_, end) in enumerate(ranges.get(topic, ()))},
                target_partitions=None if targets is None else targets.get(name, 0),
                # Brokers refuse everything on a topic that does not exist.
                missing_permissions=unreadable.get(topic, ())
                or (unwritable.get(name, ()) if targets is None or name in targets else ()),
                large_record=large.get(topic),
                max_message_bytes=limits.get(name),
                max_request_size=self._max_request_size,
            )
            for topic, name in names.items()
        ]

    def _target_topic(self, topic: str) -> str | None:
        return self._policy.target_topic(topic) if self._policy else None

    @cached_property
    def _policy(self) -> ReplicationPolicy | None:
        """None under a class whose names are not known."""
        config, java_class = self.config, self.config.get("replication.policy.class", "")
        source = config.get("source.cluster.alias", self.source.alias)
        target = config.get("target.cluster.alias", self.target.alias)
        separator = config.get("replication.policy.separator", SEPARATOR)
        if self.names:
            own = PolicyClass(java_class, NameTemplate(self.names))
            return ReplicationPolicy(Naming.CUSTOM, source, target, separator, own)
        for naming in (Naming.PREFIXED, Naming.IDENTITY):
            policy = ReplicationPolicy(naming, source, target, separator)
            if policy.java_class == java_class:
                return policy
        return None

    def _limits(self, names: Collection[str]) -> dict[str, int]:
        """`max.message.bytes` by target topic, where the principal may read it."""
        try:
            configs = self.target.topic_configs(list(names), [MAX_MESSAGE_BYTES])
        except UserError:
            return {}
        return {
            name: int(values[MAX_MESSAGE_BYTES])
            for name, values in configs.items()
            if MAX_MESSAGE_BYTES in values
        }

    @property
    def _max_request_size(self) -> int:
        return int(self.config.get(MAX_REQUEST_SIZE, DEFAULT_MAX_REQUEST_SIZE))

    def _large_records(
        self, partitions: Mapping[str, int], offsets: Offsets, limits: Mapping[str, int | None]
    ) -> dict[str, LargeRecord]:
        """By topic, the first record that exceeds a limit. Offsets are committed late, so it need
        not be the next one."""
        # What a broker measures is compressed: only the producer's limit is certain then.
        compressed = self.config.get(COMPRESSION, "none") != "none"
        smallest = {
            topic: min(self._max_request_size, limit or math.inf)
            if not compressed
            else self._max_request_size
            for topic, limit in limits.items()
        }
        starts = {
            each: offsets[each] + 1 if each in offsets else BEGINNING
            for each in all_partitions(partitions)
        }
        found: dict[str, LargeRecord] = {}
        with OffsetRangeReader(self.source, ignore_errors=True) as reader:
            for batch in reader.batches(starts, seconds=SCAN_SECONDS):
                for (topic, partition), message in batch:
                    size = _size(message)
                    if topic not in found and size + RECORD_OVERHEAD > smallest[topic]:
                        found[topic] = LargeRecord(partition, message.offset() or 0, size)
                reader.finish([each for each in reader.unfinished if each.topic in found])
        return found


def _missing(
    cluster: KafkaCluster, operation: Operation, topics: Collection[str]
) -> dict[str, tuple[MissingPermission, ...]]:
    """By topic, what the principal may not do."""
    required = [
        EffectivePermission(ResourceType.TOPIC, name, operation, "MirrorMaker needs it")
        for name in sorted(topics)
    ]
    missing = missing_permissions(cluster, required)
    return {each.name: (_described(cluster, each),) for each in missing}


def _described(cluster: KafkaCluster, permission: EffectivePermission) -> MissingPermission:
    who = cluster.connection
    return MissingPermission(
        cluster=cluster.alias,
        principal=who.username,
        description=f"{permission.operation.value} on {permission.type.value} {permission.name}",
        command=permission.command(who.username, who.bootstrap_servers),
    )


def _partitions(cluster: KafkaCluster, topics: Collection[str]) -> dict[str, int] | None:
    """Of the topics that exist; None where the principal may not describe one of them."""
    try:
        described = cluster.describe_topics(list(topics))
    except UserError:
        return None
    return {name: topic.partitions for name, topic in described.items()}


def _size(message: Message) -> int:
    headers = message.headers() or ()
    parts = [message.key(), message.value(), *(part for header in headers for part in header)]
    return sum(len(part) for part in parts if part)
