"""Everything that a deployment declares, ready for the components: they only create resources.

`preflight` builds it. It is frozen, and making resources from it needs no cluster and no file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mirrorstack.config.clusters import AclMode
from mirrorstack.config.settings import StackSettings
from mirrorstack.config.workers import WorkerSettings
from mirrorstack.connect.storage import OffsetsLocation
from mirrorstack.findings import Finding
from mirrorstack.kafka.admin import KafkaCluster
from mirrorstack.kafka.java_client import ClientAccess
from mirrorstack.kafka.permissions import EffectivePermission
from mirrorstack.mm2.connector_configs import ConnectorConfig
from mirrorstack.mm2.target_topics import TargetTopic
from mirrorstack.mm2.worker_group import WorkerGroup
from mirrorstack.planning.cluster_acls import ClusterAcls
from mirrorstack.planning.connections import PasswordReference
from mirrorstack.planning.policy_jars import PolicyJar
from mirrorstack.runtimes.base import WorkerPlacement
from mirrorstack.strimzi.strimzi_cluster import StrimziCluster


@dataclass(frozen=True, kw_only=True)
class ClusterDeployment:
    """One cluster: what the stack declares on it."""

    mirror: KafkaCluster
    """As the mirroring principal."""
    mirror_password: PasswordReference
    admin: KafkaCluster | None
    """As the admin; None where the stack does not administer the cluster."""
    admin_password: PasswordReference = field(default_factory=PasswordReference)
    ca_certificates: str | None = None
    """PEM text; None: those that the machine trusts."""
    acls: ClusterAcls
    permissions: tuple[EffectivePermission, ...] = ()
    """What the ACLs must come to for the mirroring principal."""
    internal_topics: tuple[TargetTopic, ...] = ()
    """Of MM2 and Connect."""
    connect_topics: frozenset[str] = frozenset()
    """Those of the internal topics that belong to the stack's own Connect group. The names of the
    others follow from the aliases, so another stack may use them, too."""
    existing_topics: Mapping[str, int] = field(default_factory=dict)
    """Topics that the cluster holds already, with their partitions: a declared one among them is
    imported."""
    strimzi: StrimziCluster | None = None
    """Where its KafkaTopics and KafkaUsers are, if the stack declares those."""

    @property
    def shared_topics(self) -> frozenset[str]:
        """Internal topics that another stack may use, where the stack declares that it shares its
        principal: they outlive the stack. Otherwise they must not outlive its target topics: MM2
        would not move checkpoints back for new ones."""
        if self.acls.mode is not AclMode.SHARED:
            return frozenset()
        return frozenset(topic.name for topic in self.internal_topics) - self.connect_topics

    @property
    def acl_outputs(self) -> dict[str, Any]:
        return self.acls.outputs(self.mirror.connection.bootstrap_servers)


@dataclass(frozen=True, kw_only=True)
class WorkerDeployment:
    """The Connect workers next to one target."""

    group: WorkerGroup
    settings: WorkerSettings
    placement: WorkerPlacement
    configs: tuple[Mapping[str, str], ...]
    """The properties of each worker, in the order of the placement's REST addresses: of a Connect
    worker, or those of dedicated mode. None of workers that somebody else runs."""
    heap_mb: int
    quick_start: bool = False
    """Start soon rather than run fast: for sandboxes."""
    passwords: Mapping[str, PasswordReference] = field(default_factory=dict)
    """Of the mirroring principals, by the alias of each cluster that the connectors reach."""
    jars: tuple[PolicyJar, ...] = ()
    """With the replication policies of the flows, for the workers' class path."""
    password_fingerprint: str = field(default="", repr=False)
    """Changes when one of the passwords changes."""
    flows: tuple[FlowDeployment, ...] = ()
    """To this target, for workers that get their connectors from their own configuration."""
    clusters: Mapping[str, ClientAccess] = field(default_factory=dict)
    """How the workers reach each cluster, by its alias."""

    @property
    def runtime(self) -> str:
        """The name of the runtime."""
        return self.settings.runtime


@dataclass(frozen=True, kw_only=True)
class FlowDeployment:
    """One flow: its topics on the target, and its connectors."""

    name: str
    source: str
    target: str
    state: str
    connectors: tuple[ConnectorConfig, ...]
    """With the names that they have in Connect."""
    offsets: OffsetsLocation
    """Of the source connector."""
    tasks: int
    """Most tasks of each connector."""
    target_topics: tuple[TargetTopic, ...]
    """Those that the stack creates."""
    is_live: bool = False
    """Whether MM2 discovers topics by patterns."""
    discovered_topics: Mapping[str, int] = field(default_factory=dict)
    """Target topics that MM2 creates, and how many partitions each has on the source."""
    names: str | None = None
    """The names that the flow's own replication policy gives, such as `{source}_{topic}`."""
    synced_configs: tuple[str, ...] = ()
    """The topic configs that MM2 owns."""
    partitions: Mapping[str, int] = field(default_factory=dict)
    """By source topic: these must be assigned to tasks, and no topic besides unless MM2 discovers
    topics."""
    shared_topics: frozenset[str] = frozenset()
    """Target topics that another stack may use, too, and that outlive the stack: heartbeats."""
    recreated_topics: frozenset[str] = frozenset()
    """Target topics that are deleted and recreated with fewer partitions."""
    new_topics: tuple[str, ...] = ()
    """Source topics whose target topics are about to be created or recreated: they are replicated
    from earliest."""
    with_records: frozenset[str] = frozenset()
    """Source topics that hold records, of which some must arrive."""


@dataclass(frozen=True, kw_only=True)
class RecordContent:
    """What the deployment record keeps in the state, to compare the next deployment with."""

    connectors: Mapping[str, Mapping[str, Any]]
    """By name, of the source connectors; with the REST address of the workers and the login."""
    topics: Mapping[str, Mapping[str, Any]]
    """Target topics by `target/name`."""
    intent: Mapping[str, str]
    offset_ranges: Mapping[str, Any] = field(default_factory=dict)
    """By connector: the offset ranges that the source holds of its topics."""
    acls: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """By cluster; see `previous_acls.acl_record`."""


@dataclass(frozen=True, kw_only=True)
class Deployment:
    """What one deployment declares. Without passwords in its repr."""

    stack: str
    settings: StackSettings
    peers: Mapping[str, StackSettings] = field(default_factory=dict)
    """By file, the stacks that `settings.peers` names; policies check all of them together."""
    clusters: Mapping[str, ClusterDeployment]
    """By alias."""
    workers: Mapping[str, WorkerDeployment]
    """By target."""
    flows: Sequence[FlowDeployment]
    record: RecordContent
    report_directory: str = ""
    """For the reports of the smoke test."""
    warnings: tuple[Finding, ...] = ()
