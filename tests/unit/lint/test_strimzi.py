"""Strimzi's resources: judged on their own lines, and as they were meant."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest
from click.testing import CliRunner

from mirrorstack.cli.main import main
from tests.unit.lint.files import PACKAGE, findings, placed

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


class TestStrimzi:
    def test_what_is_right_passes(self, tmp_path: Path) -> None:
        assert placed(tmp_path, "mm2.yaml", STRIMZI) == []

    @pytest.mark.parametrize(
        ("old", "new", "expected"),
        [
            ("replication.factor: -1\n          sync", "replicaton.factor: -1\n          sync",
             (20, "replicaton.factor", "unknown-key")),
            ("tasksMax: 4", "tasksMax: none", (18, "tasks.max", "invalid-value")),
            ("topicsPattern", "topicsBlacklistPattern",
             (26, "topicsBlacklistPattern", "removed-key")),
            ('"orders|clicks"', '"*"', (26, "topics", "invalid-value")),
            ("sourceCluster: a", "sourceCluster: A", (15, "sourceCluster", "undeclared-cluster")),
            ("producer.batch.size", "batch.size", (13, "batch.size", "unread-key")),
            ("sync.group.offsets.enabled: true", "offset-syncs.topic.location: target",
             (25, "offset-syncs.topic.location", "consistent-connectors")),
            ("a.example:9092", "a.example:9092\n      config: {max.poll.records: 5}",
             (9, "max.poll.records", "unread-key")),
            ("topicsPattern", "topicsPatern", (26, "topicsPatern", "unknown-key")),
            ("heartbeatConnector", "heartbeatConector", (22, "heartbeatConector", "unknown-key")),
            ("tasksMax", "tasksMaxx", (18, "tasksMaxx", "unknown-key")),
            ("mirrors:", "mirors:", (14, "mirors", "unknown-key")),
            ("    - alias: b\n      boot", "    - alias: b\n      authentcation: {}\n      boot",
             (10, "authentcation", "unknown-key")),
        ],
    )  # fmt: skip
    def test_what_is_wrong_is_on_its_line(
        self, tmp_path: Path, old: str, new: str, expected: tuple[int, str, str]
    ) -> None:
        assert old in STRIMZI
        assert expected in placed(tmp_path, "mm2.yaml", STRIMZI.replace(old, new))

    def test_a_mistyped_field_comes_with_the_one_that_was_meant(self, tmp_path: Path) -> None:
        content = STRIMZI.replace("topicsPattern", "topicsPatern")
        (tmp_path / "mm2.yaml").write_text(content)

        shown = CliRunner().invoke(main, ["lint", str(tmp_path / "mm2.yaml")])

        assert "topicsPatern is not a Strimzi field here" in shown.output
        assert "did you mean `topicsPattern`?" in shown.output
        assert shown.exit_code == 1

    def test_a_field_that_resembles_none_may_be_of_a_newer_strimzi(self, tmp_path: Path) -> None:
        (tmp_path / "mm2.yaml").write_text(STRIMZI.replace("spec:\n", "spec:\n  zzz: 1\n", 1))

        shown = CliRunner().invoke(main, ["lint", str(tmp_path / "mm2.yaml")])

        assert "warning" in shown.output
        assert "zzz is not a Strimzi field here" in shown.output

    @pytest.mark.parametrize("field", ["sourceCluster", "targetCluster"])
    def test_a_cluster_that_is_not_there_is_told_once(self, tmp_path: Path, field: str) -> None:
        alias = {"sourceCluster": "a", "targetCluster": "b"}[field]
        wrong = STRIMZI.replace(f"{field}: {alias}", f"{field}: elsewhere")
        missing = STRIMZI.replace(f"{field}: {alias}", "topicsExcludePattern: x")

        assert [one[1:] for one in placed(tmp_path, "mm2.yaml", wrong)] == [
            (field, "undeclared-cluster")
        ]
        assert [one[1:] for one in placed(tmp_path, "mm2.yaml", missing)] == [
            (field, "missing-key")
        ]

    @pytest.mark.parametrize("field", ["class", "config", "tasksMax"])
    def test_a_connector_with_a_mistyped_field_is_judged_as_it_was_meant(
        self, tmp_path: Path, field: str
    ) -> None:
        content = f"""\
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
        mistyped = content.replace(f" {field}:", f" {field[:-1]}:")

        assert findings(tmp_path, "connector.yaml", mistyped) == {
            field[:-1]: "unknown-key",
            "topics.blacklist": "removed-key",
        }

    def test_a_mirror_with_mistyped_fields_is_judged_as_it_was_meant(self, tmp_path: Path) -> None:
        mistyped = (
            STRIMZI.replace("mirrors:", "mirors:")
            .replace("targetCluster:", "targetCluter:")
            .replace("- alias: a", "- allias: a")
            .replace(
                "replication.factor: -1\n          sync", "replicaton.factor: -1\n          sync"
            )
        )
        assert findings(tmp_path, "mm2.yaml", mistyped) == dict.fromkeys(
            ["mirors", "targetCluter", "allias", "replicaton.factor"], "unknown-key"
        )

    def test_a_worker_s_three_topics_have_names_of_their_own(self, tmp_path: Path) -> None:
        content = """\
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaConnect
            spec:
              configStorageTopic: state
              offsetStorageTopic: state
              config: {status.storage.topic: states}
            """
        assert placed(tmp_path, "connect.yaml", content) == [
            (5, "offset.storage.topic", "conflict")
        ]

    def test_a_cycle_is_told_in_the_resource_s_own_fields(self, tmp_path: Path) -> None:
        content = f"""\
            apiVersion: kafka.strimzi.io/v1beta2
            kind: KafkaMirrorMaker2
            spec:
              connectCluster: b
              clusters:
                - {{alias: a, bootstrapServers: "a:1"}}
                - {{alias: b, bootstrapServers: "b:1"}}
              mirrors:
                - sourceCluster: a
                  targetCluster: b
                  sourceConnector: &identity
                    config:
                      replication.policy.class: {PACKAGE}.IdentityReplicationPolicy
                  topicsPattern: orders
                - sourceCluster: b
                  targetCluster: a
                  sourceConnector: *identity
                  topicsPattern: orders
            """
        (tmp_path / "mm2.yaml").write_text(dedent(content))

        shown = CliRunner().invoke(main, ["lint", str(tmp_path / "mm2.yaml")])

        assert "form a cycle" in shown.output
        assert "with `topicsExcludePattern`" in shown.output

    def test_the_newer_shape(self, tmp_path: Path) -> None:
        content = """\
            apiVersion: kafka.strimzi.io/v1
            kind: KafkaMirrorMaker2
            spec:
              target:
                alias: b
                bootstrapServers: b.example:9092
                config: {offset.storage.replicatio.factor: 3}
              mirrors:
                - source: {alias: a, bootstrapServers: "a.example:9092"}
                  sourceConnector: {config: {task.max: 1}}
                  heartbeatConnector: {}
            """
        assert placed(tmp_path, "mm2.yaml", content) == [
            (7, "offset.storage.replicatio.factor", "unknown-key"),
            (10, "task.max", "unknown-key"),
            (11, "heartbeatConnector", "removed-key"),
        ]

    def test_several_documents_and_other_kinds(self, tmp_path: Path) -> None:
        content = f"""\
apiVersion: v1
kind: ConfigMap
---
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
---
apiVersion: kafka.strimzi.io/v1beta2
kind: KafkaConnect
spec:
  config:
    offset.flush.intervall.ms: 5
"""
        assert placed(tmp_path, "all.yaml", content) == [
            (14, "topics.blacklist", "removed-key"),
            (20, "offset.flush.intervall.ms", "unknown-key"),
        ]
