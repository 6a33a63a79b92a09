"""Warnings of a preview."""

from __future__ import annotations

from typing import Any

import pytest

from mirrorstack.config.settings import StackSettings, parse
from mirrorstack.connect.rest_login import RestLogin
from mirrorstack.findings import Finding, Severity
from mirrorstack.kafka.inventory import Inventory, TopicDescription
from mirrorstack.planning.plan import plan
from mirrorstack.planning.preview_warnings import (
    cycles_between_flows,
    missing_brokers,
    plain_rest_logins,
    separate_heartbeats,
    target_topics_with_records,
    unmatched_groups,
    unmatched_patterns,
    wide_acls,
)
from mirrorstack.runtimes.base import WorkerPlacement
from tests.unit.planning.test_plan import flow, holding, planned

EAST = Inventory(1, groups=frozenset({"billing"}))


def stack(groups: list[str], *, brokers: int | None = None) -> StackSettings:
    west: dict[str, Any] = {"sandbox": "default"} | ({"brokers": brokers} if brokers else {})
    flow = {"from": "east", "to": "west", "topics": ["orders"], "groups": groups}
    return parse({"clusters": {"east": {"sandbox": "default"}, "west": west}, "flows": [flow]}, "")


def group_warnings(*groups: str) -> list[Finding]:
    return list(unmatched_groups(stack(list(groups)), {"east": EAST, "west": Inventory(1)}))


class TestGroups:
    def test_a_mistyped_group_is_reported_with_the_closest_one(self) -> None:
        (warning,) = group_warnings("biling")

        assert "groups: biling matches no consumer group on east" in warning.message
        assert "that admin may describe" in warning.message
        assert warning.fix == "did you mean `billing`?"
        assert (warning.flow, warning.cluster) == ("east-to-west", "east")
        assert warning.severity is Severity.WARNING

    def test_a_pattern_that_matches_no_group_is_reported(self) -> None:
        (warning,) = group_warnings("bill.*", "shop-.*")

        assert "shop-.* matches no consumer group" in warning.message

    def test_groups_that_exist_are_not_reported(self) -> None:
        assert group_warnings("billing", "b.*") == []


class TestBrokers:
    def test_brokers_that_do_not_answer_are_counted(self) -> None:
        (warning,) = missing_brokers(stack([], brokers=3), {"east": EAST, "west": Inventory(1)})

        assert "clusters.west.brokers is 3, and 1 answer" in warning.message
        assert warning.key == "clusters.west.brokers"

    def test_as_many_brokers_as_declared_are_not_reported(self) -> None:
        clusters = {"east": EAST, "west": Inventory(3)}

        assert list(missing_brokers(stack([], brokers=3), clusters)) == []


def first_deployment(
    *on_the_target: str, empty: bool = False, resumes: bool = False
) -> list[Finding]:
    """The warnings of a first deployment, given the topics of the target."""
    clusters = {alias: {"sandbox": "default"} for alias in ("east", "west")}
    flow = {"from": "east", "to": "west", "topics": ["orders"]}
    workers = {"west": {"group": "mine"}}
    settings = parse({"clusters": clusters, "flows": [flow], "workers": workers}, "")
    held = {
        "east": Inventory(1, {"orders": TopicDescription("orders", 1)}),
        "west": Inventory(1, {name: TopicDescription(name, 1) for name in on_the_target}),
    }
    return list(
        target_topics_with_records(
            plan(settings, held),
            held,
            lambda _alias, topics: set() if empty else set(topics),
            lambda _flow: resumes,
        )
    )


class TestTargetTopicsWithRecords:
    def test_target_topics_with_records_and_without_offsets_are_reported(self) -> None:
        (warning,) = first_deployment("east.orders")

        assert "there are records in east.orders on west" in warning.message
        assert "the Connect group mine has no offsets there: all records" in warning.message
        assert warning.topic == "east.orders"

    def test_new_or_empty_target_topics_or_known_offsets_are_not_reported(self) -> None:
        assert first_deployment() == []
        assert first_deployment("east.orders", empty=True) == []
        assert first_deployment("east.orders", resumes=True) == []


