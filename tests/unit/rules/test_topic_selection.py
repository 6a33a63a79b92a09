"""Topics that flows must not select."""

from __future__ import annotations

from typing import Any

import pytest

from mirrorstack.config.settings import StackSettings, parse
from mirrorstack.findings import Finding
from mirrorstack.rules.rule import Rule
from mirrorstack.rules.subjects import Declaration, Flows
from mirrorstack.rules.topic_selection import (
    no_cluster_alias_prefix,
    no_heartbeats_suffix,
    no_match_all_in_production,
    no_merged_sources,
)
from mirrorstack.rules.topology import routes

PRINCIPALS = {"mirror": "m", "admin": "a"}


def flow(source: str, target: str, *topics: str, **more: Any) -> dict[str, Any]:
    return {"from": source, "to": target, "topics": list(topics or ["orders"]), **more}


def stack(*flows: dict[str, Any]) -> StackSettings:
    aliases = dict.fromkeys(each[end] for each in flows for end in ("from", "to"))
    clusters = {a: {"bootstrap-servers": [f"{a}:9093"], "principals": PRINCIPALS} for a in aliases}
    return parse({"clusters": clusters, "flows": list(flows), "production": True}, "stack")


def match_all(*flows: dict[str, Any]) -> list[Finding]:
    return list(no_match_all_in_production.findings(Declaration(stack(*flows), {})))


def found(rule: Rule[Flows], *flows: dict[str, Any]) -> list[Finding]:
    return list(rule.findings(Flows.of(Declaration(stack(*flows), {}))))


@pytest.mark.parametrize("pattern", [".*", ".+", "(.*)", "[a-zA-Z0-9._-]+", "a|.*", "(?!#).*"])
def test_a_pattern_that_matches_everything_is_found_however_it_is_written(pattern: str) -> None:
    (finding,) = match_all(flow("east", "west", pattern))

    assert f"topics has {pattern}, which matches everything" in finding.message
    assert (finding.flow, finding.path) == ("east-to-west", ("flows", 0, "topics"))


@pytest.mark.parametrize("pattern", ["orders", "orders.*", "[a-z].*", "(?!test-).*", r"(.)\1"])
def test_a_pattern_that_matches_less_passes(pattern: str) -> None:
    assert match_all(flow("east", "west", pattern)) == []


def test_groups_are_checked_like_topics() -> None:
    found = match_all(flow("east", "west", ".*", groups=[".*"]))

    assert [finding.key for finding in found] == ["flows[0].topics", "flows[0].groups"]


def test_prefixes_keep_two_sources_apart() -> None:
    assert found(no_merged_sources, flow("a", "c", ".*"), flow("b", "c", ".*")) == []


def test_two_sources_merge_under_identity_naming_and_into_the_prefix_of_another() -> None:
    same = found(no_merged_sources, *(flow(each, "c", naming="identity") for each in "ab"))
    into = found(no_merged_sources, flow("a", "c"), flow("b", "c", r"a\.orders", naming="identity"))

    assert "both write orders on c" in same[0].message
    assert (same[0].flow, same[0].topic, same[0].path) == ("a-to-c", "orders", ("flows", 0))
    assert "both write a.orders on c" in into[0].message


def test_one_source_with_two_aliases_does_not_merge_with_itself() -> None:
    twice = stack(*(flow(each, "c", naming="identity") for each in "ab"))
    same = {**twice.clusters, "b": twice.clusters["a"]}

    given = routes(twice.model_copy(update={"clusters": same}), {})
    assert list(no_merged_sources.findings(Flows(given))) == []


def test_a_topic_with_the_prefix_of_a_cluster_is_found_unless_it_came_from_there() -> None:
    (finding,) = found(no_cluster_alias_prefix, flow("a", "b", r"b\.orders"))

    assert "begin with b., and b is a cluster" in finding.message
    assert found(no_cluster_alias_prefix, flow("a", "b"), flow("b", "c", r"a\.orders")) == []
    assert found(no_cluster_alias_prefix, flow("a", "b", ".*", "bb.*")) == []


@pytest.mark.parametrize(
    ("naming", "count"),
    [
        ({"separator": "_"}, 1),
        ({"separator": "."}, 0),
        (
            {
                "naming": "custom",
                "policy": {"class": "a.B", "jar": "b", "name": "{source}_{topic}"},
            },
            1,
        ),
    ],
)
def test_an_alias_as_prefix_is_recognized_by_the_names_of_the_flow(
    naming: dict[str, Any], count: int
) -> None:
    assert len(found(no_cluster_alias_prefix, flow("a", "b", "b_orders", **naming))) == count


@pytest.mark.parametrize("topic", ["b.orders", "b.orders-.*", r"b\..*", "b[.]orders|b[.]bills"])
def test_an_unescaped_dot_is_taken_for_the_separator(topic: str) -> None:
    (finding,) = found(no_cluster_alias_prefix, flow("a", "b", topic))

    assert f"the topics {topic} begin with b., and b is a cluster" in finding.message


@pytest.mark.parametrize("topic", ["b..*", "b.*", "bb.orders", "x.b.orders", r"(b.orders)\1", "b."])
def test_a_pattern_that_also_matches_other_names_passes(topic: str) -> None:
    assert found(no_cluster_alias_prefix, flow("a", "b", topic)) == []


def test_names_that_end_in_heartbeats_are_renamed_only_under_identity() -> None:
    def count(*topics: str, naming: str) -> int:
        return len(found(no_heartbeats_suffix, flow("a", "b", *topics, naming=naming)))

    assert count("device-heartbeats", "x.*heartbeats", "heartbeats", ".*", naming="identity") == 2
    assert count("device-heartbeats", naming="prefixed") == 0
