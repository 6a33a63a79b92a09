"""What the patterns of a flow match, and the errors where they match nothing."""

from __future__ import annotations

import pytest

from mirrorstack.findings import UserError
from tests.unit.planning.test_plan import flow, holding, planned


def test_groups_are_resolved_with_their_exclusions() -> None:
    chosen = {**flow(groups=[".*"]), "exclude-groups": ["test-.*"]}

    found = planned(chosen, east=holding("orders", groups=("billing", "test-1")))

    assert found.flows[0].groups == ("billing",)


def test_a_pattern_that_matches_no_topic_is_reported() -> None:
    with pytest.raises(UserError, match="Flow east-to-west: clikcs matches no topic on east"):
        planned(flow(topics=["orders", "clikcs"]))


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
