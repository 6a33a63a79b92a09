"""What MirrorMaker does by itself between deployments: new topics and new partitions.

The tests of the first class depend on each other and run in order, on one deployment.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from confluent_kafka import Producer
from confluent_kafka.admin import NewTopic

from mirrorstack.kafka.acls import Acl, Operation, PatternType, ResourcePattern, ResourceType
from mirrorstack.sandbox.names import Cluster, Principal
from mirrorstack.sandbox.sandbox import Sandbox
from tests.integration.conftest import eventually
from tests.integration.replicated_stack import (
    Place,
    acl,
    add_partitions,
    admin,
    configs,
    ends,
    equal_within,
    exactly,
    fill,
    flow,
    mirroring_project,
    set_configs,
    stack,
    write,
)
from tests.pulumi_project import PulumiProject

pytestmark = pytest.mark.slow

# What a deployment records about topics and their partitions. It changes nothing on a cluster.
RECORDS = {"DeploymentRecord", "DiscoveredTopics", "MirrorStack", "Stack"}


def changed_types(project: PulumiProject) -> set[str]:
    """The types of the resources that a preview would change."""
    steps = json.loads(project.pulumi("preview", "--json", "--suppress-progress"))["steps"]
    return {step["urn"].split("::")[2].rpartition(":")[2] for step in steps if step["op"] != "same"}


@contextmanager
def deployment(directory: Path, home: Path, group: str, **changes: Any) -> Iterator[PulumiProject]:
    project = mirroring_project(directory, home)
    declare(project, group, **changes)
    try:
        project.up()
        yield project
    finally:
        project.pulumi("destroy", "--yes", "--skip-preview")


def declare(project: PulumiProject, group: str, **changes: Any) -> None:
    topics = changes.pop("topics", [f"{group}-.*"])
    project.configure(
        stack(
            flow(*topics, discovery_seconds=1, **changes),
            sandbox="shared",
            workers={"west": {"group": group}},
            **{"delete-topics": True},
        )
    )


def topics_on(place: Place, prefix: str) -> set[str]:
    known = admin(*place).list_topics(timeout=15).topics
    return {name for name in known if name.startswith(prefix)}


class TestLivePattern:
    @pytest.fixture(scope="class")
    def east(self, sandbox: Sandbox) -> Place:
        return sandbox, Cluster.EAST

    @pytest.fixture(scope="class")
    def west(self, sandbox: Sandbox) -> Place:
        return sandbox, Cluster.WEST

    @pytest.fixture(scope="class")
    def project(
        self, tmp_path_factory: pytest.TempPathFactory, home: Path
    ) -> Iterator[PulumiProject]:
        """Deployed while the pattern matches nothing, as in a new environment."""
        with deployment(tmp_path_factory.mktemp("live"), home, "live") as project:
            yield project

    def test_a_pattern_that_matches_nothing_yet_is_deployed_with_a_warning(
        self, project: PulumiProject
    ) -> None:
        assert "live-.* matches no topic on east" in project.pulumi("preview")
        assert changed_types(project) == set()

    def test_a_topic_that_is_created_later_is_replicated_with_its_configs(
        self, project: PulumiProject, sandbox: Sandbox, east: Place, west: Place
    ) -> None:
        fill(east, "live-first", partitions=3)
        set_configs(east, "live-first", {"retention.ms": "7200000"})
        compacted = NewTopic("live-second", 1, config={"cleanup.policy": "compact"})
        admin(*east).create_topics([compacted])["live-second"].result(15)
        write(east, "live-second")

        expected = {"east.live-first", "east.live-second"}
        eventually(lambda: topics_on(west, "east.live-") == expected, "MirrorMaker creates them")
        equal_within(sandbox, {"live-first": "east.live-first", "live-second": "east.live-second"})
        assert configs(west, "east.live-second")["cleanup.policy"] == "compact"

    def test_the_next_preview_shows_which_topics_are_new_and_changes_nothing_else(
        self, project: PulumiProject
    ) -> None:
        said = project.pulumi("preview", "--diff")

        assert "east.live-first" in said
        assert changed_types(project) <= RECORDS | {"EffectivePermissions"}
        project.up()
        assert changed_types(project) == set()

    @pytest.mark.parametrize(
        ("cluster", "operation", "name"),
        [
            ("west", Operation.CREATE, "east."),
            ("east", Operation.DESCRIBE_CONFIGS, "live-"),
        ],
    )
    def test_without_this_acl_a_new_topic_is_not_replicated(
        self,
        project: PulumiProject,
        sandbox: Sandbox,
        cluster: str,
        operation: Operation,
        name: str,
    ) -> None:
        east, west = (sandbox, Cluster.EAST), (sandbox, Cluster.WEST)
        place = east if cluster == "east" else west
        resource = ResourcePattern(ResourceType.TOPIC, name, PatternType.PREFIXED)
        binding = acl(Acl(cluster, resource, operation, ""))
        log = sandbox.layout.logs / f"{cluster}-1.log"
        before = len(log.read_bytes())
        topic = f"live-without-{operation.value.lower()}"
        denied = f"Denied operation = {operation.name}"
        admin(*place).delete_acls([exactly(binding)])[exactly(binding)].result(15)
        try:
            fill(east, topic)
            eventually(lambda: denied in log.read_bytes()[before:].decode(), f"{cluster} denies it")
            assert f"east.{topic}" not in topics_on(west, "east.live-")
        finally:
            admin(*place).create_acls([binding])[binding].result(15)
        eventually(lambda: f"east.{topic}" in topics_on(west, "east.live-"), "it is created")
        equal_within(sandbox, {topic: f"east.{topic}"})

    def test_topics_that_the_pattern_no_longer_matches_are_deleted_if_that_is_declared(
        self, project: PulumiProject, sandbox: Sandbox, west: Place
    ) -> None:
        project.up()
        declare(project, "live", topics=["live-first.*"])
        project.up()

        eventually(
            lambda: topics_on(west, "east.live-") == {"east.live-first"}, "the others are deleted"
        )
        equal_within(sandbox, {"live-first": "east.live-first"})


def test_a_pinned_flow_replicates_only_what_a_preview_has_shown(
    tmp_path: Path, home: Path, sandbox: Sandbox
) -> None:
    east, west = (sandbox, Cluster.EAST), (sandbox, Cluster.WEST)
    fill(east, "pinned-first")
    with deployment(tmp_path, home, "pinned", discovery="pinned") as project:
        equal_within(sandbox, {"pinned-first": "east.pinned-first"})
        fill(east, "pinned-second")
        before = ends(admin(*west), ["heartbeats"])["heartbeats", 0]
        eventually(
            lambda: ends(admin(*west), ["heartbeats"])["heartbeats", 0] > before + 6,
            "more than one refresh has passed",
        )
        assert topics_on(west, "east.pinned-") == {"east.pinned-first"}
        assert "Topic" in changed_types(project)

        project.up()

        equal_within(sandbox, {name: f"east.{name}" for name in ("pinned-first", "pinned-second")})


@pytest.mark.parametrize("naming", ["prefixed", "identity"])
@pytest.mark.parametrize("exactly_once", [True, False])
def test_partitions_that_are_added_under_load_are_replicated_without_a_deployment(
    tmp_path: Path, home: Path, sandbox: Sandbox, naming: str, exactly_once: bool
) -> None:
    east = (sandbox, Cluster.EAST)
    group = f"growing-{naming}-{str(exactly_once).lower()}"
    name, pattern = f"{group}-named", f"{group}-live.*"
    for topic in (name, f"{group}-live"):
        fill(east, topic, partitions=2)
    selected = {"topics": [name, pattern], "naming": naming, "exactly_once": exactly_once}
    targets = {
        topic: topic if naming == "identity" else f"east.{topic}"
        for topic in (name, f"{group}-live")
    }
    with deployment(tmp_path, home, group, **selected) as project:
        with _load(east, list(targets)):
            for topic in targets:
                add_partitions(east, topic, 5)
            eventually(
                lambda: len(ends(admin(sandbox, Cluster.WEST), list(targets.values()))) == 10,
                "MirrorMaker adds the partitions",
            )
            for topic in targets:
                write(east, topic, records=100)  # with a client that knows all partitions
        equal_within(sandbox, targets)
        assert all(end > 0 for end in ends(admin(*east), list(targets)).values())
        assert changed_types(project) <= RECORDS
        project.up()
        assert changed_types(project) == set()


@contextmanager
def _load(place: Place, topics: list[str]) -> Iterator[None]:
    """Records to all partitions of the topics, also to those that are added meanwhile."""
    sandbox, cluster = place
    config = sandbox.connection(cluster, Principal.ADMIN).client_config()
    producer = Producer(config | {"log_level": 0, "topic.metadata.refresh.interval.ms": 500})
    stopping = threading.Event()

    def write_records() -> None:
        number = 0
        while not stopping.wait(0.005):
            for topic in topics:
                number += 1
                producer.produce(topic, f"under load {number}", key=str(number))
            producer.poll(0)

    writer = threading.Thread(target=write_records)
    writer.start()
    try:
        yield
    finally:
        stopping.set()
        writer.join()
        assert producer.flush(15) == 0
