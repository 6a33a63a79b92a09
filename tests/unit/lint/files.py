"""Small files to lint."""

from __future__ import annotations

import json
from pathlib import Path
from textwrap import dedent
from typing import Any

from mirrorstack.lint.properties_files import PropertiesKind
from mirrorstack.lint.reader import lint_file

PACKAGE = "org.apache.kafka.connect.mirror"
STRIMZI = """\
apiVersion: kafka.strimzi.io/v1beta2
kind: KafkaMirrorMaker2
metadata: {name: mirror}
spec:
  connectCluster: b
  clusters:
    - alias: a
      bootstrapServers: a.example:9092
    - alias: b
      bootstrapServers: b.example:9092
      config:
        config.storage.replication.factor: -1
        producer.batch.size: 1
  mirrors:
    - sourceCluster: a
      targetCluster: b
      sourceConnector:
        tasksMax: 4
        config:
          replication.factor: -1
          sync.topic.acls.enabled: "false"
      heartbeatConnector: {}
      checkpointConnector:
        config:
          sync.group.offsets.enabled: true
      topicsPattern: "orders|clicks"
      groupsPattern: ".*"
"""
STRIMZI_CONNECTOR = f"""\
apiVersion: kafka.strimzi.io/v1beta2
kind: KafkaConnector
metadata: {{name: source}}
spec:
  class: {PACKAGE}.MirrorSourceConnector
  tasksMax: 2
  config:
    source.cluster.alias: a
    source.cluster.bootstrap.servers: a:1
    target.cluster.bootstrap.servers: b:1
    topics.blacklist: secret
"""


def findings(
    directory: Path,
    name: str,
    content: str | dict[str, Any] | list[Any],
    kind: PropertiesKind | None = None,
) -> dict[str, str]:
    """The rule by key, of all findings in a file."""
    return {one[1]: one[2] for one in placed(directory, name, content, kind)}


def placed(
    directory: Path,
    name: str,
    content: str | dict[str, Any] | list[Any],
    kind: PropertiesKind | None = None,
) -> list[tuple[int, str, str]]:
    """Line, key and rule."""
    text = dedent(content) if isinstance(content, str) else json.dumps(content, indent=2)
    file = directory / name
    file.write_text(text)
    return [(one.line or 0, one.key, one.rule) for one in lint_file(file, kind)]


def connector(kind: str, **config: Any) -> dict[str, Any]:
    """A connector from `a` to `b`, in the shape of Connect's REST API."""
    return {
        "name": f"a-to-b-{kind.lower()}",
        "config": {
            "connector.class": f"{PACKAGE}.Mirror{kind}Connector",
            "source.cluster.alias": "a",
            "target.cluster.alias": "b",
            "source.cluster.bootstrap.servers": "a.example:9092",
            "target.cluster.bootstrap.servers": "b.example:9092",
            **config,
        },
    }
