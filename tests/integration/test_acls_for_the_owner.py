"""Clusters whose ACLs belong to somebody else: the stack exports them as commands."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from confluent_kafka import Producer

from mirrorstack.local.kafka_installation import KafkaInstallation
from mirrorstack.runtimes.local_worker import all_below
from mirrorstack.sandbox.names import Cluster, Principal
from mirrorstack.sandbox.sandbox import Sandbox
from tests.integration.acl_commands import run_as_owner
from tests.integration.conftest import create_topic
from tests.integration.replicated_stack import (
    acls,
    equal_within,
    fill,
    flow,
    mirroring_project,
    stack,
    write,
)
from tests.pulumi_project import PulumiProject

pytestmark = pytest.mark.slow

TOPIC = "owned-elsewhere"


@pytest.fixture
def project(tmp_path: Path, home: Path, sandbox: Sandbox) -> Iterator[PulumiProject]:
    project = mirroring_project(tmp_path, home)
    declared = stack(flow(TOPIC), sandbox="shared")
    declared["clusters"]["east"]["administer"] = False
    project.configure(declared)
    yield project
    for worker in all_below(home):
        worker.stop()


def test_the_printed_commands_of_the_owner_make_replication_work(
    project: PulumiProject, sandbox: Sandbox, runtime: KafkaInstallation
) -> None:
    app = sandbox.connection(Cluster.EAST, Principal.APP)
    create_topic(app, TOPIC)
    producer = Producer(app.client_config())
    for number in range(100):
        producer.produce(TOPIC, str(number).encode())
    producer.flush(15)

    said = project.pulumi("preview", fails=True)
    assert (
        f"{TOPIC} matches no topic on east that can be replicated and that mirror may describe"
        in said
    )
    commands = re.findall(r"kafka-acls .*", said.partition("Diagnostics:")[2])
    assert commands
    for command in commands:
        run_as_owner(command, runtime, (sandbox, Cluster.EAST))
    try:
        said = project.up()

        equal_within(sandbox, {TOPIC: f"east.{TOPIC}"})
        assert "kafka-acls --bootstrap-server" in said
        assert "mirrorstack-kafka-east" not in project.pulumi("stack"), (
            "there is no provider for what is not ours"
        )
        project.pulumi("destroy", "--yes", "--skip-preview")
        assert acls((sandbox, Cluster.EAST)), "what the owner granted is the owner's to take away"
    finally:
        for command in commands:
            run_as_owner(
                command.replace("--add", "--remove --force"), runtime, (sandbox, Cluster.EAST)
            )


def declare(project: PulumiProject, topic: str, acls: str) -> None:
    declared = stack(flow(topic), sandbox="shared", workers={"west": {"group": topic}})
    for cluster in declared["clusters"].values():
        cluster["acls"] = acls
    project.configure(declared)


def commands_by_cluster(project: PulumiProject) -> dict[Cluster, list[str]]:
    exported = json.loads(project.pulumi("stack", "output", "acls", "--json"))
    return {cluster: exported[cluster]["commands"] for cluster in Cluster}


def test_acls_are_handed_over_to_the_owner_without_an_interruption(
    tmp_path: Path, home: Path, sandbox: Sandbox, runtime: KafkaInstallation
) -> None:
    """Pulumi deletes what is no longer declared, and MirrorMaker would stop without an error."""
    topic = "handed-over"
    east, west = (sandbox, Cluster.EAST), (sandbox, Cluster.WEST)
    fill(east, topic)
    project = mirroring_project(tmp_path, home)
    declare(project, topic, "managed")
    project.up()
    created = {place[1]: acls(place) for place in (east, west)}
    try:
        declare(project, topic, "exported")
        said = project.up()
        assert "The ACLs that this stack created on west stay there" in said
        project.up()  # removes them from the state
        project.up("--expect-no-changes")
        assert "kafka:index/acl:Acl" not in project.pulumi("stack", "export")

        assert {place[1]: acls(place) for place in (east, west)} == created
        write(east, topic, records=20)
        equal_within(sandbox, {topic: f"east.{topic}"})

        declare(project, topic, "managed")
        said = project.pulumi("preview", fails=True)
        assert "already has ACLs that this stack needs and did not create" in said
        declare(project, topic, "exported")
        exported = commands_by_cluster(project)
    finally:
        project.pulumi("destroy", "--yes", "--skip-preview")
    assert {place[1]: acls(place) for place in (east, west)} == created
    for cluster, commands in exported.items():
        for command in commands:
            removal = command.replace("--add", "--remove --force")
            run_as_owner(removal, runtime, (sandbox, cluster))
    assert acls(east) == acls(west) == set(), "the commands cover every ACL of the stack"
