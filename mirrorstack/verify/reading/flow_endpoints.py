"""Both ends of a flow, and what is asked of them once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from pyspark.sql import DataFrame, SparkSession

from mirrorstack.config.clusters import Role
from mirrorstack.config.flows import FlowSettings
from mirrorstack.config.settings import StackSettings
from mirrorstack.kafka.admin import KafkaCluster
from mirrorstack.kafka.inventory import TopicDescription
from mirrorstack.kafka.offset_ranges import OffsetRange
from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.mm2.resolved_flow import ResolvedFlow
from mirrorstack.planning.clusters import StackClusters
from mirrorstack.verify.reading.internal_topics import OffsetSync, syncs
from mirrorstack.verify.reading.records import RecordReader
from mirrorstack.verify.reading.scope import Scope, TopicIdentity, scope

COMPARISON_CONFIGS = ("cleanup.policy", "message.timestamp.type")
"""The topic configs that decide how a topic is compared."""


@dataclass(frozen=True)
class FlowEndpoints:
    """Asks both clusters as who looks after them, or else as the mirror."""

    spark: SparkSession
    settings: StackSettings
    clusters: StackClusters
    flow: ResolvedFlow[FlowSettings]

    def _cluster(self, alias: str) -> KafkaCluster:
        administer = self.settings.clusters[alias].administer
        return self.clusters.cluster(alias, Role.ADMIN if administer else Role.MIRROR)

    @cached_property
    def source(self) -> KafkaCluster:
        return self._cluster(self.flow.settings.source)

    @cached_property
    def target(self) -> KafkaCluster:
        return self._cluster(self.flow.settings.target)

    @cached_property
    def source_reader(self) -> RecordReader:
        return RecordReader(self.spark, self.source.connection)

    @cached_property
    def target_reader(self) -> RecordReader:
        return RecordReader(self.spark, self.target.connection)

    @cached_property
    def held(self) -> dict[str, TopicDescription]:
        return self.source.describe_topics(self.flow.topics)

    @cached_property
    def scope(self) -> Scope:
        flow = replace(self.flow, topics=tuple(t for t in self.flow.topics if t in self.held))
        remote = list(flow.target_topics.values())
        return scope(
            flow,
            {name: topic.partitions for name, topic in self.held.items()},
            self.source.topic_configs(flow.topics, COMPARISON_CONFIGS),
            self.target.topic_configs(remote, COMPARISON_CONFIGS),
        )

    @cached_property
    def now(self) -> dict[str, TopicIdentity]:
        """The topics that are on both sides, as they are now."""
        there = self.target.describe_topics([pair.target_topic for pair in self.scope.topics])
        return {
            pair.topic: TopicIdentity(
                self.held[pair.topic].id, there[pair.target_topic].id, pair.timestamps
            )
            for pair in self.scope.topics
            if pair.target_topic in there
        }

    @cached_property
    def notes(self) -> dict[TopicPartition, list[OffsetSync]]:
        """MirrorMaker's own, of which offset is which; by partition of the source."""
        flow = self.flow.settings
        at = self.source if flow.offset_syncs == "source" else self.target
        return syncs(self.internal(at, flow.policy.offset_syncs_topic(flow.offset_syncs)))

    def internal(self, cluster: KafkaCluster, topic: str) -> DataFrame:
        """All that a topic of MirrorMaker's holds; nothing where it is not there."""
        known = cluster.describe_topics([topic])
        places = [
            TopicPartition(topic, number)
            for number in range(known[topic].partitions if known else 0)
        ]
        starts, ends = cluster.earliest_offsets(places), cluster.latest_offsets(places)
        reader = self.source_reader if cluster is self.source else self.target_reader
        return reader.read({place: OffsetRange(starts[place], ends[place]) for place in places})
