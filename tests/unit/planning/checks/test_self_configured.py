"""Checks for workers that get their connectors from their own configuration."""

from __future__ import annotations

from typing import Any

import pytest

from mirrorstack.findings import Finding
from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.mm2.worker_group import ConnectorNaming
from mirrorstack.planning.checks.self_configured import self_configured_findings
from mirrorstack.planning.plan import plan
from mirrorstack.planning.previous_state import PreviousState
from mirrorstack.runtimes.base import DeployedWorkers
from tests.unit.planning.fake_clusters import FakeClusters, Held, holding, stack_settings

OFFSETS = "mm2-offsets.east.internal"


def found(
    *on_target: str,
    naming: ConnectorNaming = ConnectorNaming.DEDICATED,
    mode: str = "dedicated",
    **flow: Any,
) -> list[Finding]:
    declared = {"from": "east", "to": "west", "topics": ["orders"], **flow}
    settings = stack_settings(declared, workers={"west": {"mode": mode}})
    replicated = {"MirrorSourceConnector": {TopicPartition("orders", 0): 41}}
    held = Held({"east": holding("orders"), "west": holding(*on_target)}, offsets=replicated)
    clusters = FakeClusters(settings, held)
    workers = DeployedWorkers("west", ("east-mm2",), "http://127.0.0.1:1", naming=naming)
    previous = PreviousState({"west": workers})
    planned = plan(settings, clusters.inventories())
    return list(self_configured_findings(planned, clusters, previous, delete_topics=False))


def test_a_target_topic_that_is_gone_must_not_be_resumed() -> None:
    (finding,) = found(OFFSETS)

    assert "the target topics of orders would be created" in finding.message
    assert finding.topic == "orders"
    assert "mode: connect" in finding.fix


def test_existing_target_topics_are_resumed() -> None:
    assert found(OFFSETS, "east.orders") == []


def test_a_first_deployment_has_no_offsets() -> None:
    assert found() == []


@pytest.mark.parametrize(
    ("naming", "mode"),
    [(ConnectorNaming.STACK, "dedicated"), (ConnectorNaming.DEDICATED, "connect")],
)
def test_where_offsets_move_or_connect_can_reset_them_nothing_is_refused(
    naming: ConnectorNaming, mode: str
) -> None:
    assert found(OFFSETS, naming=naming, mode=mode) == []


def test_different_values_for_one_key_are_refused() -> None:
    (finding,) = found(groups=["billing"], override={"checkpoint": {"tasks.max": "5"}})

    assert "tasks.max is 5 for the checkpoint connector and 2 for the source" in finding.message
    assert finding.flow == "east-to-west"
