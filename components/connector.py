"""A connector on a Kafka Connect cluster as a Pulumi resource."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

import pulumi
from pulumi.dynamic import Resource

from components.cluster_props import as_input
from components.connector_provider import PROVIDER_VERSION, ConnectorProvider
from mirrorstack.connect.health import Expectation
from mirrorstack.connect.protocol import ConnectorState
from mirrorstack.kafka.admin import KafkaCluster


@dataclass(frozen=True, kw_only=True)
class ConnectorArgs:
    rest_url: pulumi.Input[str]
    """Any worker's address, http(s)://host:port, without credentials."""
    name: pulumi.Input[str]
    """What Connect calls it. Its offsets belong to the name: under another it starts anew."""
    config: pulumi.Input[Mapping[str, pulumi.Input[Any]]]
    """Secrets only as references to the worker's config providers."""
    state: pulumi.Input[str] = ConnectorState.RUNNING.value
    expect: Expectation = field(default_factory=Expectation)
    """What it must show, when it is to run, before a deployment counts it as done."""
    fresh: Collection[str] = ()
    """Topics of the source whose copies are about to be made: they are mirrored from their
    beginning, whatever offsets are left of earlier copies."""
    source: KafkaCluster | None = None
    """The cluster that it mirrors, as its mirroring principal: to see whether records move."""
    credentials_file: pulumi.Input[str] | None = None
    """JSON or properties with `username` and `password`, mode 0600; read whenever needed."""
    ca_file: pulumi.Input[str] | None = None
    """PEM, for https with a certificate authority of one's own."""
    ready_within: float = 300.0
    """Seconds for the worker to answer and the connector to become healthy."""
    provider_version: str = PROVIDER_VERSION


class Connector(Resource, module="kafkaconnect", name="Connector"):
    """A connector that is created, changed and watched through Connect's REST API.

    Deleting it keeps its offsets: a connector of the same name goes on where it ended.
    """

    rest_url: pulumi.Output[str]
    name: pulumi.Output[str]
    config: pulumi.Output[dict[str, str]]
    state: pulumi.Output[str]

    def __init__(
        self, name: str, args: ConnectorArgs, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        super().__init__(
            ConnectorProvider(),
            name,
            {
                "rest_url": args.rest_url,
                "name": args.name,
                "config": args.config,
                "state": args.state,
                "expect": _to_props(args.expect),
                "fresh": sorted(args.fresh),
                "asked": uuid.uuid4().hex if args.fresh else "",
                "source": as_input(args.source) if args.source else None,
                "credentials_file": args.credentials_file,
                "ca_file": args.ca_file,
                "ready_within": args.ready_within,
                "provider_version": args.provider_version,
            },
            opts,
        )


def _to_props(expect: Expectation) -> dict[str, Any]:
    props: dict[str, Any] = {"records": sorted(expect.records), "may_idle": expect.may_idle}
    if expect.partitions is not None:
        props["partitions"] = dict(expect.partitions)
    return props
