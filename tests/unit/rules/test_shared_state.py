"""What belongs to one stack alone, and how often topics can be kept."""

from __future__ import annotations

from typing import Any

from mirrorstack.config.settings import StackSettings, parse
from mirrorstack.rules.replication_factor import (
    FACTORS,
    WORKER_FACTORS,
    connector_factors,
    too_many,
)
from mirrorstack.rules.shared_state import mixed_workers, shared


def stack(source: str, target: str, group: str | None = None, **more: Any) -> StackSettings:
    clusters = {
        alias: {"bootstrap-servers": [f"{alias}:9093"], "principals": {"mirror": "m", "admin": "a"}}
        for alias in (source, target)
    }
    flow = {"from": source, "to": target, "topics": ["orders"], "groups": ["billing"], **more}
    workers = {"workers": {target: {"group": group}}} if group else {}
    return parse({"clusters": clusters, "flows": [flow], **workers}, "stack")


def test_stacks_with_other_targets_share_nothing() -> None:
    assert list(shared(stack("east", "west"), {"b": stack("west", "east")})) == []


def test_one_group_at_one_target_is_told_once_for_both_stacks() -> None:
    (problem,) = shared(stack("east", "west"), {"b": stack("south", "west")})

    assert "On west, group mirrorstack-west, topic mirrorstack-west-configs" in problem.message
    assert "the workers at west of this stack and to the workers at west of b" in problem.message
    assert (problem.cluster, problem.path) == ("west", ("clusters", "west"))


def test_a_group_of_its_own_is_the_way_out() -> None:
    assert list(shared(stack("east", "west"), {"b": stack("south", "west", "b")})) == []


def test_the_same_flow_in_two_stacks_shares_its_offset_syncs_and_checkpoints() -> None:
    (problem,) = shared(stack("east", "west"), {"b": stack("east", "west", "b")})

    assert "mm2-offset-syncs.east.internal, topic east.checkpoints.internal" in problem.message
    assert (problem.flow, problem.path) == ("east-to-west", ("flows", 0))


def worker(group: str, topics: str, at: str = "west:9093") -> tuple[str, dict[str, str]]:
    names = {f"{each}.storage.topic": f"{topics}-{each}" for each in ("config", "offset", "status")}
    return group, {"bootstrap.servers": at, "group.id": group, **names}


def test_workers_share_their_topics_with_their_group_and_with_nobody_else() -> None:
    assert list(mixed_workers([worker("a", "a"), worker("a", "a"), worker("b", "b")])) == []
    assert list(mixed_workers([worker("a", "a"), worker("b", "a", at="east:9093")])) == []
    assert len(list(mixed_workers([worker("a", "a"), worker("b", "a")]))) == 1
    assert len(list(mixed_workers([worker("a", "a"), worker("a", "b")]))) == 1


def test_factors_are_compared_with_the_brokers_and_defaults_count() -> None:
    source = {"connector.class": "org.apache.kafka.connect.mirror.MirrorSourceConnector"}
    defaults = connector_factors(source)

    assert defaults == FACTORS["MirrorSourceConnector"]
    assert len(list(too_many("c", source, defaults, "west", 1))) == 2
    assert len(list(too_many("c", source, defaults, "west", 2))) == 1
    assert list(too_many("w", {}, WORKER_FACTORS, "west", 3)) == []
    assert list(too_many("w", dict.fromkeys(WORKER_FACTORS, "-1"), WORKER_FACTORS, "w", 1)) == []
