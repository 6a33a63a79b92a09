"""Separators and replication policies of one's own, deployed for real."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mirrorstack.local.home import ROOT
from mirrorstack.local.kafka_installation import KafkaInstallation
from mirrorstack.runtimes.local_worker import LocalWorker
from mirrorstack.sandbox.names import Cluster
from mirrorstack.sandbox.sandbox import Sandbox
from tests.integration.conftest import CommandLine, eventually
from tests.integration.policy_jars import (
    HIDES_SOURCE,
    READS_NOTHING,
    SHOWS_SOURCE,
    build_policy,
    own_policy,
)
from tests.integration.replicated_stack import (
    Place,
    admin,
    committed,
    ends,
    equal_between,
    fill,
    flow,
    mirroring_project,
    read_to_the_end,
    stack,
    write,
)
from tests.pulumi_project import PulumiProject


@pytest.fixture
def places(sandbox: Sandbox) -> dict[str, Place]:
    return {"east": (sandbox, Cluster.EAST), "west": (sandbox, Cluster.WEST)}


@pytest.fixture
def project(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[PulumiProject]:
    monkeypatch.setenv("MIRRORSTACK_HOME", str(home))
    project = mirroring_project(tmp_path, home)
    yield project
    project.pulumi("destroy", "--yes", "--skip-preview")


def declare(project: PulumiProject, *flows: dict[str, Any], group: str) -> None:
    workers = {each["to"]: {"group": group} for each in flows}
    more = {"workers": workers, "delete-topics": True}
    project.configure(stack(*flows, sandbox="shared", **more))


def delete(place: Place, *topics: str) -> None:
    """Those that exist."""
    client = admin(*place)

    def held() -> list[str]:
        return sorted(set(topics) & set(client.list_topics(timeout=15).topics))

    if existing := held():
        for deleted in client.delete_topics(existing).values():
            deleted.result(15)
    eventually(lambda: not held(), f"{', '.join(topics)} are deleted")


def is_verified(mirrorstack: CommandLine, project: PulumiProject) -> None:
    file = project.directory / "Pulumi.dev.yaml"
    ended = mirrorstack("verify", "--stack-file", str(file), "--wait", "60", "--json")
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert json.loads(ended.stdout)["verdict"] == "equal"


def group_arrives(group: str, target: Place, topic: str) -> None:
    limits = ends(admin(*target), [topic])
    eventually(
        lambda: committed(target, group).keys() == limits.keys(),
        f"{group} has committed offsets of {topic}",
        within=60,
    )


@pytest.mark.slow
@pytest.mark.parametrize("separator", ["_", "-"])
def test_a_flow_with_another_separator_replicates_records_offsets_and_checkpoints(
    project: PulumiProject,
    places: dict[str, Place],
    mirrorstack: CommandLine,
    separator: str,
) -> None:
    topic, group = f"parted{separator}orders", f"parted{separator}readers"
    there = f"east{separator}{topic}"
    # Stacks with `acls: shared` leave them, and Kafka allows none whose name differs only in `_`.
    delete(places["west"], "mm2-offset-syncs.east.internal", "east.checkpoints.internal")
    fill(places["east"], topic)
    read_to_the_end(places["east"], group, topic)
    declare(
        project,
        flow(topic, separator=separator, groups=[group], checkpoint_seconds=1),
        group="parted",
    )

    project.up()

    equal_between(places["east"], places["west"], {topic: there})
    group_arrives(group, places["west"], there)
    internal = [
        separator.join(("mm2-offset-syncs", "east", "internal")),
        separator.join(("east", "checkpoints", "internal")),
    ]
    written = ends(admin(*places["west"]), internal)
    assert all(written[name, 0] > 0 for name in internal), written
    assert f"east.{topic}" not in admin(*places["west"]).list_topics(timeout=15).topics
    is_verified(mirrorstack, project)
    project.up("--expect-no-changes")


@pytest.mark.slow
def test_an_own_policy_replicates_both_ways_without_a_cycle_and_its_jar_can_be_replaced(
    project: PulumiProject,
    places: dict[str, Place],
    mirrorstack: CommandLine,
    runtime: KafkaInstallation,
    home: Path,
    tmp_path: Path,
) -> None:
    jar = build_policy(runtime, tmp_path / "own.jar", SHOWS_SOURCE)
    own = own_policy(jar, "{source}_{topic}")
    for alias in places:
        fill(places[alias], "own-orders")
    read_to_the_end(places["east"], "own-readers", "own-orders")
    declare(
        project,
        flow(".*own-orders", groups=["own-readers"], checkpoint_seconds=1, **own),
        flow(".*own-orders", source="west", target="east", **own),
        group="own",
    )

    project.up(f"--policy-pack={ROOT / 'policies'}")

    for here, there in (("east", "west"), ("west", "east")):
        equal_between(places[here], places[there], {"own-orders": f"{here}_own-orders"})
    group_arrives("own-readers", places["west"], "east_own-orders")
    is_verified(mirrorstack, project)
    project.up("--expect-no-changes")
    worker = LocalWorker(home / "workers" / "dev" / "west" / "1")
    before = worker.process()

    build_policy(runtime, jar, f"{SHOWS_SOURCE}\n    public int version() {{ return 2; }}")
    project.up()

    assert before
    assert worker.process() != before, "another jar, another process"
    write(places["east"], "own-orders", 50)
    equal_between(places["east"], places["west"], {"own-orders": "east_own-orders"})
    for alias in places:
        topics = admin(*places[alias]).list_topics(timeout=15).topics
        assert not {"east_west_own-orders", "west_east_own-orders"} & topics.keys()


@pytest.mark.slow
def test_a_deployed_flow_changes_to_an_own_policy_that_hides_the_source(
    project: PulumiProject,
    places: dict[str, Place],
    mirrorstack: CommandLine,
    runtime: KafkaInstallation,
    tmp_path: Path,
) -> None:
    fill(places["east"], "hidden-orders")
    declare(project, flow("hidden-orders"), group="hidden")
    project.up()
    jar = build_policy(runtime, tmp_path / "own.jar", HIDES_SOURCE)
    declare(project, flow("hidden-orders", **own_policy(jar, "{topic}-replicated")), group="hidden")

    project.pulumi("preview")
    project.up()

    equal_between(places["east"], places["west"], {"hidden-orders": "hidden-orders-replicated"})
    is_verified(mirrorstack, project)


def test_a_class_that_gives_other_names_is_refused_at_preview(
    project: PulumiProject, places: dict[str, Place], runtime: KafkaInstallation, tmp_path: Path
) -> None:
    fill(places["east"], "misnamed")
    jar = build_policy(runtime, tmp_path / "own.jar", SHOWS_SOURCE)
    declare(project, flow("misnamed", **own_policy(jar, "{source}-{topic}")), group="misnamed")

    said = project.pulumi("preview", fails=True)

    assert "names the topic misnamed east_misnamed" in said
    assert "by policy.name, {source}-{topic}, it is east-misnamed" in said
    assert "fix: set policy.name to the names that the class gives" in said
    assert "Traceback" not in said


def test_both_ways_with_an_own_policy_that_hides_the_source_is_refused_as_a_cycle(
    project: PulumiProject, places: dict[str, Place], runtime: KafkaInstallation, tmp_path: Path
) -> None:
    for alias in places:
        fill(places[alias], "looped-orders")
    jar = build_policy(runtime, tmp_path / "own.jar", HIDES_SOURCE)
    own = own_policy(jar, "{topic}-replicated")
    declare(
        project,
        flow("looped-.*", **own),
        flow("looped-.*", source="west", target="east", **own),
        group="looped",
    )

    said = project.pulumi("preview", f"--policy-pack={ROOT / 'policies'}", fails=True)

    assert "no-replication-cycles" in said
    assert "The names that com.example.OwnPolicy gives do not show" in said


def test_a_class_that_does_not_read_the_source_it_shows_is_refused_in_a_cycle(
    project: PulumiProject, places: dict[str, Place], runtime: KafkaInstallation, tmp_path: Path
) -> None:
    for alias in places:
        fill(places[alias], "unread-orders")
    jar = build_policy(runtime, tmp_path / "own.jar", READS_NOTHING)
    own = own_policy(jar, "{source}_{topic}")
    declare(
        project,
        flow(".*unread-orders", **own),
        flow(".*unread-orders", source="west", target="east", **own),
        group="unread",
    )

    said = project.pulumi("preview", fails=True)

    assert "topicSource answers null" in said
    assert "form a cycle, east -> west -> east" in said


def test_names_that_kafka_does_not_allow_beside_each_other_are_refused_at_preview(
    project: PulumiProject, places: dict[str, Place]
) -> None:
    topic = "beside-orders"
    fill(places["east"], topic)
    fill(places["west"], f"east.{topic}")
    declare(project, flow(topic, separator="_"), group="beside")

    said = project.pulumi("preview", fails=True)

    assert f"east_{topic} beside east.{topic} cannot be created on west" in said
    assert "such as `-`" in said
