"""What a stack asks its clusters, and as which principal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from mirrorstack.config.clusters import Role
from mirrorstack.kafka.admin import KafkaCluster
from mirrorstack.kafka.inventory import Inventory, TopicDescription
from mirrorstack.planning.clusters import StackClusters
from mirrorstack.planning.connections import stack_connections
from tests.unit.planning.fake_clusters import sandbox_connection, stack_settings
from tests.unit.planning.test_connections import by_address

TOPICS = ("orders", "clicks", "heartbeats", "east.orders")


class Admin(KafkaCluster):
    """A cluster that records who asked, and which topics' configs were wanted."""

    asked: list[tuple[str, str]] = []  # noqa: RUF012
    wanted: list[str] = []  # noqa: RUF012

    def connect(self) -> Any:
        self.asked.append((self.alias, self.connection.username))

    def inventory(self, is_wanted: Callable[[str], bool]) -> Inventory:
        self.asked.append((self.alias, self.connection.username))
        self.wanted.extend(f"{self.alias}/{topic}" for topic in TOPICS if is_wanted(topic))
        return Inventory(1, {name: TopicDescription(name, 2) for name in TOPICS})


@pytest.fixture
def clusters(monkeypatch: pytest.MonkeyPatch) -> StackClusters:
    monkeypatch.setattr("mirrorstack.planning.clusters.KafkaCluster", Admin)
    Admin.asked, Admin.wanted = [], []
    east = {"sandbox": "default", "administer": False}
    settings = stack_settings(
        {"from": "east", "to": "west", "topics": ["orders"], "sync-configs": ["retention.ms"]},
        clusters={"east": east, "west": {"sandbox": "default"}},
    )
    return StackClusters(settings, stack_connections(settings, sandbox=sandbox_connection))


def test_a_cluster_is_read_as_the_admin_or_as_the_mirroring_principal(
    clusters: StackClusters,
) -> None:
    clusters.inventories()
    clusters.topics("east")

    reads = [("east", "mirror"), ("west", "admin")]
    logins = [("east", "mirror"), ("west", "mirror")]
    assert Admin.asked == reads + logins, "each cluster is read once"


def test_only_the_configs_of_replicated_and_synced_topics_are_read(
    clusters: StackClusters,
) -> None:
    clusters.inventories()

    assert set(Admin.wanted) == {
        "east/orders",
        "east/heartbeats",
        "west/heartbeats",
        "west/east.orders",
    }


@pytest.mark.parametrize(
    ("discovery", "wanted"),
    [("live", {"east/heartbeats"}), ("pinned", {"east/heartbeats", "east/orders"})],
)
def test_the_configs_of_topics_that_mirrormaker_creates_are_not_read(
    discovery: str, wanted: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mirrorstack.planning.clusters.KafkaCluster", Admin)
    Admin.wanted = []
    settings = stack_settings(
        {"from": "east", "to": "west", "topics": ["ord.*"], "discovery": discovery}
    )

    StackClusters(settings, stack_connections(settings, sandbox=sandbox_connection)).inventories()

    assert set(Admin.wanted) - {"west/heartbeats"} == wanted


def test_partitions_are_those_of_the_inventory(clusters: StackClusters) -> None:
    assert clusters.partitions("east", ["orders"]) == {"orders": 2}


@pytest.mark.parametrize(("name", "command"), [("default", "up"), ("other", "up --name other")])
def test_the_fix_starts_the_sandbox(name: str, command: str) -> None:
    settings = stack_settings(clusters={alias: {"sandbox": name} for alias in ("east", "west")})
    clusters = StackClusters(settings, stack_connections(settings, sandbox=sandbox_connection))

    assert clusters.cluster("east", Role.MIRROR).fix == f"mirrorstack sandbox {command}"


def test_the_fix_names_the_password_s_key() -> None:
    settings = by_address()
    clusters = StackClusters(settings, stack_connections(settings))

    fix = clusters.cluster("east", Role.MIRROR).fix
    assert "`pulumi config set --secret east-mirror-password`" in fix
