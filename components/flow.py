"""One flow: the connectors that move records, offsets and heartbeats from source to target."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import pulumi

from components.connector import Connector, ConnectorArgs
from mirrorstack.connect.health import Expectation
from mirrorstack.kafka.admin import KafkaCluster
from mirrorstack.mm2.connector_configs import ConnectorConfig, ConnectorKind


@dataclass(frozen=True, kw_only=True)
class MirrorFlowArgs:
    connectors: Sequence[ConnectorConfig]
    state: str
    source: KafkaCluster
    """As its mirroring principal sees it."""
    rest_url: pulumi.Input[str]
    credentials_file: pulumi.Input[str]
    partitions: Mapping[str, int]
    """The source's topics and their partitions: exactly these must be assigned to tasks."""
    fresh: Collection[str] = ()
    """Those whose copies are not on the target yet."""
    with_records: frozenset[str] = frozenset()
    """Those of them that hold records, of which some must arrive."""


class MirrorFlow(pulumi.ComponentResource):
    """The connectors of one flow. It is done when they are healthy, not when they are RUNNING."""

    connector_names: pulumi.Output[list[str]]

    def __init__(
        self, name: str, args: MirrorFlowArgs, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        super().__init__("mirrorstack:index:MirrorFlow", name, None, opts)
        expectations = {
            ConnectorKind.SOURCE: Expectation(
                partitions=args.partitions, records=args.with_records
            ),
            # It has no task until a group has committed something.
            ConnectorKind.CHECKPOINT: Expectation(may_idle=True),
            ConnectorKind.HEARTBEAT: Expectation(),
        }
        self.resources = [
            Connector(
                f"{name}-{connector.kind}",
                ConnectorArgs(
                    rest_url=args.rest_url,
                    name=connector.name,
                    config=connector.config,
                    state=args.state,
                    expect=expectations[connector.kind],
                    fresh=args.fresh if connector.kind is ConnectorKind.SOURCE else (),
                    source=args.source if connector.kind is ConnectorKind.SOURCE else None,
                    credentials_file=args.credentials_file,
                ),
                pulumi.ResourceOptions(parent=self),
            )
            for connector in args.connectors
        ]
        self.connector_names = pulumi.Output.all(*(each.name for each in self.resources))
        self.register_outputs({"connector_names": self.connector_names})