@pytest.mark.parametrize(("version", "count"), [("v1", 1), ("v1beta2", 0)])
def test_heartbeats_beside_a_kafka_mirror_maker_are_reported(version: str, count: int) -> None:
    clusters = {
        alias: {"bootstrap-servers": [f"{alias}:9092"], "security": {"protocol": "PLAINTEXT"}}
        for alias in ("east", "west")
    }
    workers = {"west": {"runtime": "strimzi", "strimzi": {"api-version": version}}}
    settings = parse({"clusters": clusters, "flows": [flow()], "workers": workers}, "")
    held = {"east": holding("orders"), "west": holding()}

    found = list(separate_heartbeats(plan(settings, held)))

    assert len(found) == count
    for warning in found:
        assert "KafkaConnectors beside it" in warning.message
        assert "mirrorstack-west-heartbeats" in warning.message


def both_directions(naming: str) -> list[Finding]:
    clusters = {alias: {"sandbox": "default"} for alias in ("east", "west")}
    flows = [
        {"from": source, "to": target, "topics": ["orders"], "naming": naming}
        for source, target in (("east", "west"), ("west", "east"))
    ]
    return list(cycles_between_flows(parse({"clusters": clusters, "flows": flows}, ""), {}))


def test_a_cycle_is_reported_without_the_policy_pack() -> None:
    (warning,) = both_directions("identity")

    assert "east" in warning.message
    assert warning.fix
    assert warning.severity is Severity.WARNING
    assert both_directions("prefixed") == []


class TestPatterns:
    def test_a_pattern_that_matches_nothing_yet_is_reported(self) -> None:
        found = planned(flow(topics=["orders", "later-.*"]))
        (warning,) = unmatched_patterns(found, {"east": holding("orders"), "west": holding()})

        assert "later-.* matches no topic on east" in warning.message

    def test_acls_that_allow_more_than_a_live_pattern_are_reported(self) -> None:
        chosen = flow(topics=["orders", "(in|out)-[0-9]+"], naming="identity")
        (warning,) = wide_acls(planned(chosen))

        assert "Read on Topic in-*, out-* on east" in warning.message
        assert "Create, Alter and Write on west" in warning.message
        assert warning.severity is Severity.WARNING

    def test_under_prefixed_naming_only_the_source_is_named(self) -> None:
        (warning,) = wide_acls(planned(flow(topics=["o.*s", "orders"])))

        assert "Read on Topic o* on east." in warning.message

    def test_prefixes_and_pinned_patterns_are_not_reported(self) -> None:
        prefixes = flow(topics=["orders.*", "(orders|clicks)-.*"])
        pinned = flow(topics=["o.*s"], discovery="pinned")

        assert [*wide_acls(planned(prefixes)), *wide_acls(planned(pinned))] == []


@pytest.mark.parametrize(
    ("url", "login", "count"),
    [
        ("http://connect.example:8083", RestLogin(username="me", password_key="key"), 1),
        ("http://connect.example:8083", RestLogin(token_key="key"), 1),
        ("https://connect.example:8083", RestLogin(username="me", password_key="key"), 0),
        ("http://127.0.0.1:8083", RestLogin(username="me", password_key="key"), 0),
        ("http://connect.example:8083", RestLogin(), 0),
        ("http://connect.kafka.svc:8083", RestLogin(username="me", port_forward="forward"), 0),
    ],
)
def test_a_login_that_is_sent_unencrypted_is_reported(
    url: str, login: RestLogin, count: int
) -> None:
    placement = WorkerPlacement(rest_urls=(url,), login=login)

    found = list(plain_rest_logins({"west": placement}))

    assert len(found) == count
    assert all("unencrypted to connect.example" in each.message for each in found)
