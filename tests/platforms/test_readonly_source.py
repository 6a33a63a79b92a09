"""stacks/Pulumi.readonly-source.yaml: another team's source, and containers near the target."""

from __future__ import annotations

import re
from pathlib import Path

from docker import DockerClient

from mirrorstack.local.kafka_installation import KafkaInstallation
from mirrorstack.sandbox.names import Cluster
from mirrorstack.sandbox.sandbox import Sandbox
from tests.integration.acl_commands import run_as_owner
from tests.integration.replicated_stack import Place, equal_between, fill, mirroring_project, write
from tests.stack_files import adapted, set_passwords

TOPIC = "orders"


def test_the_owner_of_the_source_creates_acls_and_nothing_else(
    tmp_path: Path,
    home: Path,
    sandbox: Sandbox,
    daemon: str,
    docker: DockerClient,
    runtime: KafkaInstallation,
) -> None:
    theirs, ours = (sandbox, Cluster.EAST), (sandbox, Cluster.WEST)
    places: dict[str, Place] = {"theirs": theirs, "ours": ours}
    fill(theirs, TOPIC)
    settings = adapted("readonly-source", places)
    # The brokers of the sandbox listen on loopback.
    settings["workers"]["ours"]["docker"] = {"host": daemon, "network": "host"}
    project = mirroring_project(tmp_path, home)
    project.timeout = 400.0
    project.configure(settings)
    set_passwords(project, settings, places)
    project.pulumi("config", "set", "--secret", "ours-connect-password", "a password")
    said = project.pulumi("preview", fails=True)
    commands = re.findall(r"kafka-acls .*", said.partition("Diagnostics:")[2])
    assert commands
    for command in commands:
        run_as_owner(command, runtime, theirs)

    try:
        project.up()  # ends with the smoke test

        write(theirs, TOPIC, records=50)
        equal_between(theirs, ours, {TOPIC: f"theirs.{TOPIC}"})
        project.up("--expect-no-changes")
        settings["flows"][0]["tasks"] = 1
        project.configure(settings)
        set_passwords(project, settings, places)
        project.pulumi("config", "set", "--secret", "ours-connect-password", "another password")
        project.up()
        write(theirs, TOPIC, records=50)
        equal_between(theirs, ours, {TOPIC: f"theirs.{TOPIC}"})
    finally:
        project.pulumi("destroy", "--yes", "--skip-preview")
    assert docker.containers.list(all=True) == []
