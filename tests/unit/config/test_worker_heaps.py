"""The heap of the workers, derived or checked."""

from __future__ import annotations

from typing import Any

import pytest

from mirrorstack.config.settings import check, parse
from tests.unit.config.stacks import FILE, FLOW, only_finding, outside_cluster, stack

AT_LEAST_ONCE: dict[str, Any] = {"exactly-once": False}


def heap_mb(*, east: dict[str, Any] | None = None, **flow: Any) -> int:
    clusters = {"east": east or {"sandbox": "default"}, "west": {"sandbox": "default"}}
    return parse(stack(clusters=clusters, flows=[{**FLOW, **flow}]), FILE).heap_mb("west")


def heap_findings(heap_mb: int, **flow: Any) -> list[str]:
    workers = {"west": {"heap-mb": heap_mb}}
    return [each.key for each in check(stack(flows=[{**FLOW, **flow}], workers=workers))[1]]


def test_the_heap_follows_from_the_flows() -> None:
    assert heap_mb() == 704
    assert heap_mb(tasks=4) > heap_mb() > heap_mb(profile="frugal")
    assert heap_mb(**AT_LEAST_ONCE) > heap_mb()


def test_only_the_flows_to_the_target_count() -> None:
    both = [FLOW, {**FLOW, "from": "west", "to": "east", "tasks": 9}]
    settings = parse(stack(flows=both), FILE)

    assert settings.heap_mb("west") == 704
    assert settings.heap_mb("east") > 704


def test_a_declared_heap_is_used() -> None:
    assert parse(stack(workers={"west": {"heap-mb": 2000}}), FILE).heap_mb("west") == 2000


def test_the_brokers_of_the_source_are_declared_or_assumed() -> None:
    addresses = [f"kafka-{number}.example:9093" for number in range(5)]
    of_one, of_three, of_five = (heap_mb(east=outside_cluster(brokers=n)) for n in (1, 3, 5))

    assert of_one < of_three < of_five
    assert heap_mb() == of_one
    assert heap_mb(east=outside_cluster()) == of_three
    assert heap_mb(east=outside_cluster(**{"bootstrap-servers": addresses})) == of_five


def test_a_heap_that_is_too_small_is_refused_with_the_arithmetic() -> None:
    found = only_finding(workers={"west": {"heap-mb": 400}})

    assert found.path == ("workers", "west", "heap-mb")
    assert found.cluster == "west"
    assert found.message == (
        "workers.west.heap-mb: 400 is too small: one worker may have to run all tasks of the flows "
        "to west (east-to-west: 2 tasks x 128 MB; Connect: 192 MB; reserve: 15%; in total 516 MB), "
        "and ends with OutOfMemoryError"
    )
    assert found.fix == (
        "remove it, so that it is 704; or set at least 516; or reduce `tasks` of the flows; or set "
        "`profile: frugal`, which needs at least 288 MB"
    )


@pytest.mark.parametrize(
    "flow",
    [
        {"tasks": 1},
        {"profile": "frugal"},
        {"override": {"source": {"consumer.fetch.max.bytes": 6_000_000}}},
    ],
)
def test_smaller_flows_fit_into_a_smaller_heap(flow: dict[str, Any]) -> None:
    assert heap_findings(400) == ["workers.west.heap-mb"]
    assert heap_findings(400, **flow) == []


def test_other_mistakes_are_reported_first() -> None:
    assert heap_findings(400, to="wset") == ["flows[0].to", "workers.west"]


def test_the_frugal_profile_is_not_advised_where_it_is_set() -> None:
    found = only_finding(flows=[{**FLOW, "profile": "frugal"}], workers={"west": {"heap-mb": 200}})

    assert "frugal" not in found.fix
    assert "set at least 288" in found.fix
