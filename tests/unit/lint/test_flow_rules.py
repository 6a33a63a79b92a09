"""The policy pack's rules about flows, in every kind of file that can break them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.unit.lint.files import PACKAGE, connector, findings, placed

MM2 = """\
clusters = a, b
a.bootstrap.servers = a:1
b.bootstrap.servers = b:1
a->b.enabled = true
a->b.topics = orders
"""
IDENTITY = f"replication.policy.class = {PACKAGE}.IdentityReplicationPolicy\n"
BACK = "b->a.enabled = true\nb->a.topics = o.*\n"
JSON = "org.apache.kafka.connect.json.JsonConverter"


class TestDedicatedMode:
    @pytest.mark.parametrize(
        ("more", "line", "key", "rule"),
        [
            (IDENTITY + BACK, 5, "a->b.topics", "no-replication-cycles"),
            ("a->b.topics = b.orders\n", 6, "a->b.topics", "no-cluster-alias-prefix"),
            (IDENTITY + "a->b.topics = my-heartbeats\n", 7, "a->b.topics",
             "no-heartbeats-suffix"),
            (f"b.value.converter = {JSON}\n", 6, "b.value.converter", "byte-array-converters"),
            (f"a->b.key.converter = {JSON}\n", 6, "a->b.key.converter", "byte-array-converters"),
            ("sync.group.offsets.enabled = true\na->b.groups = connect-sink\n", 7, "a->b.groups",
             "no-excluded-groups"),
            ("a->b.groups = billing\n", 4, "a->b.enabled", "sync-group-offsets"),
            ("groups = billing\nsync.group.offsets.enabled = false\n", 7,
             "sync.group.offsets.enabled", "sync-group-offsets"),
            ("groups = .*\na->b.emit.checkpoints.enabled = false\n", 7,
             "a->b.emit.checkpoints.enabled", "checkpoints-for-groups"),
            ("a->b.emit.heartbeats.enabled = false\n", 6, "a->b.emit.heartbeats.enabled",
             "emit-heartbeats"),
            ("emit.heartbeats.enabled = false\n", 6, "emit.heartbeats.enabled",
             "emit-heartbeats"),
            ("a->b.offset-syncs.topic.location = target\n", 6, "a->b.offset-syncs.topic.location",
             "no-heartbeats-on-read-only-clusters"),
        ],
    )  # fmt: skip
    def test_what_breaks_a_rule_is_named_where_it_stands(
        self, tmp_path: Path, more: str, line: int, key: str, rule: str
    ) -> None:
        found = placed(tmp_path, "mm2.properties", MM2 + more)

        assert [one for one in found if one[2] != "duplicate-key"] == [(line, key, rule)]

    @pytest.mark.parametrize(
        "more",
        [
            BACK,
            IDENTITY,
            IDENTITY + BACK.replace("o.*", "bills"),
            "a->b.groups = .*\n",
            "a->b.groups = billing\nsync.group.offsets.enabled = true\n",
            # Of a direction that mirrors nothing.
            "b->a.emit.checkpoints.enabled = false\nb->a.groups = billing\n",
            "b->a.emit.heartbeats.enabled = false\n",
            "offset-syncs.topic.location = target\nb->a.emit.heartbeats.enabled = false\n",
            # It is written anyway.
            f"offset-syncs.topic.location = target\n{BACK}",
            "emit.checkpoints.enabled = false\n",
            "a->b.topics = ${file:/etc/topics:ours}\n" + IDENTITY + BACK,
        ],
    )
    def test_what_keeps_them_passes(self, tmp_path: Path, more: str) -> None:
        rules = set(findings(tmp_path, "mm2.properties", MM2 + more).values())

        assert rules <= {"duplicate-key", "invalid-value"}

    def test_two_sources_that_merge(self, tmp_path: Path) -> None:
        third = f"c.bootstrap.servers = c:1\nc->b.enabled = true\nc->b.topics = .*\n{IDENTITY}"
        content = MM2.replace("a, b", "a, b, c") + third

        assert findings(tmp_path, "mm2.properties", content) == {"a->b.topics": "no-merged-sources"}


class TestConnectors:
    @pytest.mark.parametrize(
        ("kind", "config", "key", "rule"),
        [
            ("Source", {"header.converter": JSON}, "header.converter", "byte-array-converters"),
            ("Source", {"topics": "b.orders"}, "topics", "no-cluster-alias-prefix"),
            ("Checkpoint", {"groups": "connect-sink", "sync.group.offsets.enabled": "true"},
             "groups", "no-excluded-groups"),
            ("Checkpoint", {"groups": "billing", "sync.group.offsets.enabled": "false"},
             "sync.group.offsets.enabled", "sync-group-offsets"),
            ("Heartbeat", {"emit.heartbeats.enabled": "false"}, "emit.heartbeats.enabled",
             "emit-heartbeats"),
        ],
    )  # fmt: skip
    def test_what_breaks_a_rule_is_named_in_json_and_in_properties(
        self, tmp_path: Path, kind: str, config: dict[str, Any], key: str, rule: str
    ) -> None:
        one = connector(kind, **config)
        lines = "".join(f"{name}={value}\n" for name, value in one["config"].items())

        assert findings(tmp_path, "c.json", one) == {key: rule}
        assert findings(tmp_path, "c.properties", lines) == {key: rule}

    def test_a_ring_of_connectors(self, tmp_path: Path) -> None:
        policy = {"replication.policy.class": f"{PACKAGE}.IdentityReplicationPolicy"}
        turned = {
            "source.cluster.alias": "b",
            "target.cluster.alias": "a",
            "source.cluster.bootstrap.servers": "b.example:9092",
            "target.cluster.bootstrap.servers": "a.example:9092",
        }
        back = {**connector("Source", **policy, **turned), "name": "back"}
        off = {**back, "config": {**back["config"], "enabled": "false"}}

        ring = findings(tmp_path, "ring.json", [connector("Source", **policy), back])

        assert ring == {"topics": "no-replication-cycles"}
        assert findings(tmp_path, "no.json", [connector("Source", **policy), off]) == {}

    def test_strimzi_s_groups_without_a_checkpoint_connector(self, tmp_path: Path) -> None:
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


STACK = """\
config:
  mirrorstack:clusters:
    east: {bootstrap-servers: [e:1], administer: false, read-only: true, security: {protocol: SSL}}
    west: {bootstrap-servers: [w:1], security: {protocol: SSL}}
  mirrorstack:flows:
    - from: east
      to: west
      topics: [orders]
      groups: [billing]
