"""A stack with one connector that replicates one topic from east to west, and its fixtures."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from confluent_kafka import Producer

from mirrorstack.connect import credentials
from mirrorstack.connect.client import ConnectClient
from mirrorstack.connect.protocol import ConnectorState
from mirrorstack.kafka.connection import Connection
from mirrorstack.local.home import ROOT
from mirrorstack.local.kafka_installation import KafkaInstallation
from mirrorstack.sandbox.names import Cluster, Principal
from mirrorstack.sandbox.sandbox import Sandbox
from tests.integration.conftest import create_topic, eventually
from tests.integration.connect_worker import ConnectWorker
from tests.pulumi_project import PulumiProject
from toolchain import receipt
from toolchain.shell import pulumi_home

RECORDS = 25
PROGRAM = """
import json
from pathlib import Path

import pulumi

from components.connector import Connector, ConnectorArgs
from mirrorstack.connect.health import Expectation
from mirrorstack.connect.rest_login import RestLogin

for name, given in json.loads(Path("declared.json").read_text()).items():
    expect = given.pop("expect", {})
    expect["records"] = frozenset(expect.get("records", ()))
    login = RestLogin(credentials_file=given.pop("credentials_file"))
    defaults = {"name": name, "login": login, "expect": Expectation(**expect)}
    args = ConnectorArgs(**defaults | given)
    connector = Connector(name, args)
    pulumi.export(name, {"state": connector.state, "config": connector.config})
"""


@pytest.fixture(scope="module")
def east(sandbox: Sandbox) -> Connection:
    return sandbox.connection(Cluster.EAST, Principal.ADMIN)


@pytest.fixture(scope="module")
def west(sandbox: Sandbox) -> Connection:
    return sandbox.connection(Cluster.WEST, Principal.ADMIN)


@pytest.fixture(scope="module")
def worker(home: Path, runtime: KafkaInstallation, west: Connection) -> Iterator[ConnectWorker]:
    worker = ConnectWorker(runtime, home / "connect", west)
    worker.start()
    yield worker
    worker.stop()


@dataclass
class Stack:
    """A stack with one MirrorSource connector for one topic, which has the connector's name."""

    name: str
    project: PulumiProject
    worker: ConnectWorker
    east: Connection
    west: Connection

    @property
    def live(self) -> ConnectClient:
        return ConnectClient(self.worker.url, credentials.load(self.worker.credentials_file))

    def declare(self, config: dict[str, Any] | None = None, **changes: Any) -> None:
        declared = {
            "rest_url": self.worker.url,
            "credentials_file": str(self.worker.credentials_file),
            "config": self.config() | (config or {}),
            "expect": {"partitions": {self.name: 1}, "records": [self.name]},
        } | changes
        self.project.write("declared.json", json.dumps({self.name: declared}))

    def config(self) -> dict[str, Any]:
        return {
            "connector.class": "org.apache.kafka.connect.mirror.MirrorSourceConnector",
            "topics": self.name,
            "tasks.max": 2,
            "sync.topic.acls.enabled": False,
            "replication.factor": 1,
            "offset-syncs.topic.replication.factor": 1,
            "offset-syncs.topic.location": "target",
            "source.cluster.alias": "east",
            "target.cluster.alias": "west",
            **self.cluster("source", self.east, "east"),
            **self.cluster("target", self.west, "west"),
        }

    def cluster(self, role: str, connection: Connection, secret: str) -> dict[str, str]:
        client = connection.java_properties()
        references = self.worker.secret(secret, jaas=client.pop("sasl.jaas.config"))
        client["sasl.jaas.config"] = references["jaas"]
        return {f"{role}.cluster.{key}": value for key, value in client.items()}

    def wrong_password(self) -> dict[str, str]:
        jaas = self.east.java_properties()["sasl.jaas.config"]
        wrong = self.worker.secret("wrong", jaas=jaas.replace(self.east.password, "not-it"))
        return {"source.cluster.sasl.jaas.config": wrong["jaas"]}

    def is_live(self, state: ConnectorState) -> None:
        def reached() -> bool:
            status = self.live.status(self.name)
            return status is not None and status.state == state.upper()

        eventually(reached, f"{self.name} is {state}")

    def is_gone(self) -> bool:
        return self.live.config(self.name) is None

    def preview(self, *arguments: str, fails: bool = False) -> str:
        said = self.project.pulumi("preview", "--diff", *arguments, fails=fails)
        assert "Traceback" not in said
        return said

    def failed_up(self) -> str:
        said = self.project.up(fails=True)
        assert "Traceback" not in said
        return said

    def destroy(self) -> str:
        return self.project.pulumi("destroy", "--yes", "--skip-preview")


@pytest.fixture
def stack(
    request: pytest.FixtureRequest,
    tmp_path: Path,
    worker: ConnectWorker,
    east: Connection,
    west: Connection,
) -> Iterator[Stack]:
    """Its topic on east holds records before the connector is created."""
    project = PulumiProject(
        tmp_path,
        name="connectors",
        pulumi=receipt.read(ROOT / ".mirrorstack")["pulumi"].path,
        pulumi_home=pulumi_home(),
    )
    project.write("__main__.py", PROGRAM)
    name = re.sub(r"[^a-z0-9]+", "-", request.node.name.removeprefix("test_")).strip("-")[:60]
    stack = Stack(name, project, worker, east, west)
    create_topic(east, name)
    producer = Producer(east.client_config())
    for number in range(RECORDS):
        producer.produce(name, key=f"k{number}", value=f"v{number}")
    assert producer.flush(30) == 0
    yield stack
    stack.live.delete(name)
