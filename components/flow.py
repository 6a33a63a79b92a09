"""One flow: the connectors that replicate records, offsets and heartbeats to the target."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import pulumi

from components.connector import Connector, ConnectorArgs, ConnectorSource, ConnectorTarget
from components.flow_health import FlowHealth, FlowHealthArgs
from mirrorstack.connect.health import Expectation
from mirrorstack.connect.rest_login import RestLogin
from mirrorstack.kubernetes.strimzi_keys import declared_keys
from mirrorstack.mm2.connector_configs import ConnectorKind
from mirrorstack.mm2.worker_group import ConnectorNaming
from mirrorstack.planning.deployment import FlowDeployment, WorkerDeployment


@dataclass(frozen=True, kw_only=True)
class MirrorFlowArgs:
    flow: FlowDeployment
    source: ConnectorSource
    rest_url: pulumi.Input[str]
    """Of the workers next to the target."""
    target: ConnectorTarget | None = None
    """To delete the connectors when the workers are gone, and to explain stalls."""
    login: RestLogin = field(default_factory=RestLogin)
    """For their REST API."""
    workers: WorkerDeployment | None = None
    """The workers themselves; needed where they get connectors from their own configuration."""


class MirrorFlow(pulumi.ComponentResource):
    """The connectors of one flow. Complete when they are healthy, which RUNNING alone is not."""

    connector_names: pulumi.Output[list[str]]

    def __init__(
        self, name: str, args: MirrorFlowArgs, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        super().__init__("mirrorstack:index:MirrorFlow", name, None, opts)
        flow = args.flow
        expectations = {
            ConnectorKind.SOURCE: Expectation(
                partitions=flow.partitions,
                records=flow.with_records,
                discovers=flow.is_live,
                # Patterns may match nothing yet.
                may_idle=not flow.partitions,
            ),
            # It has no task until a group has committed offsets.
            ConnectorKind.CHECKPOINT: Expectation(may_idle=True),
            ConnectorKind.HEARTBEAT: Expectation(),
        }
        workers = args.workers
        if workers is not None and not workers.group.has_rest_api:
            self._declare_health(name, args, workers, expectations)
            return
        connectors = [
            Connector(
                f"{name}-{connector.kind}",
                ConnectorArgs(
                    rest_url=args.rest_url,
                    name=connector.name,
                    config=connector.config,
                    state=flow.state,
                    expect=expectations[connector.kind],
                    new_topics=flow.new_topics if connector.kind is ConnectorKind.SOURCE else (),
                    names=flow.names if connector.kind is ConnectorKind.SOURCE else None,
                    source=args.source if connector.kind is ConnectorKind.SOURCE else None,
                    target=args.target,
                    login=args.login,
                ),
                pulumi.ResourceOptions(parent=self),
            )
            for connector in flow.connectors
        ]
        self.connector_names = pulumi.Output.all(*(each.name for each in connectors))
        self.register_outputs({"connector_names": self.connector_names})

    def _declare_health(
        self,
        name: str,
        args: MirrorFlowArgs,
        workers: WorkerDeployment,
        expectations: Mapping[ConnectorKind, Expectation],
    ) -> None:
        if args.target is None:
            raise ValueError("the health of a flow is read from its target")
        health = FlowHealthArgs(
            flow=args.flow,
            expectations=expectations,
            elsewhere=frozenset(
                [ConnectorKind.HEARTBEAT] if workers.group.separate_heartbeats else []
            ),
            declared_keys=declared_keys
            if workers.group.naming is ConnectorNaming.STRIMZI
            else lambda _config: (),
            source=args.source,
            target=args.target,
            storage=workers.group.storage_of(args.flow.source),
            runtime=workers.runtime,
            options=workers.placement.options,
            rest_url=workers.placement.rest_url,
        )
        FlowHealth(f"{name}-health", health, pulumi.ResourceOptions(parent=self))
        names = [connector.name for connector in args.flow.connectors]
        self.connector_names = pulumi.Output.from_input(names)
        self.register_outputs({"connector_names": names})
