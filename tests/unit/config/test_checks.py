"""Mistakes that no single value of a stack file shows."""

from __future__ import annotations

from typing import Any

import pytest

from mirrorstack.config.settings import check
from tests.unit.config.stacks import FLOW, only_finding, stack


def cluster(**east: Any) -> dict[str, Any]:
    return {"east": {"sandbox": "a", **east}, "west": {"sandbox": "a"}}


def test_a_flow_to_an_unknown_cluster_lists_the_clusters() -> None:
    finding = only_finding(flows=[{**FLOW, "to": "wset"}])

    assert finding.message == 'flows[0].to: unknown cluster "wset" (clusters: east, west)'
    assert finding.fix == "did you mean `west`?"
    assert finding.path == ("flows", 0, "to")
    assert finding.flow == "east-to-wset"


def test_a_flow_from_a_cluster_that_resembles_none_is_to_be_declared() -> None:
    assert only_finding(flows=[{**FLOW, "from": "london"}]).fix == "declare london under `clusters`"


def test_a_flow_from_a_cluster_to_itself_is_an_error() -> None:
    assert "would replicate east to itself" in only_finding(flows=[{**FLOW, "to": "east"}]).message


def test_nothing_may_write_to_a_read_only_cluster() -> None:
    clusters = cluster(**{"read-only": True})

    back = only_finding(clusters=clusters, flows=[{**FLOW, "from": "west", "to": "east"}])
    syncs = only_finding(clusters=clusters, flows=[{**FLOW, "offset-syncs": "source"}])

    assert "west-to-east writes to east, which is `read-only: true`" in back.message
    assert syncs.path == ("flows", 0, "offset-syncs")
    assert "MirrorMaker writes offset syncs there" in syncs.message


def test_the_stack_must_administer_targets_and_clusters_with_offset_syncs() -> None:
    clusters = cluster(administer=False)

    target = only_finding(clusters=clusters, flows=[{**FLOW, "from": "west", "to": "east"}])
    syncs = only_finding(clusters=clusters, flows=[{**FLOW, "offset-syncs": "source"}])

    assert "creates topics on east, which is `administer: false`" in target.message
    assert "nothing creates the offset-syncs topic there" in syncs.message
    assert check(stack(clusters=clusters))[1] == []


def test_configs_are_not_synced_while_live_patterns_create_topics() -> None:
    live = {**FLOW, "topics": ["audit", "orders-.*"], "sync-configs": ["retention.ms"]}
    finding = only_finding(flows=[live])

    assert finding.path == ("flows", 0, "sync-configs")
    assert "not possible with live discovery of orders-.*" in finding.message
    assert "`discovery: pinned`" in finding.fix
    for possible in ({"discovery": "pinned"}, {"topics": ["audit"]}):
        assert check(stack(flows=[{**live, **possible}]))[1] == []


def test_two_flows_between_the_same_clusters_are_an_error() -> None:
    finding = only_finding(flows=[FLOW, FLOW])

    assert "there are 2 flows east-to-west" in finding.message
    assert finding.path == ("flows", 1)


@pytest.mark.parametrize(
    ("alias", "fix"),
    [("wset", "did you mean `west`?"), ("north", "use the alias of a target: west")],
)
def test_workers_next_to_a_cluster_that_is_no_target_are_an_error(alias: str, fix: str) -> None:
    finding = only_finding(workers={alias: {"count": 2}})

    assert finding.message.startswith(f"workers.{alias}: no flow has {alias} as its target")
    assert finding.fix == fix


def test_workers_are_not_judged_if_the_target_of_a_flow_is_invalid() -> None:
    finding = only_finding(flows=[FLOW, {**FLOW, "to": 7}], workers={"north": {}})

    assert finding.path == ("flows", 1, "to")
