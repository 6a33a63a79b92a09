"""The Connect groups of the workers next to a target, and how connectors are named there."""

from __future__ import annotations

from typing import Any

import pytest

from mirrorstack.config.flows import FlowSettings
from mirrorstack.connect.storage import OffsetsLocation
from mirrorstack.mm2.connector_configs import ConnectorKind
from mirrorstack.mm2.worker_group import ConnectorNaming, WorkerGroup


def flow(source: str = "east", **changes: Any) -> FlowSettings:
    return FlowSettings.model_validate(
        {"from": source, "to": "west", "topics": ["orders"], **changes}
    )


@pytest.mark.parametrize(
    ("naming", "name"),
    [
        (ConnectorNaming.STACK, "east-to-west-checkpoint"),
        (ConnectorNaming.DEDICATED, "MirrorCheckpointConnector"),
        (ConnectorNaming.STRIMZI, "east->west.MirrorCheckpointConnector"),
    ],
)
def test_whoever_creates_connectors_names_them(naming: ConnectorNaming, name: str) -> None:
    assert naming.connector_name(flow(), ConnectorKind.CHECKPOINT) == name


def test_workers_form_one_group_for_all_sources() -> None:
    group = WorkerGroup.of("west", [flow(), flow("north")], "own")

    assert group.groups == ("own",)
    assert group.offsets_of(flow("north")) == OffsetsLocation("own-offsets", "north-to-west-source")


def test_in_dedicated_mode_each_source_has_a_group_with_topics_of_its_own() -> None:
    group = WorkerGroup.of("west", [flow(), flow("north")], naming=ConnectorNaming.DEDICATED)

    assert group.groups == ("east-mm2", "north-mm2")
    assert group.offsets_of(flow("north")) == OffsetsLocation(
        "mm2-offsets.north.internal", "MirrorSourceConnector"
    )
    assert set(group.internal_topics) == {
        f"mm2-{kind}.{source}.internal"
        for source in ("east", "north")
        for kind in ("configs", "offsets", "status")
    }
    assert not group.has_rest_api


def test_the_internal_topics_of_workers_that_somebody_else_runs_are_not_the_stacks() -> None:
    assert WorkerGroup.of("west", [flow()], is_managed=False).internal_topics == {}
