"""Connectors as JSON and as properties."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.unit.lint.files import PACKAGE, connector, findings, placed

JSON = "org.apache.kafka.connect.json.JsonConverter"


class TestConnectors:
    def test_connectors_are_read_in_all_shapes_of_the_rest_api(self, tmp_path: Path) -> None:
        wrong = connector("Source", **{"task.max": 1})
        expanded = {"a-to-b": {"info": {**wrong, "tasks": [], "type": "source"}, "status": {}}}
        for content in (wrong, wrong["config"], [wrong], expanded):
            assert findings(tmp_path, "c.json", content) == {"task.max": "unknown-key"}

    def test_a_finding_has_the_line_of_its_key(self, tmp_path: Path) -> None:
        wrong = connector("Source", **{"task.max": 1, "topics": "a"})
        assert placed(tmp_path, "c.json", wrong) == [(9, "task.max", "unknown-key")]

    def test_numbers_and_booleans_are_valid_and_lists_are_not(self, tmp_path: Path) -> None:
        mixed = connector("Source", **{"tasks.max": 4, "sync.topic.acls.enabled": False})
        assert findings(tmp_path, "c.json", mixed) == {}
        listed = connector("Source", topics=["a", "b"])
        assert findings(tmp_path, "c.json", listed) == {"topics": "invalid-value"}

    def test_connectors_of_one_flow_must_agree(self, tmp_path: Path) -> None:
        policy = {"replication.policy.class": f"{PACKAGE}.IdentityReplicationPolicy"}
        both = [
            connector("Source", **policy, **{"offset-syncs.topic.location": "target"}),
            connector("Checkpoint", **policy),
        ]
        assert findings(tmp_path, "both.json", both) == {
            "offset-syncs.topic.location": "consistent-connectors"
        }

    def test_two_names_and_a_missing_class_are_reported(self, tmp_path: Path) -> None:
        odd = connector("Source", name="other")
        assert findings(tmp_path, "c.json", odd) == {"name": "conflict"}
        del odd["config"]["name"], odd["config"]["connector.class"]
        assert findings(tmp_path, "c.json", odd) == {"connector.class": "missing-key"}

    def test_connectors_of_other_products_are_not_checked(self, tmp_path: Path) -> None:
        other = {"name": "x", "config": {"connector.class": "org.example.Sink", "task.max": 1}}
        assert findings(tmp_path, "c.json", other) == {}


class TestFlowRules:
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
    def test_a_broken_rule_is_reported_in_json_and_in_properties(
        self, tmp_path: Path, kind: str, config: dict[str, Any], key: str, rule: str
    ) -> None:
        one = connector(kind, **config)
        lines = "".join(f"{name}={value}\n" for name, value in one["config"].items())

        assert findings(tmp_path, "c.json", one) == {key: rule}
        assert findings(tmp_path, "c.properties", lines) == {key: rule}

    def test_a_cycle_of_connectors_is_reported(self, tmp_path: Path) -> None:
        policy = {"replication.policy.class": f"{PACKAGE}.IdentityReplicationPolicy"}
        turned = {
            "source.cluster.alias": "b",
            "target.cluster.alias": "a",
            "source.cluster.bootstrap.servers": "b.example:9092",
            "target.cluster.bootstrap.servers": "a.example:9092",
        }
        back = {**connector("Source", **policy, **turned), "name": "back"}
        off = {**back, "config": {**back["config"], "enabled": "false"}}

        cycle = findings(tmp_path, "cycle.json", [connector("Source", **policy), back])

        assert cycle == {"topics": "no-replication-cycles"}
        assert findings(tmp_path, "no.json", [connector("Source", **policy), off]) == {}
