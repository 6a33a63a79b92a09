"""A connector on a Kafka Connect cluster as a Pulumi resource."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

import pulumi
from pulumi.dynamic import Resource

from components.cluster_props import cluster_props
from components.connector_provider import PROVIDER_VERSION, ConnectorProvider
from mirrorstack.connect.health import Expectation
from mirrorstack.connect.protocol import ConnectorState
from mirrorstack.connect.rest_login import RestLogin
from mirrorstack.kafka.admin import KafkaCluster
from mirrorstack.planning.connections import PasswordReference


@dataclass(frozen=True, kw_only=True)
class ConnectorSource:
    """The source cluster of a connector, as its mirroring principal: to see that records move."""

    cluster: KafkaCluster
    password: PasswordReference


@dataclass(frozen=True, kw_only=True)
class ConnectorTarget:
    """The target cluster of a connector, as its mirroring principal, and the group that the workers
    form there: to delete the connector when the workers are gone."""

    cluster: KafkaCluster
    password: PasswordReference
    group: str
    configs_topic: str | None
    """None: the workers are somebody else's, and only they may write to it."""


@dataclass(frozen=True, kw_only=True)
class ConnectorArgs:
    rest_url: pulumi.Input[str]
    """Any worker's address, http(s)://host:port, without credentials."""
    name: pulumi.Input[str]
    """The connector's name in Connect. Its offsets belong to the name: under another name it
    restarts from earliest."""
    config: pulumi.Input[Mapping[str, pulumi.Input[Any]]]
    """Secrets only as references to the worker's config providers."""
    state: pulumi.Input[str] = ConnectorState.RUNNING.value
    expect: Expectation = field(default_factory=Expectation)
    """What a running connector must show before its deployment is complete."""
    new_topics: Collection[str] = ()
    """Source topics whose target topics are about to be created: they are replicated from earliest,
    whatever offsets are left of earlier target topics."""
    names: str | None = None
    """The names that a replication policy of one's own gives: a change of them is a change of
    naming, although the class stays the same."""
    source: ConnectorSource | None = None
    target: ConnectorTarget | None = None
    login: RestLogin = field(default_factory=RestLogin)
    """For the REST API; it refers to secrets, which are read whenever they are needed."""
    ready_within: float = 300.0
    """Seconds for the worker to answer and the connector to become healthy."""
    provider_version: str = PROVIDER_VERSION


class Connector(Resource, module="kafkaconnect", name="Connector"):
    """A connector that is created, updated and checked through Connect's REST API.

    Deleting it keeps its offsets: a connector of the same name resumes from them.
    """

    rest_url: pulumi.Output[str]
    name: pulumi.Output[str]
    config: pulumi.Output[dict[str, str]]
    state: pulumi.Output[str]

    def __init__(
        self, name: str, args: ConnectorArgs, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        source = args.source
        super().__init__(
            ConnectorProvider(),
            name,
            {
                "rest_url": args.rest_url,
                "name": args.name,
                "config": args.config,
                "state": args.state,
                "expect": args.expect.encoded(),
                "new_topics": sorted(args.new_topics),
                "names": args.names,
                "source": cluster_props(source.cluster, source.password) if source else None,
                "target": _target_props(args.target) if args.target else None,
                **args.login.as_props(),
                "ready_within": args.ready_within,
                "provider_version": args.provider_version,
            },
            opts,
        )


def _target_props(target: ConnectorTarget) -> dict[str, Any]:
    return {
        "cluster": cluster_props(target.cluster, target.password),
        "group": target.group,
        **({"configs_topic": target.configs_topic} if target.configs_topic else {}),
    }
