"""The target-side topics of a flow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pulumi
import pulumi_kafka as kafka

from mirrorstack.model.topics import TargetTopic


@dataclass(frozen=True, kw_only=True)
class MirroredTopicsArgs:
    topics: Sequence[TargetTopic]


class MirroredTopics(pulumi.ComponentResource):
    """Topics on the target that MirrorMaker writes to and this stack owns.

    They are protected: deleting one deletes records, so it takes more than removing a line.
    """

    names: pulumi.Output[list[str]]
    """The topics' names on the target."""

    def __init__(
        self, name: str, args: MirroredTopicsArgs, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        super().__init__("mirrorstack:index:MirroredTopics", name, None, opts)
        self.resources = [
            kafka.Topic(
                f"{name}-{topic.name}",
                name=topic.name,
                partitions=topic.partitions,
                replication_factor=topic.replication_factor,
                config=dict(topic.config),
                opts=pulumi.ResourceOptions(parent=self, protect=True),
            )
            for topic in args.topics
        ]
        self.names = pulumi.Output.all(*(topic.name for topic in self.resources))
        self.register_outputs({"names": self.names})
