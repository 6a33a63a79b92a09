"""A source with another owner: the stack prints the ACLs as commands and changes nothing there."""

from __future__ import annotations

import re
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from confluent_kafka import Producer

from mirrorstack.local.kafka_installation import KafkaInstallation
from mirrorstack.runtimes.local_worker import all_below
from mirrorstack.sandbox.names import Cluster, Principal
from mirrorstack.sandbox.sandbox import Sandbox
from tests.integration.conftest import create_topic
from tests.integration.replicated_stack import acls, equal_within, flow, mirroring_project, stack
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


def run_as_owner(command: str, runtime: KafkaInstallation, sandbox: Sandbox) -> None:
    """Run the printed command, with the class of the tool and the credentials of an admin."""
    name, *words = shlex.split(command)
    assert name == "kafka-acls"
    owner = sandbox.layout.client_properties(Cluster.EAST, Principal.ADMIN)
    words = [str(owner) if word == "admin.properties" else word for word in words]
    tool = ["-cp", f"{runtime.jars}/*", "org.apache.kafka.tools.AclCommand"]
    done = subprocess.run(
        [runtime.java, *tool, *words], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


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
        run_as_owner(command, runtime, sandbox)
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
            run_as_owner(command.replace("--add", "--remove --force"), runtime, sandbox)
