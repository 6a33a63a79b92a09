"""Topics that a live pattern matches after the deployment.

The tests of this module depend on each other and run in order, on one deployment.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from confluent_kafka.admin import NewTopic

from mirrorstack.kafka.acls import Acl, Operation, PatternType, ResourcePattern, ResourceType
from mirrorstack.sandbox.names import Cluster
from mirrorstack.sandbox.sandbox import Sandbox
from tests.integration.conftest import eventually
from tests.integration.discovery_stack import (
    RECORDS,
    changed_types,
    declare,
    deployment,
    topics_on,
)
from tests.integration.replicated_stack import (
    Place,
    acl,
    admin,
    configs,
    equal_within,
    exactly,
    fill,
    set_configs,
    write,
)
from tests.pulumi_project import PulumiProject

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def east(sandbox: Sandbox) -> Place:
    return sandbox, Cluster.EAST


@pytest.fixture(scope="module")
def west(sandbox: Sandbox) -> Place:
    return sandbox, Cluster.WEST


@pytest.fixture(scope="module")
def project(
    tmp_path_factory: pytest.TempPathFactory, home: Path, sandbox: Sandbox
) -> Iterator[PulumiProject]:
    """Deployed while the pattern matches nothing, as in a new environment."""
    with deployment(tmp_path_factory.mktemp("live"), home, "live") as project:
        yield project


def test_a_pattern_that_matches_nothing_yet_is_deployed_with_a_warning(
    project: PulumiProject,
) -> None:
    assert "live-.* matches no topic on east" in project.pulumi("preview")
    assert changed_types(project) == set()


def test_a_topic_that_is_created_later_is_replicated_with_its_configs(
    project: PulumiProject, sandbox: Sandbox, east: Place, west: Place
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
    project: PulumiProject,
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
    project: PulumiProject, sandbox: Sandbox, west: Place
) -> None:
    project.up()
    declare(project, "live", topics=["live-first.*"])
    project.up()

    eventually(
        lambda: topics_on(west, "east.live-") == {"east.live-first"}, "the others are deleted"
    )
    equal_within(sandbox, {"live-first": "east.live-first"})
