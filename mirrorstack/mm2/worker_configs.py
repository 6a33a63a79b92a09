"""The config of the Connect workers next to a target cluster."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from mirrorstack.kafka.java_client import ClientAccess, prefixed
from mirrorstack.mm2.connector_configs import BYTE_ARRAY_CONVERTER
from mirrorstack.mm2.flow import Flow

FILE_PROVIDER = "org.apache.kafka.common.config.provider.FileConfigProvider"


@dataclass(frozen=True)
class WorkerGroup:
    """The workers of one target cluster: one Connect group, three internal topics."""

    target: str
    group: str
    exactly_once: bool
    is_managed: bool = True
    """Whether the stack runs the workers; otherwise their internal topics and ACLs are not its
    own."""

    @classmethod
    def of(
        cls,
        target: str,
        flows: Iterable[Flow],
        group: str | None = None,
        *,
        is_managed: bool = True,
    ) -> WorkerGroup:
        """The workers of the flows to a target; `group` is their `group.id` if it is set."""
        return cls(
            target=target,
            group=group or f"mirrorstack-{target}",
            exactly_once=any(flow.exactly_once for flow in flows if flow.target == target),
            is_managed=is_managed,
        )

    @property
    def configs_topic(self) -> str:
        return f"{self.group}-configs"

    @property
    def offsets_topic(self) -> str:
        return f"{self.group}-offsets"

    @property
    def status_topic(self) -> str:
        return f"{self.group}-status"

    @property
    def internal_topics(self) -> dict[str, int]:
        """Name and partitions of the compacted topics in which Connect keeps its state, if they are
        the stack's."""
        if not self.is_managed:
            return {}
        # Connect requires one partition for configs; more for offsets and status spread the load.
        return {self.configs_topic: 1, self.offsets_topic: 5, self.status_topic: 5}


def worker_config(
    group: WorkerGroup,
    target: ClientAccess,
    replication_factor: int,
    of_runtime: Mapping[str, str],
) -> dict[str, str]:
    """A distributed worker's properties. `of_runtime`: those that depend on where it runs, from
    `Runtime.worker_properties`."""
    clients = target.client_properties()
    security = {key: value for key, value in clients.items() if key != "bootstrap.servers"}
    factor = str(replication_factor)
    return {
        **clients,
        # The worker's own clients, and those that it creates for connectors.
        **prefixed("producer.", security),
        **prefixed("consumer.", security),
        **prefixed("admin.", security),
        "group.id": group.group,
        "config.storage.topic": group.configs_topic,
        "offset.storage.topic": group.offsets_topic,
        "status.storage.topic": group.status_topic,
        "config.storage.replication.factor": factor,
        "offset.storage.replication.factor": factor,
        "status.storage.replication.factor": factor,
        "key.converter": BYTE_ARRAY_CONVERTER,
        "value.converter": BYTE_ARRAY_CONVERTER,
        "header.converter": BYTE_ARRAY_CONVERTER,
        "plugin.discovery": "service_load",
        "exactly.once.source.support": "enabled" if group.exactly_once else "disabled",
        "offset.flush.interval.ms": "10000",
        # The tasks of a lost worker wait this long for its return, and replicate nothing meanwhile.
        # Connect's default of five minutes exceeds any recovery objective.
        "scheduled.rebalance.max.delay.ms": "10000",
        "connector.client.config.override.policy": "All",
        **of_runtime,
    }
