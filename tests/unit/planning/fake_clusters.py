"""Clusters without brokers, for tests of preflight and of the components."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mirrorstack.config.clusters import Role
from mirrorstack.config.settings import StackSettings, parse
from mirrorstack.connect.storage import OffsetsLocation
from mirrorstack.kafka.acl_bindings import PrincipalAcls, acl_key
from mirrorstack.kafka.acls import Acl, Operation
from mirrorstack.kafka.admin import KafkaCluster
from mirrorstack.kafka.connection import Connection
from mirrorstack.kafka.inventory import Inventory, TopicDescription
from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.kafka.permissions import EffectivePermission
from mirrorstack.planning.clusters import StackClusters
from mirrorstack.planning.connections import stack_connections


def sandbox_connection(name: str, cluster: str, principal: str) -> Connection:
    return Connection(
        bootstrap_servers=f"{cluster}.{name}:9093",
        username=principal,
        password=f"password-of-{principal}-on-{cluster}",
    )


def stack_settings(*flows: dict[str, Any], **more: Any) -> StackSettings:
    clusters = {alias: {"sandbox": "default"} for alias in ("east", "west")}
    declared = list(flows) or [{"from": "east", "to": "west", "topics": ["orders"]}]
    return parse({"clusters": clusters, "flows": declared, **more}, "stack")


def holding(*topics: str, groups: tuple[str, ...] = (), brokers: int = 1) -> Inventory:
    held = {name: TopicDescription(name, 3, {"retention.ms": "1"}) for name in topics}
    return Inventory(brokers, held, frozenset(groups))


@dataclass
class Held:
    """What the fake clusters hold."""

    inventories: Mapping[str, Inventory] = field(
        default_factory=lambda: {"east": holding("orders"), "west": holding()}
    )
    active_groups: frozenset[str] = frozenset()
    acls: Sequence[Acl] = ()
    """Of the mirroring principals."""
    without_authorizer: frozenset[str] = frozenset()
    """Clusters."""
    with_records: frozenset[str] = frozenset()
    offsets: Mapping[str, Mapping[TopicPartition, int]] = field(default_factory=dict)
    """By connector."""
    denied: frozenset[Operation] = frozenset()
    """Operations that the mirroring principals have on no topic."""


class FakeClusters(StackClusters):
    def __init__(self, settings: StackSettings, held: Held | None = None) -> None:
        super().__init__(settings, stack_connections(settings, sandbox=sandbox_connection))
        self.held = held or Held()
        self.__dict__["_inventories"] = dict(self.held.inventories)

    def inventories(self) -> dict[str, Inventory]:
        return self._inventories

    def with_records(self, _alias: str, topics: Sequence[str]) -> frozenset[str]:
        return self.held.with_records & set(topics)

    def connect_offsets(
        self, alias: str, location: OffsetsLocation
    ) -> Mapping[TopicPartition, int]:
        """Only of topics that exist, as on real clusters."""
        exists = location.topic in self.topics(alias)
        return self.held.offsets.get(location.connector, {}) if exists else {}

    def offset_ranges(self, alias: str, topics: Sequence[str]) -> dict[str, list[tuple[int, int]]]:
        held = self.topics(alias)
        return {t: [(0, 10)] * held[t].partitions for t in topics if t in held}

    def has_members(self, _alias: str, group: str) -> bool:
        return group in self.held.active_groups

    def principal_acls(self, alias: str) -> PrincipalAcls:
        return PrincipalAcls(
            frozenset(acl_key(acl) for acl in self.held.acls if acl.cluster == alias),
            has_authorizer=alias not in self.held.without_authorizer,
        )

    def missing_permissions(
        self, _alias: str, required: Sequence[EffectivePermission]
    ) -> list[EffectivePermission]:
        return [each for each in required if each.operation in self.held.denied]

    def cluster(self, alias: str, role: Role) -> KafkaCluster:
        return KafkaCluster(alias, self.connection(alias, role), "start it")
