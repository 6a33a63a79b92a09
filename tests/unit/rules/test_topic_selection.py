"""Names that a flow should not take."""

from __future__ import annotations

from typing import Any

import pytest

from mirrorstack.config.settings import StackSettings, parse
from mirrorstack.rules.topic_selection import (
    looks_like_heartbeats,
    looks_mirrored,
    merging,
    takes_everything,
)
from mirrorstack.rules.topology import Route, routes

WHO = {"mirror": "m", "admin": "a"}


def flow(source: str, target: str, *topics: str, **more: Any) -> dict[str, Any]:
    return {"from": source, "to": target, "topics": list(topics or ["orders"]), **more}


def stack(*flows: dict[str, Any]) -> StackSettings:
    aliases = dict.fromkeys(each[end] for each in flows for end in ("from", "to"))
    clusters = {a: {"bootstrap-servers": [f"{a}:9093"], "principals": WHO} for a in aliases}
    return parse({"clusters": clusters, "flows": list(flows)}, "stack")


def declared(*flows: dict[str, Any]) -> list[Route]:
    return routes(stack(*flows), {})


@pytest.mark.parametrize("pattern", [".*", ".+", "(.*)", "[a-zA-Z0-9._-]+", "a|.*", "(?!#).*"])
def test_everything_is_known_by_what_it_matches_and_not_by_how_it_is_written(pattern: str) -> None:
    (settings,) = stack(flow("east", "west", pattern)).flows

    (problem,) = takes_everything(settings)

    assert f"topics has {pattern}, which is everything" in problem.message


@pytest.mark.parametrize("pattern", ["orders", "orders.*", "[a-z].*", "(?!test-).*", r"(.)\1"])
def test_less_than_everything_passes(pattern: str) -> None:
    (settings,) = stack(flow("east", "west", pattern)).flows

    assert list(takes_everything(settings)) == []


def test_groups_are_checked_like_topics() -> None:
    (settings,) = stack(flow("east", "west", ".*", groups=[".*"])).flows

    assert [p.message.split(" has ")[0] for p in takes_everything(settings)] == [
        "Flow east-to-west: topics",
        "Flow east-to-west: groups",
    ]


def test_prefixes_keep_two_sources_apart() -> None:
    assert list(merging(declared(flow("a", "c", ".*"), flow("b", "c", ".*")))) == []


def test_two_sources_merge_under_identity_and_into_another_one_s_prefix() -> None:
    same = declared(*(flow(each, "c", naming="identity") for each in "ab"))
    into = declared(flow("a", "c"), flow("b", "c", r"a\.orders", naming="identity"))

    assert "both write orders on c" in next(merging(same)).message
    assert "both write a.orders on c" in next(merging(into)).message


def test_one_source_with_two_aliases_does_not_merge_with_itself() -> None:
    twice = stack(*(flow(each, "c", naming="identity") for each in "ab"))
    same = {**twice.clusters, "b": twice.clusters["a"]}

    assert list(merging(routes(twice.model_copy(update={"clusters": same}), {}))) == []


def test_a_topic_that_begins_like_a_mirrored_one_is_named_unless_it_is_one() -> None:
    (problem,) = looks_mirrored(declared(flow("a", "b", r"b\.orders")))

    assert "begin with b., and b is a cluster" in problem.message
    assert list(looks_mirrored(declared(flow("a", "b"), flow("b", "c", r"a\.orders")))) == []
    assert list(looks_mirrored(declared(flow("a", "b", ".*", "bb.*")))) == []


@pytest.mark.parametrize("topic", ["b.orders", "b.orders-.*", r"b\..*", "b[.]orders|b[.]bills"])
def test_a_name_is_meant_as_it_is_written_though_its_dot_matches_anything(topic: str) -> None:
    (problem,) = looks_mirrored(declared(flow("a", "b", topic)))

    assert f"the topics {topic} begin with b., and b is a cluster" in problem.message


@pytest.mark.parametrize("topic", ["b..*", "b.*", "bb.orders", "x.b.orders", r"(b.orders)\1", "b."])
def test_what_only_may_begin_so_passes(topic: str) -> None:
    assert list(looks_mirrored(declared(flow("a", "b", topic)))) == []


def test_names_that_end_in_heartbeats_are_renamed_only_under_identity() -> None:
    def found(*topics: str, naming: str) -> int:
        (route,) = declared(flow("a", "b", *topics, naming=naming))
        return len(list(looks_like_heartbeats(route)))

    assert found("device-heartbeats", "x.*heartbeats", "heartbeats", ".*", naming="identity") == 2
    assert found("device-heartbeats", naming="prefixed") == 0
