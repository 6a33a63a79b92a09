"""Strimzi resources: the configs that the operator creates, with the lines of the resource."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest
from click.testing import CliRunner

from mirrorstack.cli.main import main
from tests.unit.lint.files import PACKAGE, STRIMZI, STRIMZI_CONNECTOR, placed


class TestStrimzi:
    def test_a_valid_stack_has_no_findings(self, tmp_path: Path) -> None:
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
    def test_a_mistake_is_reported_on_its_line(
        self, tmp_path: Path, old: str, new: str, expected: tuple[int, str, str]
    ) -> None:
        assert old in STRIMZI
        assert expected in placed(tmp_path, "mm2.yaml", STRIMZI.replace(old, new))

    @pytest.mark.parametrize("field", ["sourceCluster", "targetCluster"])
    def test_an_undeclared_cluster_is_reported_once(self, tmp_path: Path, field: str) -> None:
        alias = {"sourceCluster": "a", "targetCluster": "b"}[field]
        wrong = STRIMZI.replace(f"{field}: {alias}", f"{field}: elsewhere")
        missing = STRIMZI.replace(f"{field}: {alias}", "topicsExcludePattern: x")

        assert [one[1:] for one in placed(tmp_path, "mm2.yaml", wrong)] == [
            (field, "undeclared-cluster")
        ]
        assert [one[1:] for one in placed(tmp_path, "mm2.yaml", missing)] == [
            (field, "missing-key")
        ]

    def test_a_worker_needs_three_different_internal_topics(self, tmp_path: Path) -> None:
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

    def test_the_fix_of_a_cycle_names_the_fields_of_the_resource(self, tmp_path: Path) -> None:
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

    def test_the_api_version_v1_is_supported(self, tmp_path: Path) -> None:
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

    def test_several_documents_and_other_kinds_in_one_file(self, tmp_path: Path) -> None:
        content = f"""\
apiVersion: v1
kind: ConfigMap
---
{STRIMZI_CONNECTOR}---
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

    def test_groups_without_a_checkpoint_connector_are_reported(self, tmp_path: Path) -> None:
        content = """\
            apiVersion: kafka.strimzi.io/v1beta2
            kind: KafkaMirrorMaker2
            spec:
              connectCluster: b
              clusters:
                - {alias: a, bootstrapServers: "a:1"}
                - {alias: b, bootstrapServers: "b:1"}
              mirrors:
                - sourceCluster: a
                  targetCluster: b
                  sourceConnector: {}
                  groupsPattern: billing
            """
        assert placed(tmp_path, "mm2.yaml", content) == [
            (12, "groupsPattern", "checkpoints-for-groups")
        ]
