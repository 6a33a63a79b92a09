"""Flows of mm2.properties and of connectors."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mirrorstack.connect.protocol import ConnectorState
from mirrorstack.findings import UserError
from mirrorstack.importing.discovered_flows import ExistingConnector, flows_in_properties
from mirrorstack.mm2.connector_configs import ConnectorKind
from tests.unit.importing.deployments import (
    MM2,
    connectors,
    from_connectors,
    from_mm2,
    notes_text,
    only_flow,
)


class TestProperties:
    def test_only_enabled_flows_are_found(self) -> None:
        found = flows_in_properties(MM2)

        assert [(flow.name, flow.is_dedicated) for flow in found.flows] == [("east->west", True)]

    @pytest.mark.parametrize(
        ("more", "note"),
        [
            ({"west->east.topics": "a"}, "flow west->east: it is not enabled"),
            ({"topics.blacklist": "secret"}, "topics.blacklist"),
            ({"consumer.max.poll.records": "5"}, "consumer.max.poll.records"),
            ({"east->west.offset.flush": "x"}, "east->west.offset.flush"),
        ],
    )
    def test_what_has_no_effect_is_left_out_and_noted(
        self, more: dict[str, str], note: str
    ) -> None:
        (found,) = [one for one in from_mm2(**more).notes if note in one.message]

        assert found.message.endswith("left out")

    def test_an_invalid_value_is_an_error(self) -> None:
        with pytest.raises(UserError, match=r"tasks\.max is 'many'"):
            from_mm2(**{"tasks.max": "many"})

    def test_connectors_that_emit_nothing_are_left_out(self) -> None:
        (flow,) = flows_in_properties({**MM2, "emit.heartbeats.enabled": "false"}).flows

        assert set(flow.connectors) == {ConnectorKind.SOURCE, ConnectorKind.CHECKPOINT}


class TestConnectors:
    def test_a_flow_has_the_settings_of_the_connectors_that_exist(self) -> None:
        flow = only_flow(from_connectors(*connectors("Source", topics="a")))

        assert flow["topics"] == ["a"]
        assert "groups" not in flow
        assert flow["heartbeats"] is False

    def test_the_state_of_the_source_connector_is_the_state_of_the_flow(self) -> None:
        source, checkpoint = connectors("Source", "Checkpoint")

        stack = from_connectors(replace(source, state=ConnectorState.PAUSED), checkpoint)

        assert only_flow(stack)["state"] == "paused"
        assert "connector Checkpoint: running, but the flow gets" in notes_text(stack)

    def test_two_source_connectors_of_one_flow_are_merged(self) -> None:
        first, second = (connectors("Source", topics=topic)[0] for topic in ("a,b", "b,c"))

        stack = from_connectors(first, replace(second, name="second"))

        assert only_flow(stack)["topics"] == ["a", "b", "c"]
        assert "connector second: merged with Source" in notes_text(stack)

    def test_other_connectors_are_left_out_and_noted(self) -> None:
        sink = ExistingConnector("sink", {"connector.class": "org.example.Sink"})
        (heartbeat,) = connectors("Heartbeat", **{"target.cluster.alias": "north"})

        stack = from_connectors(*connectors("Source", topics="a"), sink, heartbeat)

        notes = {one.connector: one.message for one in stack.notes if one.connector}
        assert "not a MirrorMaker connector" in notes["sink"]
        assert "no source connector replicates east to north" in notes["Heartbeat"]
