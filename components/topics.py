"""The topics that a stack owns on one cluster."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import pulumi
import pulumi_kafka as kafka

from mirrorstack.mm2.target_topics import TargetTopic


@dataclass(frozen=True, kw_only=True)
class TopicsArgs:
    topics: Sequence[TargetTopic]
    existing: Collection[str] = ()
    """Topics that the cluster holds already: a declared one among them is imported."""
    recreated: Collection[str] = ()
    """Topics that are deleted and recreated with fewer partitions."""
    keep: bool = True
    """Whether topics outlive the stack. Deleting one deletes its records, so it is opt-in."""
    always_kept: Collection[str] = ()
    """Topics that another stack may use, too: no stack deletes them."""


class Topics(pulumi.ComponentResource):
    """Topics that MM2 writes to, or that it and Connect keep their state in."""

    names: pulumi.Output[list[str]]

    def __init__(
        self, name: str, args: TopicsArgs, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        super().__init__("mirrorstack:index:Topics", name, None, opts)
        self.resources = [
            kafka.Topic(
                f"{name}-{topic.name}",
                name=topic.name,
                partitions=topic.partitions,
                replication_factor=topic.replication_factor,
                config=dict(topic.config),
                opts=pulumi.ResourceOptions(
                    parent=self,
                    retain_on_delete=args.keep or topic.name in args.always_kept,
                    # Without effect on a topic that is in the state already.
                    import_=topic.name if topic.name in args.existing else None,
                    # MM2 adds the partitions that are added on the source. The provider fails to
                    # update a topic that has them already.
                    ignore_changes=[] if topic.name in args.recreated else ["partitions"],
                ),
            )
            for topic in args.topics
        ]
        self.names = pulumi.Output.all(*(topic.name for topic in self.resources))
        self.register_outputs({"names": self.names})
