"""A stack file from a running Connect cluster."""

from __future__ import annotations

import json

from mirrorstack.config.flows import FlowSettings
from mirrorstack.connect import credentials
from mirrorstack.connect.client import ConnectClient
from mirrorstack.connect.protocol import ConnectorState
from mirrorstack.kafka.java_client import ClientAccess
from mirrorstack.mm2.connector_configs import connector_configs
from mirrorstack.mm2.resolved_flow import ResolvedFlow
from tests.integration.conftest import CommandLine, eventually
from tests.integration.connect_worker import ConnectWorker
from tests.integration.connector_stack import west, worker

__all__ = ["west", "worker"]  # fixtures

DECLARED = {
    "from": "east",
    "to": "west",
    "naming": "identity",
    "topics": ["orders"],
    "groups": ["billing"],
    "checkpoint-seconds": 5,
    "tasks": 3,
    "exactly-once": False,
    "state": "stopped",
}


def test_running_connectors_are_imported_as_they_were_declared(
    worker: ConnectWorker, mirrorstack: CommandLine
) -> None:
    flow = FlowSettings.model_validate(DECLARED)
    secret = worker.secret("imported", east="hunter2")["east"]
    access = ClientAccess("west", worker.west.bootstrap_servers, "mm2", secret)
    live = ConnectClient(worker.url, credentials.load(worker.credentials_file))
    names = []
    for made in connector_configs(ResolvedFlow(flow, ("orders",)), access, access, 1):
        live.create(made.name, made.config, ConnectorState.STOPPED)
        names.append(made.name)
    try:
        eventually(lambda: live.connectors().keys() == set(names), "all connectors have a status")
        result = mirrorstack(
            *("import", worker.url, "--json"),
            *("--credentials-file", str(worker.credentials_file)),
        )
    finally:
        for name in names:
            live.delete(name)

    assert result.returncode == 0, result.stderr
    document = json.loads(result.stdout)
    assert FlowSettings.model_validate(document["stack"]["flows"][0]) == flow
    assert document["stack"]["clusters"]["east"]["principals"]["mirror"] == "mm2"
    assert "hunter2" not in result.stdout + result.stderr


def test_a_connect_that_requires_authentication_names_the_option(
    worker: ConnectWorker, mirrorstack: CommandLine
) -> None:
    result = mirrorstack("import", worker.url)

    assert result.returncode == 2
    assert "requires authentication" in result.stderr
    assert "--credentials-file" in result.stderr
