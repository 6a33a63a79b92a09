"""Checks that a change to live discovery deletes no topics."""

from __future__ import annotations

from mirrorstack.findings import UserError
from mirrorstack.planning.plan import Plan
from mirrorstack.planning.previous_state import PreviousState
from mirrorstack.text import and_more


def check_discovery(plan: Plan, previous: PreviousState) -> None:
    """Raises a UserError where topics that were resources of their own become discovered ones while
    `delete-topics` is deployed: Pulumi would delete the topics together with the resources."""
    for resolved in plan.flows:
        flow = resolved.settings
        deleted = [
            topic.name
            for topic in plan.target_topics[flow.name]
            if topic.discovered and f"{flow.target}/{topic.name}" in previous.deletable_topics
        ]
        if deleted:
            raise UserError(
                f"Flow {flow.name}: {and_more(deleted)} on {flow.target} would no longer be "
                "resources of their own, because live patterns select them, and `delete-topics` "
                "was deployed: Pulumi would delete them with their records.",
                "deploy `delete-topics: false` first, then this change",
                flow=flow.name,
                cluster=flow.target,
                topic=deleted[0],
            )