"""


class TestStackFiles:
    def test_what_keeps_the_rules_passes(self, tmp_path: Path) -> None:
        assert placed(tmp_path, "Pulumi.x.yaml", STACK) == []

    @pytest.mark.parametrize(
        ("more", "line", "key", "rule"),
        [
            ("heartbeats: false", 10, "heartbeats", "emit-heartbeats"),
            ("sync-group-offsets: false", 10, "sync-group-offsets", "sync-group-offsets"),
            ("exclude-groups: ['b.*']", 9, "groups", "no-excluded-groups"),
            ("override: {source: {sync.topic.acls.enabled: 'true'}}", 10,
             "override.source.sync.topic.acls.enabled", "no-acl-sync"),
            (f"override: {{source: {{value.converter: {JSON}}}}}", 10,
             "override.source.value.converter", "byte-array-converters"),
            ("override: {checkpoint: {offset-syncs.topic.location: source}}", 10,
             "override.checkpoint.offset-syncs.topic.location", "conflict"),
            ("override: {heartbeat: {emit.heartbeats.enabled: 'false'}}", 10,
             "override.heartbeat.emit.heartbeats.enabled", "emit-heartbeats"),
        ],
    )  # fmt: skip
    def test_what_breaks_one_is_named_where_it_stands(
        self, tmp_path: Path, more: str, line: int, key: str, rule: str
    ) -> None:
        found = placed(tmp_path, "Pulumi.x.yaml", f"{STACK}      {more}\n")

        assert found == [(line, f"flows[0].{key}", rule)]
