"""Both clusters of a flow, and what is asked of them once."""

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
from mirrorstack.verify.reading.internal_topics import OffsetSync, decode_offset_syncs
from mirrorstack.verify.reading.records import RecordReader
from mirrorstack.verify.reading.scope import Scope, TopicIdentity, build_scope

COMPARISON_CONFIGS = ("cleanup.policy", "message.timestamp.type")
"""The topic configs that decide how a topic is compared."""


@dataclass(frozen=True)
class FlowEndpoints:
    """Connects as the `admin` principal where the stack administers a cluster, else as `mirror`."""

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
    def source_topics(self) -> dict[str, TopicDescription]:
        return self.source.describe_topics(self.flow.topics)

    @cached_property
    def target_topics(self) -> dict[str, TopicDescription]:
        """The target topics that exist."""
        return self.target.describe_topics(list(self._matching.by_target_topic))

    @cached_property
    def scope(self) -> Scope:
        """What is compared: all topics that match the flow and are deployed."""
        return self._matching.only(lambda pair: pair.topic not in self.undeployed_topics)

    @cached_property
    def _matching(self) -> Scope:
        topics = tuple(topic for topic in self.flow.topics if topic in self.source_topics)
        flow = replace(self.flow, topics=topics)
        return build_scope(
            flow,
            {name: topic.partitions for name, topic in self.source_topics.items()},
            self.source.topic_configs(topics, COMPARISON_CONFIGS),
            self.target.topic_configs(list(flow.target_topics.values()), COMPARISON_CONFIGS),
        )

    @cached_property
    def identities(self) -> dict[str, TopicIdentity]:
        """Of the topics that exist on both sides."""
        return {
            pair.topic: TopicIdentity(
                self.source_topics[pair.topic].id,
                self.target_topics[pair.target_topic].id,
                pair.timestamps,
            )
            for pair in self.scope.topics
            if pair.target_topic in self.target_topics
        }

    @cached_property
    def offset_syncs(self) -> dict[TopicPartition, list[OffsetSync]]:
        """By partition of the source."""
        flow = self.flow.settings
        holder = self.source if flow.offset_syncs == "source" else self.target
        topic = flow.policy.offset_syncs_topic(flow.offset_syncs)
        return decode_offset_syncs(self.read_internal(holder, topic))

    @cached_property
    def undeployed_topics(self) -> frozenset[str]:
        """Source topics that match the flow, but that it has never replicated: there is neither a
        target topic nor an offset sync. A target topic that was deleted later has offset syncs."""
        absent = {
            pair.topic
            for pair in self._matching.topics
            if pair.target_topic not in self.target_topics
        }
        if not absent:
            return frozenset()
        return frozenset(absent - {partition.topic for partition in self.offset_syncs})

    def read_internal(self, cluster: KafkaCluster, topic: str) -> DataFrame:
        """All records of one of MirrorMaker's topics; an empty frame if it does not exist."""
        existing = cluster.describe_topics([topic])
        partitions = [
            TopicPartition(topic, number)
            for number in range(existing[topic].partitions if existing else 0)
        ]
        starts, ends = cluster.earliest_offsets(partitions), cluster.latest_offsets(partitions)
        reader = self.source_reader if cluster is self.source else self.target_reader
        return reader.read({each: OffsetRange(starts[each], ends[each]) for each in partitions})
