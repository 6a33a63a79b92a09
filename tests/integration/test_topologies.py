"""Topologies of flows, each deployed and replicating with the derived ACLs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from mirrorstack.local.kafka_installation import KafkaInstallation
from mirrorstack.runtimes.local_worker import LocalWorker
from mirrorstack.sandbox.names import Cluster
from mirrorstack.sandbox.sandbox import Sandbox
from tests.integration.conftest import ANY_PORTS, eventually
from tests.integration.replicated_stack import (
    Place,
    acl,
    acls,
    admin,
    committed,
    configs,
    derived_grants,
    ends,
    equal_between,
    fill,
    flow,
    mirroring_project,
    read_to_the_end,
    set_configs,
    write,
)
from tests.pulumi_project import PulumiProject

pytestmark = pytest.mark.slow


class Topology:
    """A stack on clusters by alias; destroying it deletes its topics."""

    def __init__(self, project: PulumiProject, clusters: dict[str, Place]) -> None:
        self.project = project
        self.clusters = clusters
        self.settings: dict[str, Any] = {}

    def deploy(self, *flows: dict[str, Any], group: str, count: int = 1) -> None:
        self.settings = {
            "clusters": {
                alias: {"sandbox": sandbox.layout.name, "cluster": str(cluster)}
                for alias, (sandbox, cluster) in self.clusters.items()
            },
            "flows": list(flows),
            "workers": {each["to"]: {"group": group, "count": count} for each in flows},
            "delete-topics": True,
        }
        self.project.configure(self.settings)
        self.project.up()

    def is_settled(self) -> None:
        """The next `up` changes nothing, and the ACLs are exactly the derived ones."""
        self.project.up("--expect-no-changes")
        wanted = derived_grants(self.settings)
        for alias, place in self.clusters.items():
            assert acls(place) == {acl(grant) for grant in wanted if grant.cluster == alias}, alias

    def equal(self, source: str, target: str, **topics: str) -> None:
        equal_between(self.clusters[source], self.clusters[target], topics)

    def topics(self, alias: str) -> set[str]:
        return set(admin(*self.clusters[alias]).list_topics(timeout=15).topics)

    def count(self, alias: str, topic: str) -> int:
        return sum(ends(admin(*self.clusters[alias]), [topic]).values())

    def grows(self, alias: str, topic: str) -> None:
        before = self.count(alias, topic)
        eventually(lambda: self.count(alias, topic) > before, f"{topic} grows on {alias}")

    def group_arrives(self, group: str, source: str, target: str, topics: dict[str, str]) -> None:
        """The group resumes on the target where it was on the source."""
        limits = ends(admin(*self.clusters[target]), list(topics.values()))

        def arrived() -> dict[tuple[str, int], int]:
            at = committed(self.clusters[target], group)
            return at if at.keys() == limits.keys() and all(at.values()) else {}

        at = eventually(arrived, f"{group} goes on at {target}", within=60)
        assert all(offset <= limits[place] for place, offset in at.items()), "never ahead"


@pytest.fixture
def lay(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[..., Topology]]:
    """Deploys a topology, and destroys it at the end in any case."""
    monkeypatch.setenv("MIRRORSTACK_HOME", str(home))
    project = mirroring_project(tmp_path, home)
    laid: list[Topology] = []

    def lay(**clusters: Place) -> Topology:
        laid.append(Topology(project, clusters))
        return laid[-1]

    yield lay
    project.pulumi("destroy", "--yes", "--skip-preview")
    for place in (place for each in laid for place in each.clusters.values()):
        assert acls(place) == set(), "the grants go with the stack"


@pytest.fixture(scope="module")
def second(home: Path, runtime: KafkaInstallation) -> Iterator[Sandbox]:
    sandbox = Sandbox("second", home_directory=home)
    sandbox.up(runtime, ANY_PORTS)
    yield sandbox
    sandbox.down(delete=True)


def test_identity_naming_at_least_once_without_heartbeats(
    lay: Callable[..., Topology], sandbox: Sandbox
) -> None:
    east, west = (sandbox, Cluster.EAST), (sandbox, Cluster.WEST)
    kept = {f"plain.{name}": f"plain.{name}" for name in ("one", "two")}
    for topic in (*kept, "plain.old", "plain-one"):
        fill(east, topic)
    read_to_the_end(east, "plain-readers", "plain.one")
    stack = lay(east=east, west=west)

    stack.deploy(
        flow(
            r"plain\.(one|two|old)",
            exclude=["plain.old"],
            naming="identity",
            groups=["plain-.*"],
            checkpoint_seconds=1,
            exactly_once=False,
            heartbeats=False,
        ),
        group="plain",
    )

    stack.equal("east", "west", **kept)
    stack.is_settled()
    write(east, "plain.one", 50)
    stack.equal("east", "west", **kept)
    stack.group_arrives("plain-readers", "east", "west", {"plain.one": "plain.one"})
    assert not {"plain.old", "plain-one", "heartbeats"} & stack.topics("west")


def test_offset_syncs_on_the_source_exactly_once_with_groups_and_heartbeats(
    lay: Callable[..., Topology], sandbox: Sandbox
) -> None:
    east, west = (sandbox, Cluster.EAST), (sandbox, Cluster.WEST)
    mirrored = {f"synced-{name}": f"east.synced-{name}" for name in ("one", "two")}
    for topic in mirrored:
        fill(east, topic, partitions=3)
    read_to_the_end(east, "synced-readers", "synced-one")
    stack = lay(east=east, west=west)

    stack.deploy(
        flow("synced-.*", offset_syncs="source", groups=["synced-readers"], checkpoint_seconds=1),
        group="synced",
    )

    stack.equal("east", "west", **mirrored)
    stack.is_settled()
    stack.group_arrives("synced-readers", "east", "west", {"synced-one": "east.synced-one"})
    stack.grows("west", "heartbeats")
    assert stack.count("east", "mm2-offset-syncs.west.internal") > 0
    assert "mm2-offset-syncs.east.internal" not in stack.topics("west")


def test_mirrormaker_syncs_the_declared_topic_configs_and_the_stack_owns_the_others(
    lay: Callable[..., Topology], sandbox: Sandbox
) -> None:
    east, west = (sandbox, Cluster.EAST), (sandbox, Cluster.WEST)
    fill(east, "owned")
    set_configs(east, "owned", {"retention.ms": "700000000000", "segment.ms": "600000"})
    stack = lay(east=east, west=west)
    stack.deploy(
        flow(
            "owned",
            sync_configs=["retention.ms"],
            override={"source": {"sync.topic.configs.interval.seconds": "1"}},
        ),
        group="owning",
    )
    assert configs(west, "east.owned")["retention.ms"] == "700000000000"

    set_configs(east, "owned", {"retention.ms": "800000000000", "segment.ms": "700000"})

    eventually(
        lambda: configs(west, "east.owned")["retention.ms"] == "800000000000",
        "MirrorMaker carries its config over",
    )
    assert configs(west, "east.owned")["segment.ms"] == "600000", "the stack's waits for an `up`"
    stack.project.up()
    assert configs(west, "east.owned")["segment.ms"] == "700000"
    assert configs(west, "east.owned")["retention.ms"] == "800000000000"
    stack.is_settled()
    stack.project.pulumi("refresh", "--yes", "--skip-preview", "--expect-no-changes")


def test_two_sources_replicate_to_one_target(
    lay: Callable[..., Topology], sandbox: Sandbox, second: Sandbox
) -> None:
    clusters = {
        "north": (second, Cluster.EAST),
        "east": (sandbox, Cluster.EAST),
        "west": (sandbox, Cluster.WEST),
    }
    for alias in ("north", "east"):
        fill(clusters[alias], "gathered")
    stack = lay(**clusters)

    stack.deploy(
        flow("gathered", source="north", exactly_once=False),
        flow("gathered", source="east"),
        group="gathering",
    )

    stack.equal("north", "west", gathered="north.gathered")
    stack.equal("east", "west", gathered="east.gathered")
    stack.is_settled()
    write(clusters["north"], "gathered", 50)
    stack.equal("north", "west", gathered="north.gathered")
    stack.equal("east", "west", gathered="east.gathered")


def test_active_active_replicates_both_ways_without_a_cycle(
    lay: Callable[..., Topology], sandbox: Sandbox
) -> None:
    east, west = (sandbox, Cluster.EAST), (sandbox, Cluster.WEST)
    fill(east, "orders-active")
    fill(west, "orders-active", records=200)
    stack = lay(east=east, west=west)

    stack.deploy(
        flow(".*orders-active"),
        flow(".*orders-active", source="west", target="east"),
        group="active",
    )

    stack.equal("east", "west", **{"orders-active": "east.orders-active"})
    stack.equal("west", "east", **{"orders-active": "west.orders-active"})
    stack.is_settled()
    for here, there in (("east", "west"), ("west", "east")):
        stack.grows(there, f"{here}.heartbeats")
    # By now each side has had time to replicate records back.
    stack.equal("east", "west", **{"orders-active": "east.orders-active"})
    stack.equal("west", "east", **{"orders-active": "west.orders-active"})
    looped = ("west.east.", "east.west.", "east.east.", "west.west.")
    assert not [
        t for alias in ("east", "west") for t in stack.topics(alias) if t.startswith(looped)
    ]


def test_two_workers_share_the_tasks_with_the_frugal_profile(
    lay: Callable[..., Topology], sandbox: Sandbox, home: Path
) -> None:
    east, west = (sandbox, Cluster.EAST), (sandbox, Cluster.WEST)
    fill(east, "shared-out", records=5000, partitions=4)
    stack = lay(east=east, west=west)

    stack.deploy(flow("shared-out", profile="frugal", tasks=4), group="two", count=2)

    stack.equal("east", "west", **{"shared-out": "east.shared-out"})
    stack.is_settled()
    workers = [LocalWorker(home / "workers" / "dev" / "west" / number) for number in ("1", "2")]
    assert all(worker.process() for worker in workers)
    for worker in workers:
        assert "Starting task east-to-west-source" in worker.log.read_text(), worker.name

    stack.settings["workers"]["west"]["heap-mb"] = 300
    stack.project.configure(stack.settings)
    refused = stack.project.pulumi("preview", fails=True)
    assert "workers.west.heap-mb: 300 is too small" in refused
    assert "4 tasks x 29 MB" in refused

    before = [process.pid for worker in workers if (process := worker.process())]
    stack.settings["workers"]["west"]["heap-mb"] = 400
    stack.project.configure(stack.settings)
    stack.project.up()

    now = [process.pid for worker in workers if (process := worker.process())]
    assert len(now) == 2
    assert not set(before) & set(now), "another config, another process"
    write(east, "shared-out", 50)
    stack.equal("east", "west", **{"shared-out": "east.shared-out"})
