"""Two stacks on the same clusters with the same principal: one must not break the other."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from mirrorstack.local.kafka_installation import KafkaInstallation
from mirrorstack.sandbox.names import Cluster
from mirrorstack.sandbox.sandbox import Sandbox
from tests.integration.acl_commands import run_as_owner
from tests.integration.conftest import delete_acls, eventually
from tests.integration.replicated_stack import (
    acls,
    admin,
    ends,
    equal_within,
    fill,
    flow,
    mirroring_project,
    stack,
    write,
)
from tests.pulumi_project import PulumiProject

pytestmark = pytest.mark.slow

FIRST, SECOND = "sharing-first", "sharing-second"
INTERNAL = {"heartbeats", "mm2-offset-syncs.east.internal"}


def declare(project: PulumiProject, topic: str, acls: str) -> None:
    declared = stack(
        flow(topic),
        sandbox="shared",
        workers={"west": {"group": topic}},
        **{"delete-topics": True},
    )
    for cluster in declared["clusters"].values():
        cluster["acls"] = acls
    project.configure(declared)


@pytest.fixture
def projects(tmp_path: Path, home: Path, sandbox: Sandbox) -> Iterator[dict[str, PulumiProject]]:
    """One by topic. Each has a home of its own, because both stacks are called `dev`."""
    made: dict[str, PulumiProject] = {}
    for topic in (FIRST, SECOND):
        own = tmp_path / topic
        own.mkdir()
        (own / "sandbox").symlink_to(home / "sandbox")
        if topic not in admin(sandbox, Cluster.EAST).list_topics(timeout=15).topics:
            fill((sandbox, Cluster.EAST), topic)
        made[topic] = mirroring_project(own / "project", own)
    yield made
    for project in made.values():
        project.pulumi("destroy", "--yes", "--skip-preview")
    delete_acls(sandbox)


@pytest.mark.parametrize(("destroyed", "kept"), [(FIRST, SECOND), (SECOND, FIRST)])
def test_a_stack_keeps_replicating_when_another_with_its_principal_is_destroyed(
    projects: dict[str, PulumiProject],
    sandbox: Sandbox,
    runtime: KafkaInstallation,
    destroyed: str,
    kept: str,
) -> None:
    east, west = (sandbox, Cluster.EAST), (sandbox, Cluster.WEST)
    for topic, project in projects.items():
        declare(project, topic, "shared")
        project.up()
        equal_within(sandbox, {topic: f"east.{topic}"})

    projects[destroyed].pulumi("destroy", "--yes", "--skip-preview")

    assert admin(*west).list_topics(timeout=15).topics.keys() >= INTERNAL
    before = ends(admin(*west), ["heartbeats"])
    write(east, kept, records=50)
    equal_within(sandbox, {kept: f"east.{kept}"})
    eventually(lambda: ends(admin(*west), ["heartbeats"]) != before, "heartbeats go on")
    projects[kept].up("--expect-no-changes")

    # The last one leaves its ACLs, too, with the commands that remove them.
    output = json.loads(projects[kept].pulumi("stack", "output", "acls", "--json"))
    projects[kept].pulumi("destroy", "--yes", "--skip-preview")
    for place in (east, west):
        left = acls(place)
        for command in output[place[1]]["removal-commands"]:
            run_as_owner(command, runtime, place)
        removed = left - acls(place)
        assert len(removed) == len(output[place[1]]["removal-commands"])
        assert all(destroyed in each.name for each in acls(place)), "only the other stack's own"


def test_a_second_stack_is_refused_unless_the_principal_is_shared(
    projects: dict[str, PulumiProject], sandbox: Sandbox
) -> None:
    declare(projects[FIRST], FIRST, "managed")
    projects[FIRST].up()
    declare(projects[SECOND], SECOND, "managed")

    said = projects[SECOND].pulumi("preview", fails=True)

    said = said.partition("Diagnostics:")[2]
    assert said.count("already has ACLs that this stack needs") == 1, "only those of west overlap"
    assert "User:mirror on west already has ACLs that this stack needs" in said
    assert f"groups with members {FIRST}" in said
    assert "set `acls: shared` under `mirrorstack:clusters.west`" in said
    assert "Traceback" not in said

    declare(projects[SECOND], SECOND, "shared")
    said = projects[SECOND].pulumi("preview")

    assert "stay when the stack is destroyed" in said
    projects[FIRST].up("--expect-no-changes")


def test_a_stack_whose_principal_became_shared_leaves_the_acls(
    projects: dict[str, PulumiProject], sandbox: Sandbox
) -> None:
    """The order in which it happens: the first stack is deployed long before there is a second."""
    declare(projects[FIRST], FIRST, "managed")
    projects[FIRST].up()
    for topic, project in projects.items():
        declare(project, topic, "shared")
        project.up()

    projects[FIRST].pulumi("destroy", "--yes", "--skip-preview")

    write((sandbox, Cluster.EAST), SECOND, records=50)
    equal_within(sandbox, {SECOND: f"east.{SECOND}"})
