"""What the patterns of a flow match, and the errors where they match nothing."""

from __future__ import annotations

from typing import Any

import pytest

from mirrorstack.findings import Finding, Severity, UserError
from mirrorstack.planning.flow_resolution import unmatched
from tests.unit.planning.test_plan import flow, holding, planned


def test_groups_are_resolved_with_their_exclusions() -> None:
    chosen = {**flow(groups=[".*"]), "exclude-groups": ["test-.*"]}

    found = planned(chosen, east=holding("orders", groups=("billing", "test-1")))

    assert found.flows[0].groups == ("billing",)


def test_a_name_that_matches_no_topic_is_an_error() -> None:
    with pytest.raises(UserError, match="Flow east-to-west: clikcs matches no topic on east"):
        planned(flow(topics=["orders", "clikcs"]))


def test_a_pattern_that_matches_no_topic_yet_is_a_warning() -> None:
    def warning(**changes: Any) -> Finding:
        found = planned(flow(topics=["orders", "payments-.*"], **changes))
        (only,) = unmatched(found.flows[0], holding("orders"))
        return only

    live, pinned = warning(), warning(discovery="pinned")

    assert live.severity is Severity.WARNING
    assert "payments-.* matches no topic on east" in live.message
    assert "later are replicated when they are created" in live.message
    assert "later are replicated after the next deployment" in pinned.message
    assert (live.flow, live.cluster) == ("east-to-west", "east")


def test_a_name_with_a_dot_does_not_match_other_names() -> None:
    with pytest.raises(UserError, match=r"pay\.v1 matches no topic"):
        planned(flow(topics=["pay.v1"]), east=holding("pay-v1"))


def test_topics_of_the_workers_on_the_source_are_known() -> None:
    there, back = flow(), flow("west", "east", topics=[".*"])
    found = planned(there, back, west=holding("bills", "mirrorstack-west-configs"))

    assert "mirrorstack-west-configs" in found.flows[1].worker_topics
    assert "mirrorstack-west-configs" not in found.flows[1].topics


def test_an_excluded_topic_is_not_reported_as_missing() -> None:
    with pytest.raises(
        UserError, match="`exclude` excludes every topic that orders matches on east"
    ):
        planned(flow(exclude=["ord.*"]))


def test_a_topic_that_was_replicated_from_the_target_is_reported_with_the_reason() -> None:
    with pytest.raises(
        UserError, match=r"never replicates what west.bills matches on east.* replicated from"
    ):
        planned(flow(topics=["west.bills"]), east=holding("west.bills"))


def test_a_mistyped_topic_is_reported_with_a_suggestion() -> None:
    with pytest.raises(UserError) as raised:
        planned(flow(topics=["order"]))

    assert "did you mean `orders`?" in raised.value.fix


def test_a_name_that_ends_in_heartbeats_is_rejected_before_the_topic_exists() -> None:
    with pytest.raises(UserError, match="treats device-heartbeats as a heartbeats topic"):
        planned(flow(naming="identity", topics=["device-heartbeats"]))


def test_a_topic_that_ends_in_heartbeats_is_rejected_under_identity_naming() -> None:
    with pytest.raises(UserError, match="treats device-heartbeats as a heartbeats topic"):
        planned(
            flow(naming="identity", topics=["device-heartbeats"]), east=holding("device-heartbeats")
        )
