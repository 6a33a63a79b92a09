"""Mirrorstack's Pulumi program: settings in, components, outputs out."""

from __future__ import annotations

import pulumi
from pulumi.runtime.config import get_config_env

from components.providers import kafka_provider
from components.topics import MirroredTopics, MirroredTopicsArgs
from mirrorstack.kafka.cluster import KafkaCluster
from mirrorstack.model.naming import Naming, ReplicationPolicy
from mirrorstack.model.settings import parse
from mirrorstack.model.topics import target_topics
from mirrorstack.problem import Problem
from mirrorstack.sandbox.connection import connection


def main() -> None:
    config = pulumi.Config()
    prefix = f"{pulumi.get_project()}:"
    given = [key.removeprefix(prefix) for key in get_config_env() if key.startswith(prefix)]
    settings = parse(
        {key: config.get_object(key) for key in given},
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
            ReplicationPolicy(Naming.PREFIXED, flow.source, flow.target),
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
