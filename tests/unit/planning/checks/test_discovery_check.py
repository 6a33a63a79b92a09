"""A change to live discovery deletes no topics."""

from __future__ import annotations

import pytest

from mirrorstack.findings import UserError
from mirrorstack.planning.checks.discovery_check import check_discovery
from mirrorstack.planning.previous_state import PreviousState
from tests.unit.planning.test_plan import flow, holding, planned

DEPLOYED = PreviousState(deletable_topics=frozenset({"west/east.orders-1"}))
EAST = holding("orders-1")


def test_a_topic_that_would_be_deleted_with_its_resource_is_an_error() -> None:
    with pytest.raises(UserError, match=r"east.orders-1 on west .* Pulumi would delete") as raised:
        check_discovery(planned(flow(topics=["orders-.*"]), east=EAST), DEPLOYED)

    assert "`delete-topics: false` first" in raised.value.fix


def test_pinned_and_named_topics_stay_resources() -> None:
    for topics, discovery in ((["orders-.*"], "pinned"), (["orders-1"], "live")):
        chosen = flow(topics=topics, discovery=discovery)
        check_discovery(planned(chosen, east=EAST), DEPLOYED)


def test_topics_that_outlive_their_resources_may_change() -> None:
    check_discovery(planned(flow(topics=["orders-.*"]), east=EAST), PreviousState())
