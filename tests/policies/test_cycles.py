"""Replication that never ends: no stack with it is deployed, whatever the pack's config says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pulumi_policy import EnforcementLevel

from policies.cycles import CYCLE_RULES
from policies.pack import LOCKED
from policies.view import MIRROR_STACK
from tests.policies.asking import (
    MM2,
    UNKNOWN,
    asked,
    connector,
    declared,
    flow,
    resource,
    stack,
    without,
)
from tests.policies.conftest import PACK, listed, preview
from tests.pulumi_project import PulumiProject

FLOWS, CONNECTORS = "flows-form-no-ring", "connectors-form-no-ring"
THERE, BACK = (flow(*ends, naming="identity") for ends in (("east", "west"), ("west", "east")))
IDENTITY = {"replication_policy_class": f"{MM2}.IdentityReplicationPolicy"}
TURNED = {
    "source_cluster_alias": "west",
    "target_cluster_alias": "east",
    "source_cluster_bootstrap_servers": "west:9093",
    "target_cluster_bootstrap_servers": "east:9093",
}


RING = [connector(**IDENTITY), connector(**IDENTITY, **TURNED)]


class TestFlows:
    def test_one_direction_passes(self) -> None:
        assert asked(FLOWS, stack(THERE)) == []

    def test_a_ring_is_refused(self) -> None:
        (message,) = asked(FLOWS, stack(THERE, BACK))

        assert "all of them mirror the topic orders" in message

    def test_a_ring_with_a_peer_is_refused(self) -> None:
        (message,) = asked(FLOWS, stack(THERE, peers={"Pulumi.dr.yaml": declared(BACK)}))

        assert "west-to-east of Pulumi.dr.yaml" in message

    def test_an_absent_naming_is_prefixed_and_ends_the_ring(self) -> None:
        (ring,) = without(("settings", "flows", 1, "naming"), stack(THERE, BACK))

        assert asked(FLOWS, ring) == []

    def test_absent_settings_are_somebody_else_s_component(self) -> None:
        assert asked(FLOWS, resource(MIRROR_STACK, {})) == []

    def test_an_unknown_value_is_not_guessed(self) -> None:
        assert asked(FLOWS, resource(MIRROR_STACK, {"settings": UNKNOWN})) == ["unknown"]


class TestConnectors:
    def test_one_direction_passes(self) -> None:
        assert asked(CONNECTORS, connector(**IDENTITY), connector("Checkpoint")) == []

    def test_a_ring_is_refused_and_named_by_its_connectors(self) -> None:
        (message,) = asked(CONNECTORS, connector(**IDENTITY), connector(**IDENTITY, **TURNED))

        assert "Flows east-to-west-source and east-to-west-source form a ring" in message

    def test_a_ring_with_a_peer_is_refused(self) -> None:
        (message,) = asked(
            CONNECTORS, connector(**IDENTITY), stack(THERE, peers={"dr": declared(BACK)})
        )

        assert "form a ring, east -> west -> east" in message
        assert "west-to-east of dr" in message

    @pytest.mark.parametrize("key", ["topics", "replication_policy_class", "topics_exclude"])
    def test_an_absent_key_is_mirror_maker_s_default(self, key: str) -> None:
        absent: dict[str, Any] = {key: None}
        pair = [connector(**{**IDENTITY, **way, **absent}) for way in ({}, TURNED)]

        assert len(asked(CONNECTORS, *pair)) == (0 if key == "replication_policy_class" else 1)

    def test_an_unknown_value_is_not_guessed(self) -> None:
        unknown = connector(**{**IDENTITY, "topics": UNKNOWN})

        assert asked(CONNECTORS, unknown, connector(**IDENTITY, **TURNED)) == ["unknown"]


def test_the_family_is_mandatory_and_locked() -> None:
    assert {rule.id for rule in CYCLE_RULES} == LOCKED
    assert all(rule.level is EnforcementLevel.MANDATORY for rule in CYCLE_RULES)


class TestThroughTheEngine:
    def test_no_config_turns_it_off_and_nothing_is_deployed(
        self, project: PulumiProject, tmp_path: Path
    ) -> None:
        off = tmp_path / "off.json"
        off.write_text(json.dumps({"all": "disabled", FLOWS: {"enforcementLevel": "disabled"}}))
        patterns = [flow("east", "west", "orders.*", naming="identity"), {**BACK, "topics": [".*"]}]
        project.configure({"made": listed([stack(*patterns)], RING)})

        said = project.up(f"--policy-pack={PACK}", f"--policy-pack-config={off}", fails=True)

        assert FLOWS in said
        assert "[mandatory" in said
        assert "`orders.*` of east-to-west and `.*` of west-to-east match the same topics" in said
        assert "kafkaconnect:Connector" not in project.pulumi("stack")

    def test_connectors_are_judged_as_they_are_going_to_be(self, project: PulumiProject) -> None:
        said = preview(project, RING)

        assert CONNECTORS in said
        assert "form a ring, " in said
