"""The mm2.properties of one target."""

from __future__ import annotations

from typing import Any

import pytest

from mirrorstack.config.flows import FlowSettings
from mirrorstack.kafka.java_client import ClientAccess
from mirrorstack.mm2.connector_configs import ConnectorKind, TopicSelection
from mirrorstack.mm2.dedicated.config import (
    KeyConflict,
    bootstrap_servers,
    dedicated_config,
    expanded_connectors,
    flow_keys,
    is_dedicated,
    target_of,
    without_worker_keys,
    worker_configs,
)
from mirrorstack.mm2.resolved_flow import ResolvedFlow
from mirrorstack.mm2.worker_group import ConnectorNaming, WorkerGroup

FACTORS = {"east": 1, "north": 2, "west": 3}
OF_RUNTIME = {
    "listeners": "http://127.0.0.1:8083",
    "rest.extension.classes": "BasicAuth",
    "config.providers": "file",
}


def flow(source: str = "east", **changes: Any) -> FlowSettings:
    return FlowSettings.model_validate(
        {"from": source, "to": "west", "topics": ["orders"], **changes}
    )


def access(alias: str) -> ClientAccess:
    return ClientAccess(alias, f"{alias}:9093", "mirror", f"${{file:/secrets:{alias}}}")


def config(*flows: FlowSettings) -> dict[str, str]:
    declared = flows or (flow(),)
    group = WorkerGroup.of("west", declared, naming=ConnectorNaming.DEDICATED)
    accesses = {each: access(each) for each in ("west", *group.sources)}
    resolved = [ResolvedFlow(each, ("orders",)) for each in declared]
    return dedicated_config(group, resolved, accesses, FACTORS, OF_RUNTIME)


def test_the_target_comes_first_and_the_internal_rest_api_is_on() -> None:
    keys = config(flow(), flow("north"))

    assert keys["clusters"] == "west, east, north"
    assert keys["dedicated.mode.enable.internal.rest"] == "true"
    assert target_of(keys) == "west"
    assert bootstrap_servers(keys) == "west:9093"
    assert is_dedicated(keys)


def test_nothing_authenticates_at_a_rest_api_that_clients_do_not_use() -> None:
    assert "rest.extension.classes" not in config()
    assert config()["listeners"] == "http://127.0.0.1:8083"


def test_no_heartbeats_are_written_to_a_source() -> None:
    keys = config(flow(), flow("north"))

    assert keys["east->west.emit.heartbeats.enabled"] == "true"
    off = {
        key
        for key, value in keys.items()
        if key.endswith("heartbeats.enabled") and value == "false"
    }
    assert {key.partition(".")[0] for key in off} == {
        "west->east", "west->north", "east->north", "north->east",
    }  # fmt: skip


def test_exactly_once_is_requested_of_connectors_because_two_of_them_cannot() -> None:
    keys = config()

    assert keys["west.exactly.once.source.support"] == "enabled"
    assert keys["east->west.exactly.once.support"] == "requested"


def test_each_source_has_a_worker_config_with_the_keys_of_the_target() -> None:
    east, north = worker_configs(config(flow(), flow("north")))

    assert (east["group.id"], north["group.id"]) == ("east-mm2", "north-mm2")
    assert east["bootstrap.servers"] == north["bootstrap.servers"] == "west:9093"
    assert east["scheduled.rebalance.max.delay.ms"] == "10000"


def test_the_config_of_a_connect_worker_is_its_own_worker_config() -> None:
    worker = {"group.id": "mirrorstack-west", "bootstrap.servers": "west:9093"}

    assert worker_configs(worker) == [worker]
    assert bootstrap_servers(worker) == "west:9093"
    assert not is_dedicated(worker)


def test_connectors_are_expanded_without_those_that_do_nothing() -> None:
    source, checkpoint = expanded_connectors(
        config(with_groups := flow(groups=["billing"], heartbeats=False)), with_groups
    )

    assert (source.name, checkpoint.name) == ("MirrorSourceConnector", "MirrorCheckpointConnector")
    assert source.config["topics"] == "orders"
    assert source.config["source.cluster.bootstrap.servers"] == "east:9093"
    assert source.config["key.converter"].endswith("ByteArrayConverter")
    assert checkpoint.config["groups"] == "billing"
    assert "name" not in source.config


def test_keys_of_workers_that_reach_connectors_are_left_out_where_keys_are_checked() -> None:
    (source, *_) = expanded_connectors(config(), flow())

    left = without_worker_keys(source.config)

    assert "target.cluster.exactly.once.source.support" in source.config.keys() - left.keys()
    assert "target.cluster.bootstrap.servers" in left


@pytest.mark.parametrize(("value", "count"), [("5", 1), ("2", 0)])
def test_two_connectors_cannot_have_different_values_of_a_key(value: str, count: int) -> None:
    """`tasks.max` of the source connector is that of the flow, 2."""
    declared = flow(groups=["billing"], override={"checkpoint": {"tasks.max": value}})

    keys, conflicts = flow_keys(declared, TopicSelection.by_pattern(declared), FACTORS)

    expected = KeyConflict(ConnectorKind.CHECKPOINT, "tasks.max", value, "2", ConnectorKind.SOURCE)
    assert conflicts == [expected][:count]
    assert keys["tasks.max"] == "2"
