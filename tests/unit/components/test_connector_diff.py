"""Which changes of a connector update it, which replace it, and which are none."""

from __future__ import annotations

from typing import Any

import pytest
from pulumi.runtime.rpc import UNKNOWN

from components.cluster_props import cluster_props
from tests.loopback import refused_connections
from tests.unit.components.test_connector import TARGET
from tests.unit.components.test_connector_provider import ORDERS, live, props, provider
from tests.unit.connect.scripted import Script

__all__ = ["props"]


def test_equal_inputs_are_no_change(props: dict[str, Any]) -> None:
    assert provider.diff("orders", props, dict(props)).changes is False


@pytest.mark.parametrize("change", [{"name": "other"}, {"rest_url": UNKNOWN}])
def test_another_name_or_address_replaces_and_deletes_first(
    props: dict[str, Any], change: dict[str, Any]
) -> None:
    result = provider.diff("orders", props, props | change)

    assert result.replaces == list(change)
    assert result.delete_before_replace


def test_the_address_of_other_workers_of_the_same_group_is_an_update(props: dict[str, Any]) -> None:
    target = {
        "cluster": cluster_props(TARGET.cluster, TARGET.password),
        "group": TARGET.group,
    }
    before = props | {"target": target, "rest_url": "http://127.0.0.1:1"}

    moved = provider.diff("orders", before, props | {"target": target})
    other = provider.diff("orders", before, props | {"target": target | {"group": "other"}})

    assert (moved.changes, moved.replaces) == (True, [])
    assert other.replaces == ["rest_url"]


@pytest.mark.parametrize(
    "change",
    [
        {"config": {}},
        {"state": "paused"},
        {"provider_version": "3"},
        {"ca_file": "ca.pem"},
        {"generation": 2},
    ],
)
def test_anything_else_updates(props: dict[str, Any], change: dict[str, Any]) -> None:
    result = provider.diff("orders", props, props | change)

    assert (result.changes, result.replaces) == (True, [])


def test_offsets_are_reset_once_for_each_deployment_that_creates_target_topics(
    props: dict[str, Any],
) -> None:
    created = provider.check({}, props | {"new_topics": ["orders"]}).inputs
    unchanged = provider.check(created, props).inputs
    recreated = provider.check(unchanged, props | {"new_topics": ["orders"]}).inputs
    again = provider.check(unchanged, props | {"new_topics": ["orders"]}).inputs

    assert provider.diff("orders", created, unchanged).changes is False
    assert provider.diff("orders", unchanged, recreated).changes is True
    assert recreated == again, "a preview and the deployment after it must agree"


def test_a_refresh_shows_no_change_of_the_generation(props: dict[str, Any]) -> None:
    deployed = provider.check({}, props | {"new_topics": ["orders"]}).inputs

    assert provider.diff("orders", deployed, deployed).changes is False


def test_a_longer_timeout_is_no_change(props: dict[str, Any]) -> None:
    assert provider.diff("orders", props, props | {"ready_within": 9.0}).changes is False


@pytest.mark.parametrize("state", ["PAUSED", "FAILED"])
def test_a_live_connector_that_differs_is_a_change(
    connect: Script, props: dict[str, Any], state: str
) -> None:
    connect[f"GET {ORDERS}/status"] = live(state)

    assert provider.diff("orders", props, dict(props)).changes


def test_an_unreachable_worker_is_no_change(props: dict[str, Any]) -> None:
    with refused_connections() as url:
        here = props | {"rest_url": url}
        assert provider.diff("orders", here, dict(here)).changes is False
