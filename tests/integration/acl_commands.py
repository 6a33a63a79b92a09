"""Runs the `kafka-acls` commands that a stack prints, as the owner of the cluster would."""

from __future__ import annotations

import shlex
import subprocess

from mirrorstack.local.kafka_installation import KafkaInstallation
from mirrorstack.sandbox.names import Principal
from tests.integration.replicated_stack import Place


def run_as_owner(command: str, runtime: KafkaInstallation, place: Place) -> None:
    """With the class of the tool and the credentials of an admin."""
    name, *words = shlex.split(command)
    assert name == "kafka-acls"
    sandbox, cluster = place
    owner = sandbox.layout.client_properties(cluster, Principal.ADMIN)
    words = [str(owner) if word == "admin.properties" else word for word in words]
    tool = ["-cp", f"{runtime.jars}/*", "org.apache.kafka.tools.AclCommand"]
    done = subprocess.run(
        [runtime.java, *tool, *words], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
