"""A flow and what its patterns match."""

from __future__ import annotations

from mirrorstack.config.flows import FlowSettings
from mirrorstack.mm2.flow import Flow
from mirrorstack.mm2.resolved_flow import ResolvedFlow


def test_the_settings_of_a_stack_file_are_a_flow_whose_target_topics_are_known() -> None:
    settings = FlowSettings.model_validate({"from": "east", "to": "west", "topics": [".*"]})
    flow: Flow = settings  # mypy checks the protocol here

    resolved = ResolvedFlow(flow, ("orders", "heartbeats"))

    assert resolved.target_topics == {"orders": "east.orders", "heartbeats": "east.heartbeats"}


def test_the_policy_of_a_flow_is_built_once() -> None:
    flow = FlowSettings.model_validate({"from": "east", "to": "west", "topics": [".*"]})

    assert flow.policy is flow.policy
    assert flow == FlowSettings.model_validate({"from": "east", "to": "west", "topics": [".*"]})
    assert "policy" not in flow.model_dump()


def test_topics_that_only_a_live_pattern_selects_are_discovered() -> None:
    def discovered(discovery: str) -> frozenset[str]:
        flow = FlowSettings.model_validate(
            {"from": "e", "to": "w", "topics": ["orders", "o.*|.*beats"], "discovery": discovery}
        )
        return ResolvedFlow(flow, ("orders", "others", "w2.heartbeats")).discovered

    assert discovered("live") == {"others"}, "heartbeats are replicated whatever the patterns are"
    assert discovered("pinned") == frozenset()
