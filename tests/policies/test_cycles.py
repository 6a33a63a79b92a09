"""Replication cycles: no stack with one is deployed, whatever the pack's config says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mirrorstack.rules import cycles
from mirrorstack.rules.rule import Level
from policies.pack import LOCKED
from policies.resources import MIRROR_STACK
from tests.policies.conftest import PACK, listed, preview
from tests.policies.harness import (
    MM2,
    UNKNOWN,
    connector,
    declared,
    flow,
    resource,
    stack,
    violations_of,
    without,
)
from tests.pulumi_project import PulumiProject

FLOWS, CONNECTORS = "no-replication-cycles", "no-connector-cycles"
THERE, BACK = (flow(*ends, naming="identity") for ends in (("east", "west"), ("west", "east")))
IDENTITY = {"replication_policy_class": f"{MM2}.IdentityReplicationPolicy"}
TURNED = {
    "source_cluster_alias": "west",
    "target_cluster_alias": "east",
    "source_cluster_bootstrap_servers": "west:9093",
    "target_cluster_bootstrap_servers": "east:9093",
}


OWN = "com.example.Own"
OWN_CYCLE = [
    connector(replication_policy_class=OWN, topics=".*"),
    connector(replication_policy_class=OWN, topics=".*", **TURNED),
]


def own_policy(flow: dict[str, Any], name: str) -> dict[str, Any]:
    policy = {"class": OWN, "jar": "own.jar", "name": name}
    return {**flow, "topics": [".*"], "naming": "custom", "policy": policy}


CYCLE = [connector(**IDENTITY), connector(**IDENTITY, **TURNED)]


class TestFlows:
    def test_one_direction_passes(self) -> None:
        assert violations_of(FLOWS, stack(THERE)) == []

    def test_a_cycle_is_refused(self) -> None:
        (message,) = violations_of(FLOWS, stack(THERE, BACK))

        assert "all of them replicate the topic orders" in message

    def test_a_cycle_with_a_peer_is_refused(self) -> None:
        (message,) = violations_of(FLOWS, stack(THERE, peers={"Pulumi.dr.yaml": declared(BACK)}))

        assert "west-to-east of Pulumi.dr.yaml" in message

    def test_an_absent_naming_is_prefixed_and_ends_the_cycle(self) -> None:
        (cycle,) = without(("settings", "flows", 1, "naming"), stack(THERE, BACK))

        assert violations_of(FLOWS, cycle) == []

    @pytest.mark.parametrize(("name", "cycles"), [("{source}_{topic}", 0), ("{topic}", 1)])
    def test_an_own_policy_ends_the_cycle_only_if_its_names_show_the_source(
        self, name: str, cycles: int
    ) -> None:
        both = [own_policy(each, name) for each in (THERE, BACK)]

        assert len(violations_of(FLOWS, stack(*both))) == cycles
        assert len(violations_of(CONNECTORS, stack(*both), *OWN_CYCLE)) == cycles

    def test_an_unknown_policy_counts_as_identity(self) -> None:
        assert len(violations_of(CONNECTORS, *OWN_CYCLE)) == 1

    def test_a_component_without_settings_is_ignored(self) -> None:
        assert violations_of(FLOWS, resource(MIRROR_STACK, {})) == []

    def test_an_unknown_value_is_not_guessed(self) -> None:
        assert violations_of(FLOWS, resource(MIRROR_STACK, {"settings": UNKNOWN})) == ["unknown"]


class TestConnectors:
    def test_one_direction_passes(self) -> None:
        assert violations_of(CONNECTORS, connector(**IDENTITY), connector("Checkpoint")) == []

    def test_a_cycle_is_refused_and_named_by_its_connectors(self) -> None:
        (message,) = violations_of(
            CONNECTORS, connector(**IDENTITY), connector(**IDENTITY, **TURNED)
        )

        assert "Flows east-to-west-source and east-to-west-source form a cycle" in message

    def test_a_cycle_with_a_peer_is_refused(self) -> None:
        (message,) = violations_of(
            CONNECTORS, connector(**IDENTITY), stack(THERE, peers={"dr": declared(BACK)})
        )

        assert "form a cycle, east -> west -> east" in message
        assert "west-to-east of dr" in message

    @pytest.mark.parametrize("key", ["topics", "replication_policy_class", "topics_exclude"])
    def test_an_absent_key_is_mirror_maker_s_default(self, key: str) -> None:
        absent: dict[str, Any] = {key: None}
        pair = [connector(**{**IDENTITY, **way, **absent}) for way in ({}, TURNED)]

        assert len(violations_of(CONNECTORS, *pair)) == (
            0 if key == "replication_policy_class" else 1
        )

    def test_an_unknown_value_is_not_guessed(self) -> None:
        unknown = connector(**{**IDENTITY, "topics": UNKNOWN})

        assert violations_of(CONNECTORS, unknown, connector(**IDENTITY, **TURNED)) == ["unknown"]


def test_the_family_is_mandatory_and_locked() -> None:
    assert {rule.id for rule in cycles.RULES} == LOCKED
    assert all(rule.level is Level.MANDATORY for rule in cycles.RULES)


class TestThroughTheEngine:
    def test_no_config_disables_the_rule_and_nothing_is_deployed(
        self, project: PulumiProject, tmp_path: Path
    ) -> None:
        off = tmp_path / "off.json"
        off.write_text(json.dumps({"all": "disabled", FLOWS: {"enforcementLevel": "disabled"}}))
        patterns = [flow("east", "west", "orders.*", naming="identity"), {**BACK, "topics": [".*"]}]
        project.configure({"made": listed([stack(*patterns)], CYCLE)})

        said = project.up(f"--policy-pack={PACK}", f"--policy-pack-config={off}", fails=True)

        assert FLOWS in said
        assert "[mandatory" in said
        assert "`orders.*` of east-to-west and `.*` of west-to-east match the same topics" in said
        assert "kafkaconnect:Connector" not in project.pulumi("stack")

    def test_connectors_are_checked_as_they_will_be_deployed(self, project: PulumiProject) -> None:
        said = preview(project, CYCLE)

        assert CONNECTORS in said
        assert "form a cycle, " in said
