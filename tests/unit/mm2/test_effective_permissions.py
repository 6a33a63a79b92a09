"""ACLs result in permissions on names, which a broker reports."""

from __future__ import annotations

from typing import Any

from mirrorstack.config.flows import FlowSettings
from mirrorstack.mm2.effective_permissions import effective_permissions
from mirrorstack.mm2.required_acls import required_acls
from mirrorstack.mm2.resolved_flow import ResolvedFlow
from mirrorstack.mm2.target_topics import compacted
from mirrorstack.mm2.worker_group import WorkerGroup


def permissions(**changes: Any) -> dict[str, set[str]]:
    """By cluster, as `Topic orders Read`."""
    settings = FlowSettings.model_validate(
        {"from": "east", "to": "west", "topics": ["orders-.*"], **changes}
    )
    groups = ("billing-1",) if settings.groups else ()
    flow = ResolvedFlow(settings, ("orders-1", "orders-2"), groups)
    workers = WorkerGroup.of("west", [settings])
    acls = required_acls([flow], [workers])
    internal = {
        "east": [],
        "west": [compacted(name, 1, 1) for name in workers.internal_topics],
    }
    return {
        alias: {
            f"{each.type} {each.name} {each.operation}"
            for each in effective_permissions(alias, acls, [flow], topics)
        }
        for alias, topics in internal.items()
    }


def test_a_prefix_acl_results_in_permissions_on_the_topics_with_that_prefix() -> None:
    found = permissions(discovery="pinned")

    assert found["east"] == {"Topic orders-1 Read", "Topic orders-2 Read"}
    assert {"Topic east.orders-1 Write", "Topic east.orders-2 Write"} < found["west"]


def test_live_patterns_result_in_permissions_to_describe_configs_and_to_create() -> None:
    found, pinned = permissions(), permissions(discovery="pinned")

    assert found["east"] - pinned["east"] == {
        "Topic orders-1 DescribeConfigs",
        "Topic orders-2 DescribeConfigs",
    }
    assert "Topic east.orders-1 Create" in found["west"]
    assert not any(each.endswith("Create") for each in pinned["west"])


def test_target_topics_that_mirror_maker_creates_need_not_exist() -> None:
    flow = FlowSettings.model_validate(
        {"from": "east", "to": "west", "topics": ["audit", "orders-.*"]}
    )
    resolved = ResolvedFlow(flow, ("audit", "orders-1"))
    found = effective_permissions("west", required_acls([resolved], ()), [resolved], [])

    assert {each.name for each in found if each.may_be_absent} == {"east.orders-1"}


def test_a_topic_that_does_not_exist_yet_cannot_be_asked_about() -> None:
    found = permissions(topics=["orders-1|orders-2|orders-3"], naming="identity")

    assert "Topic orders-1 Create" in found["west"]
    assert not any("orders-3" in each for each in (*found["east"], *found["west"]))


def test_permissions_on_groups_cover_existing_and_literally_named_ones() -> None:
    found = permissions(groups=["billing-.*", "later"])

    assert {"Group billing-1 Describe", "Group later Describe"} < found["east"]
    assert "Group other Describe" not in found["east"]
    assert "Group billing-1 Read" in found["west"]


def test_permissions_cover_the_workers_topics_but_not_transactional_ids() -> None:
    found = permissions()["west"]

    assert "Topic mirrorstack-west-offsets Write" in found
    assert "Group mirrorstack-west Read" in found
    assert not any("Transactional" in each for each in found)
