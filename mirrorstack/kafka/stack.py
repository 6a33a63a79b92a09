"""The clusters of one stack: where they are, who we are there, and what they hold."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import cached_property
from pathlib import Path

from mirrorstack.kafka.cluster import KafkaCluster
from mirrorstack.model.access import Access
from mirrorstack.model.grants import Grant
from mirrorstack.model.naming import HEARTBEATS, matches_any
from mirrorstack.model.plan import HEARTBEATS_TOPIC, Inventory
from mirrorstack.model.settings import StackSettings
from mirrorstack.sandbox.connection import Connection, connection
from mirrorstack.sandbox.layout import home
from mirrorstack.sandbox.names import Principal, command
from mirrorstack.workers.local import remembered_port, secrets_file


class StackClusters:
    """Asks each cluster once, and remembers the answers for one run of the program."""

    def __init__(self, settings: StackSettings, stack: str) -> None:
        self._settings = settings
        self._stack = stack

    def admin(self, alias: str) -> Connection:
        return self._connection(alias, Principal.ADMIN)

    def _viewer(self, alias: str) -> Connection:
        """Who looks at it: where we may not administer, we are only who mirrors."""
        may = self._settings.clusters[alias].administer
        return self._connection(alias, Principal.ADMIN if may else Principal.MIRROR)

    def _connection(self, alias: str, principal: Principal) -> Connection:
        place = self._settings.clusters[alias]
        return connection(place.sandbox, place.cluster or alias, principal)

    def mirror(self, alias: str, at: str = "") -> Access:
        """How the workers next to the target `at` reach a cluster; its password by reference."""
        found = self._connection(alias, Principal.MIRROR)
        secrets = secrets_file(self.worker_directory(at))
        return Access(
            alias=alias,
            bootstrap_servers=found.bootstrap_servers,
            principal=found.username,
            password=f"${{file:{secrets}:{alias}}}",
            ca_path=str(found.ca_path),
        )

    def worker_directory(self, target: str) -> Path:
        return home() / "workers" / self._stack / target

    def to_be_granted(self, alias: str, grants: Iterable[Grant]) -> dict[str, list[str]]:
        """What the owner of a cluster must grant, for reading and as commands."""
        who = self.mirror(alias)
        wanted = [grant for grant in grants if grant.cluster == alias]
        return {
            "table": [f"{who.principal}: {grant.sentence}" for grant in wanted],
            "commands": [g.command(who.principal, who.bootstrap_servers) for g in wanted],
        }

    def rest_port(self, target: str) -> int:
        settings = self._settings.workers_at(target)
        if settings.rest_port is not None:
            return settings.rest_port
        return remembered_port(self.worker_directory(target), settings.count)

    def places(self) -> dict[str, dict[str, str]]:
        """By alias, whose password a worker fetches for itself."""
        return {
            alias: {"sandbox": place.sandbox, "cluster": place.cluster or alias}
            for alias, place in self._settings.clusters.items()
        }

    def inventories(self) -> dict[str, Inventory]:
        return self._inventories

    def topics(self, alias: str) -> Collection[str]:
        return self._inventories[alias].topics.keys()

    def brokers(self, alias: str) -> int:
        return self._inventories[alias].brokers

    def partitions(self, alias: str, topics: Sequence[str]) -> dict[str, int]:
        held = {HEARTBEATS: HEARTBEATS_TOPIC, **self._inventories[alias].topics}
        return {topic: held[topic].partitions for topic in topics}

    def with_records(self, alias: str, topics: Sequence[str]) -> frozenset[str]:
        """Of these topics, the ones that hold records to be mirrored."""
        held = [topic for topic in topics if topic in self._inventories[alias].topics]
        return self._clusters[alias].with_records(self.partitions(alias, held))

    @cached_property
    def _clusters(self) -> dict[str, KafkaCluster]:
        return {
            alias: KafkaCluster(
                alias, self._viewer(alias).client_config(), command("up", cluster.sandbox)
            )
            for alias, cluster in self._settings.clusters.items()
        }

    @cached_property
    def _inventories(self) -> dict[str, Inventory]:
        return {alias: self._inventory(alias) for alias in self._clusters}

    def _inventory(self, alias: str) -> Inventory:
        patterns = [
            pattern
            for flow in self._settings.flows
            if flow.source == alias
            for pattern in flow.topics
        ]

        def is_wanted(topic: str) -> bool:
            # Heartbeats are mirrored whatever the patterns say.
            return topic.endswith(HEARTBEATS) or matches_any(patterns, topic)

        return self._clusters[alias].inventory(is_wanted)
