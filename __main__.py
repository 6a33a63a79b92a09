"""Mirrorstack's Pulumi program: settings in, components, outputs out."""

from __future__ import annotations

import pulumi

from components.providers import kafka_provider
from components.topics import MirroredTopics, MirroredTopicsArgs
from mirrorstack.kafka.cluster import KafkaCluster
from mirrorstack.model.settings import StackSettings, parse
from mirrorstack.model.topics import target_topics
from mirrorstack.problem import Problem
from mirrorstack.sandbox.connection import connection


def main() -> None:
    config = pulumi.Config()
    keys = {key: config.get_object(key) for key in StackSettings.model_fields}
    settings = parse(
        {key: value for key, value in keys.items() if value is not None},
        where=f"stacks/Pulumi.{pulumi.get_stack()}.yaml",
    )
    connections = {
        alias: connection(cluster.sandbox, alias, "admin")
        for alias, cluster in settings.clusters.items()
    }
    clusters = {
        alias: KafkaCluster(alias, connection.client_config(), "mirrorstack sandbox up")
        for alias, connection in connections.items()
    }
    providers = {
        alias: kafka_provider(alias, connections[alias])
        for alias in dict.fromkeys(flow.target for flow in settings.flows)
    }
    for flow in settings.flows:
        topics = target_topics(
            flow.source,
            clusters[flow.source].describe_topics(flow.topics),
            clusters[flow.target].broker_count(),
        )
        mirrored = MirroredTopics(
            flow.name,
            MirroredTopicsArgs(topics=topics),
            pulumi.ResourceOptions(providers=[providers[flow.target]]),
        )
        pulumi.export(flow.name, {"topics": mirrored.names})


try:
    main()
except Problem as problem:
    # A RunError is shown as it is, without a traceback.
    raise pulumi.RunError(str(problem)) from None
