"""The clusters of one stack: what they hold, asked once for each run of the program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from mirrorstack.config.clusters import Role, password_key
from mirrorstack.config.settings import StackSettings
from mirrorstack.connect.storage import OffsetsLocation
from mirrorstack.kafka.acl_bindings import PrincipalAcls, describe_acls
from mirrorstack.kafka.admin import KafkaCluster
from mirrorstack.kafka.inventory import Inventory, TopicDescription
from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.kafka.permissions import EffectivePermission, missing_permissions
from mirrorstack.kafka.record_scan import connect_offsets
from mirrorstack.mm2.discovery import Discovery, named
from mirrorstack.mm2.replication_policy import HEARTBEATS, matches_any
from mirrorstack.planning.connections import Connections
from mirrorstack.planning.flow_resolution import HEARTBEATS_TOPIC

DEFAULT_SANDBOX = "default"


class StackClusters:
    """Asks each cluster once and keeps the answers."""

    def __init__(self, settings: StackSettings, connections: Connections) -> None:
        self._settings = settings
        self.connection = connections
        """By alias and role."""
        self._offsets: dict[tuple[str, OffsetsLocation], Mapping[TopicPartition, int]] = {}

    def cluster(self, alias: str, role: Role) -> KafkaCluster:
        """A cluster as the principal of a role."""
        return KafkaCluster(alias, self.connection(alias, role), self._fix(alias, role))

    def seen(self, alias: str) -> KafkaCluster:
        """A cluster as the principal that reads its metadata: the admin, or the mirroring principal
        where the stack does not administer the cluster."""
        return self._seen[alias]

    def inventories(self) -> dict[str, Inventory]:
        """What each cluster holds. Raises a UserError if a mirroring principal cannot log in."""
        held = self._inventories
        for alias in held:
            self.cluster(alias, Role.MIRROR).connect()
        return held

    def topics(self, alias: str) -> Mapping[str, TopicDescription]:
        """The topics of a cluster, by name."""
        return self._inventories[alias].topics

    def partitions(self, alias: str, topics: Sequence[str]) -> dict[str, int]:
        held = {HEARTBEATS: HEARTBEATS_TOPIC, **self._inventories[alias].topics}
        return {topic: held[topic].partitions for topic in topics}

    def with_records(self, alias: str, topics: Sequence[str]) -> frozenset[str]:
        """Of these topics, the ones that hold records."""
        return self._seen[alias].topics_with_records(self._existing(alias, topics))

    def offset_ranges(self, alias: str, topics: Sequence[str]) -> dict[str, list[tuple[int, int]]]:
        """By topic and partition: the first offset, and the one after the last."""
        return self._seen[alias].offset_ranges(self._existing(alias, topics))

    def connect_offsets(
        self, alias: str, location: OffsetsLocation
    ) -> Mapping[TopicPartition, int]:
        """By source partition, the last offset that a connector has replicated to a cluster."""
        if location.topic not in self.topics(alias):
            return {}
        if (alias, location) not in self._offsets:
            partitions = self.topics(alias)[location.topic].partitions
            self._offsets[alias, location] = connect_offsets(
                self._seen[alias], location.topic, partitions, location.connector
            )
        return self._offsets[alias, location]

    def has_members(self, alias: str, group: str) -> bool:
        """Whether a group of any kind, Connect's among them, has members now."""
        return self._seen[alias].has_members(group)

    def principal_acls(self, alias: str) -> PrincipalAcls:
        """The ACLs that the mirroring principal of a cluster has."""
        return describe_acls(self._seen[alias], self.connection(alias, Role.MIRROR).username)

    def missing_permissions(
        self, alias: str, required: Sequence[EffectivePermission]
    ) -> list[EffectivePermission]:
        """Those that the mirroring principal does not have."""
        return missing_permissions(self.cluster(alias, Role.MIRROR), required)

    def _existing(self, alias: str, topics: Sequence[str]) -> dict[str, int]:
        held = [topic for topic in topics if topic in self._inventories[alias].topics]
        return self.partitions(alias, held)

    @cached_property
    def _seen(self) -> dict[str, KafkaCluster]:
        return {
            alias: self.cluster(alias, Role.ADMIN if cluster.administer else Role.MIRROR)
            for alias, cluster in self._settings.clusters.items()
        }

    @cached_property
    def _inventories(self) -> dict[str, Inventory]:
        return {alias: self._inventory(alias) for alias in self._seen}

    def _inventory(self, alias: str) -> Inventory:
        flows = self._settings.flows
        # MirrorMaker copies the configs of the topics that a live pattern discovers: nothing here
        # reads them, and with a thousand topics they take longer than the rest of the inventory.
        declared = [
            entry
            for flow in flows
            if flow.source == alias
            for entry in (named(flow.topics) if flow.discovery is Discovery.LIVE else flow.topics)
        ]
        synced = [flow for flow in flows if flow.target == alias and flow.sync_configs]

        def is_wanted(topic: str) -> bool:
            # MM2 replicates heartbeats whatever the patterns are.
            if topic.endswith(HEARTBEATS) or matches_any(declared, topic):
                return True
            return any(flow.policy.may_be_target_topic(topic) for flow in synced)

        return self._seen[alias].inventory(is_wanted)

    def _fix(self, alias: str, role: Role) -> str:
        sandbox = self._settings.clusters[alias].sandbox
        if sandbox is not None:
            named = "" if sandbox == DEFAULT_SANDBOX else f" --name {sandbox}"
            return f"mirrorstack sandbox up{named}"
        return (
            f"check clusters.{alias} in the stack file, and that this machine reaches it; a wrong "
            "password is corrected with "
            f"`pulumi config set --secret {password_key(alias, role)}`"
        )
