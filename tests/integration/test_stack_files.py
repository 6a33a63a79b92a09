"""The stack files of stacks/, each deployed with only addresses and credentials replaced."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from mirrorstack.local.kafka_installation import KafkaInstallation
from mirrorstack.sandbox.names import Cluster
from mirrorstack.sandbox.sandbox import Sandbox
from tests.integration.acl_commands import run_as_owner
from tests.integration.conftest import ANY_PORTS
from tests.integration.replicated_stack import (
    Place,
    equal_between,
    fill,
    mirroring_project,
    read_to_the_end,
    write,
)
from tests.stack_files import adapted, set_passwords

pytestmark = pytest.mark.slow

TOPICS = ("orders", "payments-eu")
FILES = {
    "active-active": {"east": (0, Cluster.EAST), "west": (0, Cluster.WEST)},
    "aggregate": {
        "paris": (0, Cluster.EAST),
        "tokyo": (0, Cluster.WEST),
        "central": (1, Cluster.EAST),
    },
    "hdinsight": {"primary": (0, Cluster.EAST), "secondary": (0, Cluster.WEST)},
    "migration": {"old": (1, Cluster.WEST), "new": (1, Cluster.EAST)},
}
"""By file: the sandbox and the cluster for each alias."""


@pytest.fixture(scope="module")
def sandboxes(home: Path, runtime: KafkaInstallation) -> Iterator[list[Sandbox]]:
    """Two, so that there are clusters enough; all but one have topics and a group."""
    both = [Sandbox(name, home_directory=home) for name in ("files-1", "files-2")]
    for sandbox in both:
        sandbox.up(runtime, ANY_PORTS)
    sources = [(both[0], Cluster.EAST), (both[0], Cluster.WEST), (both[1], Cluster.WEST)]
    for place in sources:
        for topic in TOPICS:
            fill(place, topic)
        read_to_the_end(place, "billing", "orders")
    yield both
    for sandbox in both:
        sandbox.down(delete=True)


def target_topics(
    settings: Mapping[str, list[dict[str, str]]], places: Mapping[str, Place]
) -> Iterator[tuple[Place, Place, dict[str, str]]]:
    """By flow: source, target, and the name of each topic there."""
    for flow in settings["flows"]:
        prefix = "" if flow.get("naming") == "identity" else f"{flow['from']}."
        names = {topic: f"{prefix}{topic}" for topic in TOPICS}
        yield places[flow["from"]], places[flow["to"]], names


@pytest.mark.parametrize("name", FILES)
def test_a_stack_file_deploys_changes_and_is_destroyed(
    name: str, sandboxes: list[Sandbox], tmp_path: Path, home: Path
) -> None:
    places: dict[str, Place] = {
        alias: (sandboxes[number], cluster) for alias, (number, cluster) in FILES[name].items()
    }
    project = mirroring_project(tmp_path, home)
    project.timeout = 400.0
    settings = adapted(name, places)
    project.configure(settings)
    set_passwords(project, settings, places)

    try:
        project.up()  # ends with the smoke test

        for source, target, names in target_topics(settings, places):
            equal_between(source, target, names)
        project.up("--expect-no-changes")

        settings["flows"][0]["tasks"] = 1
        project.configure(settings)
        set_passwords(project, settings, places)
        project.up()

        for source, target, names in target_topics(settings, places):
            write(source, "orders", records=50)
            equal_between(source, target, names)
    finally:
        project.pulumi("destroy", "--yes", "--skip-preview")


@pytest.fixture
def mine(home: Path, runtime: KafkaInstallation) -> Iterator[Sandbox]:
    """A sandbox without topics."""
    sandbox = Sandbox("mine", home_directory=home)
    sandbox.up(runtime, ANY_PORTS)
    yield sandbox
    sandbox.down(delete=True)


def test_topics_of_a_shared_cluster_are_replicated_to_a_sandbox_of_this_machine(
    sandboxes: list[Sandbox], mine: Sandbox, tmp_path: Path, home: Path, runtime: KafkaInstallation
) -> None:
    shared, own = (sandboxes[0], Cluster.EAST), (mine, Cluster.WEST)
    places: dict[str, Place] = {"shared": shared, "mine": own}
    settings = adapted("dev", places)
    project = mirroring_project(tmp_path, home)
    project.timeout = 400.0
    project.configure(settings)
    set_passwords(project, settings, places)
    said = project.pulumi("preview", fails=True)
    for command in re.findall(r"kafka-acls .*", said.partition("Diagnostics:")[2]):
        run_as_owner(command, runtime, shared)

    try:
        project.up()  # ends with the smoke test

        write(shared, "orders", records=50)
        equal_between(shared, own, {"orders": "orders"})
        project.up("--expect-no-changes")
        settings["flows"][0]["tasks"] = 1
        project.configure(settings)
        set_passwords(project, settings, places)
        project.up()
        write(shared, "orders", records=50)
        equal_between(shared, own, {"orders": "orders"})
    finally:
        project.pulumi("destroy", "--yes", "--skip-preview")
