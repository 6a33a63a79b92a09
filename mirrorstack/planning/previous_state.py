"""What the previous deployment declared, from the stack's own state.

Not from files: a CI runner has none, and a machine may have files of another stack's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from mirrorstack.changes.diff import decode_topics
from mirrorstack.config.workers import RuntimeName
from mirrorstack.mm2.worker_group import ConnectorNaming, WorkerGroup
from mirrorstack.planning.previous_acls import PreviousAcls
from mirrorstack.runtimes.base import DeployedWorkers

GROUP_SEPARATOR = ","
WORKERS_TYPE = "mirrorstack:index:ConnectWorkers"
CONNECTOR_TYPE = "pulumi-python:dynamic/kafkaconnect:Connector"
FLOW_TYPE = "pulumi-python:dynamic/mirrorstack:FlowHealth"
STRIMZI_TYPE = "mirrorstack:index:StrimziCluster"
RECORD_TYPE = "pulumi-python:dynamic/mirrorstack:DeploymentRecord"


@dataclass(frozen=True)
class PreviousState:
    workers: Mapping[str, DeployedWorkers] = field(default_factory=dict)
    """By target."""
    connectors: frozenset[str] = frozenset()
    """Names of the connectors; where the stack does not create them itself, those of the source
    connectors that it would create."""
    deletable_topics: frozenset[str] = frozenset()
    """Target topics, as `west/east.orders`, that are resources of their own: Pulumi deletes each
    that is no longer declared, because `delete-topics` was set."""
    strimzi: frozenset[str] = frozenset()
    """Clusters whose topics are KafkaTopics."""
    kafka_users: frozenset[str] = frozenset()
    """Clusters on which the ACLs are those of a KafkaUser."""
    acls: PreviousAcls = field(default_factory=PreviousAcls)

    @classmethod
    def of(cls, resources: Mapping[str, Mapping[str, Any]]) -> PreviousState:
        """`resources` by URN, each with `type` and `outputs`."""
        workers: dict[str, DeployedWorkers] = {}
        connectors: set[str] = set()
        deletable: set[str] = set()
        strimzi: dict[str, bool] = {}
        for resource in resources.values():
            outputs = resource.get("outputs") or {}
            if resource["type"] == WORKERS_TYPE and outputs.get("target"):
                workers[outputs["target"]] = DeployedWorkers(
                    outputs["target"],
                    tuple(outputs["group"].split(GROUP_SEPARATOR)),
                    outputs["rest_url"],
                    outputs.get("runtime") or RuntimeName.LOCAL_PROCESS,
                    ConnectorNaming(outputs.get("naming") or ConnectorNaming.STACK),
                )
            elif resource["type"] in (CONNECTOR_TYPE, FLOW_TYPE) and outputs.get("name"):
                connectors.add(outputs["name"])
            elif resource["type"] == STRIMZI_TYPE and outputs.get("cluster"):
                strimzi[outputs["cluster"]] = outputs.get("acls") is True
            elif resource["type"] == RECORD_TYPE:
                deletable |= {
                    name
                    for name, record in decode_topics(outputs.get("topics") or {}).items()
                    if record.get("delete_topics") and not record.get("discovered")
                }
        return cls(
            workers,
            frozenset(connectors),
            frozenset(deletable),
            frozenset(strimzi),
            frozenset(alias for alias, has_acls in strimzi.items() if has_acls),
            PreviousAcls.of(resources),
        )

    def names_connectors_as(self, group: WorkerGroup) -> bool:
        """Whether the connectors of these workers have the names that they had before."""
        deployed = self.workers.get(group.target)
        return deployed is not None and deployed.naming is group.naming

    def workers_on(self, target: str, runtime: str) -> DeployedWorkers | None:
        """The deployed workers of a target, if they are on this runtime."""
        deployed = self.workers.get(target)
        return deployed if deployed and deployed.runtime == runtime else None

    def workers_of(self, target: str, group: str) -> DeployedWorkers | None:
        """The deployed workers of a target, if they form this group."""
        deployed = self.workers.get(target)
        return deployed if deployed and group in deployed.groups else None
