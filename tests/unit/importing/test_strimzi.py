"""Strimzi resources become stack files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from mirrorstack.cli.main import main
from tests.unit.lint.files import PACKAGE

MIRROR = """\
apiVersion: v1
kind: Secret
---
apiVersion: kafka.strimzi.io/v1beta2
kind: KafkaMirrorMaker2
metadata: {name: mirror}
spec:
  connectCluster: b
  clusters:
    - alias: a
      bootstrapServers: a.example:9093
      tls: {trustedCertificates: [{secretName: a-ca, certificate: ca.crt}]}
      authentication:
        type: scram-sha-512
        username: mirror
        passwordSecret: {secretName: hunter2, password: hunter2}
    - alias: b
      bootstrapServers: b.example:9092
      config:
        config.storage.replication.factor: 3
  mirrors:
    - sourceCluster: a
      targetCluster: b
      sourceConnector:
        tasksMax: 4
        config:
          replication.factor: 3
          offset-syncs.topic.location: target
          consumer.max.poll.records: 3000
      checkpointConnector:
        config:
          offset-syncs.topic.location: target
          sync.group.offsets.enabled: true
      topicsPattern: "orders|clicks"
      groupsPattern: billing
      groupsExcludePattern: ""
"""
V1 = """\
apiVersion: kafka.strimzi.io/v1
kind: KafkaMirrorMaker2
spec:
  target: {alias: b, bootstrapServers: "b:1", tls: {}, authentication: {type: tls}}
  mirrors:
    - source: {alias: a, bootstrapServers: "a:1", authentication: {type: plain}}
      sourceConnector: {config: {topics: orders}, pause: true}
"""
CONNECTOR = f"""\
apiVersion: kafka.strimzi.io/v1beta2
kind: KafkaConnector
metadata: {{name: source}}
spec:
  class: {PACKAGE}.MirrorSourceConnector
  state: stopped
  config:
    source.cluster.alias: a
    target.cluster.alias: b
    source.cluster.bootstrap.servers: a:1
    target.cluster.bootstrap.servers: b:1
    topics: orders
"""


def imported(directory: Path, content: str) -> tuple[dict[str, Any], str]:
    file = directory / "mirror.yaml"
    file.write_text(content)
    shown = CliRunner().invoke(main, ["import", "--json", str(file)])
    assert shown.exit_code == 0, shown.output
    document = json.loads(shown.stdout)
    return document["stack"], "\n".join(one["message"] for one in document["notes"])


def test_a_mirror_becomes_a_flow_between_its_clusters(tmp_path: Path) -> None:
    stack, notes = imported(tmp_path, MIRROR)

    assert stack["clusters"] == {
        "a": {
            "bootstrap-servers": ["a.example:9093"],
            "security": {"protocol": "SASL_SSL", "mechanism": "SCRAM-SHA-512"},
            "principals": {"mirror": "mirror"},
            "administer": False,
        },
        "b": {
            "bootstrap-servers": ["b.example:9092"],
            "security": {"protocol": "PLAINTEXT"},
            "replication-factor": 3,
        },
    }
    (flow,) = stack["flows"]
    assert flow["topics"] == ["orders|clicks"]
    assert flow["groups"] == ["billing"]
    assert flow["tasks"] == 4
    assert flow["heartbeats"] is False
    assert flow["override"] == {"source": {"consumer.max.poll.records": "3000"}}
    assert "cluster a: its CA certificates are in the Kubernetes secret a-ca" in notes
    assert "cluster b: config.storage.replication.factor is left out: a stack configures" in notes
    assert "hunter2" not in f"{stack}{notes}"


def test_the_api_version_v1_and_client_certificates(tmp_path: Path) -> None:
    stack, notes = imported(tmp_path, V1)

    assert stack["clusters"]["a"]["security"] == {
        "protocol": "SASL_PLAINTEXT",
        "mechanism": "PLAIN",
    }
    assert stack["clusters"]["b"]["security"] == {"protocol": "SSL"}
    assert stack["flows"][0]["state"] == "paused"
    assert "cluster b: client certificates (`authentication.type: tls`) are not supported" in notes


def test_a_kafka_connector_resource_becomes_a_flow(tmp_path: Path) -> None:
    stack, _ = imported(tmp_path, CONNECTOR)

    assert stack["flows"][0]["topics"] == ["orders"]
    assert stack["flows"][0]["state"] == "stopped"


@pytest.mark.parametrize(
    "content",
    [
        "apiVersion: v1\nkind: Secret\n",
        "apiVersion: kafka.strimzi.io/v1\nkind: KafkaConnect\nspec: {config: {}}\n",
        "config:\n  mirrorstack:flows: []\n",
    ],
)
def test_a_file_without_flows_is_an_error(tmp_path: Path, content: str) -> None:
    file = tmp_path / "x.yaml"
    file.write_text(content)

    shown = CliRunner().invoke(main, ["import", str(file)])

    assert "x.yaml: declares no flow" in f"{shown.output}{shown.exception}"
