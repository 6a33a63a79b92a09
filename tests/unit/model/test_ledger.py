"""What a stack notes about itself, to be compared at the next deployment."""

from __future__ import annotations

from typing import Any

import pytest

from mirrorstack.model import ledger
from tests.unit.model.test_plan import flow, planned


@pytest.mark.parametrize("deletes", [True, False])
def test_connectors_and_copies_are_noted_by_name(deletes: bool) -> None:
    connectors, topics = ledger.noted(planned(flow()), deletes=deletes)

    assert connectors == {
        "east-to-west-source": {"offsets": "mirrorstack-west-offsets", "deletes": deletes}
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
