"""Mirrorstack's Pulumi program: settings in, components, outputs out."""

from __future__ import annotations

import sys

import pulumi
from pulumi.runtime.config import get_config_env

from components.acls import Grants, GrantsArgs
from components.flow import MirrorFlow, MirrorFlowArgs
from components.providers import kafka_provider
from components.topics import Topics, TopicsArgs
from components.workers import ConnectWorkers, ConnectWorkersArgs
from mirrorstack.kafka.stack import StackClusters
from mirrorstack.model.connectors import connector_configs
from mirrorstack.model.plan import plan
from mirrorstack.model.settings import parse
from mirrorstack.model.topics import replication_factor
from mirrorstack.problem import Problem


def main() -> None:
    config = pulumi.Config()
    prefix = f"{pulumi.get_project()}:"
    given = [key.removeprefix(prefix) for key in get_config_env() if key.startswith(prefix)]
    settings = parse(
        {key: config.get_object(key) for key in given},
        where=f"stacks/Pulumi.{pulumi.get_stack()}.yaml",
    )
    clusters = StackClusters(settings, pulumi.get_stack())
    planned = plan(settings, clusters.inventories())
    keep = not settings.delete_topics
    administered = {
        alias: pulumi.ResourceOptions(providers=[kafka_provider(alias, clusters.admin(alias))])
        for alias, cluster in settings.clusters.items()
        if cluster.administer
    }
    for alias in settings.clusters.keys() - administered.keys():
        pulumi.export(f"{alias}-grants", clusters.to_be_granted(alias, planned.grants))

    # Topics and grants first: a connector that starts without them is RUNNING and silent.
    ready: list[pulumi.Resource] = []
    for alias, options in administered.items():
        grants = [grant for grant in planned.grants if grant.cluster == alias]
        args = GrantsArgs(principal=clusters.mirror(alias).principal, grants=grants)
        granted = Grants(f"{alias}-grants", args, options)
        internal = TopicsArgs(
            topics=planned.internal[alias], existing=clusters.topics(alias), keep=keep
        )
        ready += [granted, Topics(f"{alias}-internal", internal, options)]
        pulumi.export(f"{alias}-grants", granted.table)
    mirrored = {
        flow.settings.name: Topics(
            flow.settings.name,
            TopicsArgs(
                topics=planned.mirrored[flow.settings.name],
                existing=clusters.topics(flow.settings.target),
                keep=keep,
            ),
            administered[flow.settings.target],
        )
        for flow in planned.flows
    }

    workers = {
        target: ConnectWorkers(
            f"{target}-workers",
            ConnectWorkersArgs(
                group=group,
                settings=settings.workers_at(target),
                target=clusters.mirror(target, at=target),
                replication_factor=replication_factor(clusters.brokers(target)),
                rest_port=clusters.rest_port(target),
                directory=clusters.worker_directory(target),
                places=clusters.places(),
            ),
            pulumi.ResourceOptions(depends_on=ready),
        )
        for target, group in planned.workers.items()
    }

    for flow in planned.flows:
        source, target, name = flow.settings.source, flow.settings.target, flow.settings.name
        moving = MirrorFlow(
            f"{name}-flow",
            MirrorFlowArgs(
                connectors=connector_configs(
                    flow.settings,
                    clusters.mirror(source, at=target),
                    clusters.mirror(target, at=target),
                    flow.topics,
                    replication_factor(clusters.brokers(target)),
                ),
                state=flow.settings.state,
                rest_url=workers[target].rest_url,
                credentials_file=workers[target].credentials_file,
                partitions=clusters.partitions(source, flow.topics),
                with_records=clusters.with_records(source, flow.topics),
            ),
            pulumi.ResourceOptions(depends_on=[workers[target], mirrored[name]]),
        )
        pulumi.export(name, {"topics": mirrored[name].names, "connectors": moving.connector_names})
    pulumi.export("connect", {target: each.rest_url for target, each in workers.items()})


try:
    main()
except Problem as problem:
    # Shown once and without a traceback: this status tells the host that it has been said.
    pulumi.log.error(str(problem))
    sys.exit(32)
