"""What a stack notes about itself, to be compared at the next deployment."""

from __future__ import annotations

from typing import Any

import pytest

from mirrorstack.changes import diff as ledger
from tests.unit.planning.test_plan import flow, planned


@pytest.mark.parametrize("deletes", [True, False])
def test_connectors_and_copies_are_noted_by_name(deletes: bool) -> None:
    connectors, topics = ledger.noted(planned(flow()), deletes=deletes)

    assert connectors == {
        "east-to-west-source": {
            "offsets": "mirrorstack-west-offsets",
            "deletes": deletes,
            "heartbeat": "east-to-west-heartbeat",
        }
    }
    assert topics == {
        "west/east.orders": {
            "connector": "east-to-west-source",
            "topic": "orders",
            "partitions": 3,
            "deletes": deletes,
        }
    }


@pytest.mark.parametrize(
    ("changes", "wanted"),
    [({"groups": ["billing"]}, "east-to-west-checkpoint"), ({}, None)],
)
def test_a_checkpoint_connector_is_noted_where_groups_are_declared(
    changes: dict[str, Any], wanted: str | None
) -> None:
    connectors, _ = ledger.noted(planned(flow(**changes)), deletes=False)

    assert connectors["east-to-west-source"].get("checkpoint") == wanted


def test_no_heartbeat_connector_is_noted_where_there_is_none() -> None:
    connectors, _ = ledger.noted(planned(flow(heartbeats=False)), deletes=False)

    assert "heartbeat" not in connectors["east-to-west-source"]


def test_another_naming_is_told_with_the_topics_that_get_another_name() -> None:
    before, after = (
        ledger.noted(planned(flow(naming=naming)), deletes=False)[1]
        for naming in ("prefixed", "identity")
    )

    (renamed,) = ledger.renamed(before, after)
    assert (renamed.name, renamed.topics) == ("east-to-west-source", ("orders",))
    assert (renamed.copy, renamed.becomes) == ("west/east.orders", "west/orders")
    assert list(ledger.renamed(before, before)) == []
