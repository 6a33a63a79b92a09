"""The topics that a stack owns on one cluster."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

import pulumi
import pulumi_kafka as kafka

from components.platforms.strimzi_objects import other_versions
from mirrorstack.kubernetes.worker_pods import Manifest
from mirrorstack.mm2.target_topics import TargetTopic
from mirrorstack.strimzi.kafka_topics import kafka_topic
from mirrorstack.strimzi.strimzi_cluster import StrimziCluster


@dataclass(frozen=True, kw_only=True)
class TopicsArgs:
    topics: Sequence[TargetTopic]
    existing: Mapping[str, int] = field(default_factory=dict)
    """Topics that the cluster holds already, with their partitions: a declared one among them is
    imported."""
    recreated: Collection[str] = ()
    """Topics that are deleted and recreated with fewer partitions."""
    keep: bool = True
    """Whether topics outlive the stack. Deleting one deletes its records, so it is opt-in."""
    always_kept: Collection[str] = ()
    """Topics that another stack may use, too: no stack deletes them."""
    strimzi: StrimziCluster | None = None
    """Whose operator creates the topics, if they are KafkaTopics."""

    def is_kept(self, topic: str) -> bool:
        return self.keep or topic in self.always_kept


class Topics(pulumi.ComponentResource):
    """Topics that MM2 writes to, or that it and Connect keep their state in."""

    names: pulumi.Output[list[str]]

    def __init__(
        self, name: str, args: TopicsArgs, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        super().__init__("mirrorstack:index:Topics", name, None, opts)
        self.manifests: list[Manifest] = []
        """Of the KafkaTopics."""
        for topic in args.topics:
            if args.strimzi is None:
                self._declare(f"{name}-{topic.name}", topic, args)
            else:
                self._declare_resource(f"{name}-{topic.name}", topic, args, args.strimzi)
        self.names = pulumi.Output.from_input([topic.name for topic in args.topics])
        self.register_outputs({"names": self.names})

    def _declare(self, name: str, topic: TargetTopic, args: TopicsArgs) -> None:
        kafka.Topic(
            name,
            name=topic.name,
            partitions=topic.partitions,
            replication_factor=topic.replication_factor,
            config=dict(topic.config),
            opts=pulumi.ResourceOptions(
                parent=self,
                retain_on_delete=args.is_kept(topic.name),
                # Without effect on a topic that is in the state already.
                import_=topic.name if topic.name in args.existing else None,
                # MM2 adds the partitions that are added on the source. The provider fails to
                # update a topic that has them already.
                ignore_changes=[] if topic.name in args.recreated else ["partitions"],
            ),
        )

    def _declare_resource(
        self, name: str, topic: TargetTopic, args: TopicsArgs, strimzi: StrimziCluster
    ) -> None:
        # Imported where it is needed: Pulumi's Kubernetes SDK is large.
        from components.platforms.kubernetes_objects import declare_object

        recreated = topic.name in args.recreated
        existing = 0 if recreated else args.existing.get(topic.name, 0)
        manifest = kafka_topic(strimzi, topic, existing)
        self.manifests.append(manifest)
        declare_object(
            name,
            manifest,
            pulumi.ResourceOptions(
                parent=self,
                retain_on_delete=args.is_kept(topic.name),
                # The operator removes no partitions.
                replace_on_changes=["spec.partitions"] if recreated else [],
                delete_before_replace=recreated,
                aliases=other_versions(manifest),
            ),
        )
