"""Waiting until a connector is healthy, against a scripted worker."""

from __future__ import annotations

import time
from collections.abc import Collection
from typing import Any

import pytest

from mirrorstack.connect.client import ConnectClient
from mirrorstack.connect.health import ConnectorSpec, Expectation, Health
from mirrorstack.connect.progress import Offsets, ReplicationProgress
from mirrorstack.connect.waiting import UnhealthyConnectorError, check_health, wait_until_healthy
from mirrorstack.findings import Finding
from tests.unit.connect.scripted import Script

ORDERS = "/connectors/orders"
SPEC = ConnectorSpec(
    name="orders",
    config={"connector.class": "org.example.Mirror"},
    expectation=Expectation(partitions={"orders": 1}, records=frozenset({"orders"})),
)
RUNNING: tuple[int, Any] = (
    200,
    {"connector": {"state": "RUNNING"}, "tasks": [{"id": 0, "state": "RUNNING"}]},
)

pytestmark = pytest.mark.usefixtures("clock")


def offset(value: int) -> tuple[int, Any]:
    partition = {"cluster": "east", "topic": "orders", "partition": 0}
    return 200, {"offsets": [{"partition": partition, "offset": {"offset": value}}]}


@pytest.fixture(autouse=True)
def worker(connect: Script) -> None:
    connect[f"GET {ORDERS}/status"] = RUNNING
    connect[f"GET {ORDERS}/tasks"] = (200, [{"config": {"task.assigned.partitions": "orders-0"}}])
    connect[f"GET {ORDERS}/offsets"] = offset(3)


def behind(_offsets: Offsets) -> frozenset[str]:
    return frozenset({"orders"})


def test_running_tasks_without_progress_are_not_healthy(connect: Script) -> None:
    reasons: list[str] = []

    with pytest.raises(UnhealthyConnectorError, match="see the worker's log") as raised:
        wait_until_healthy(
            ConnectClient(connect.url),
            SPEC,
            deadline=time.monotonic() + 10,
            report=reasons.append,
            backlog=behind,
        )

    assert reasons[0] == (
        "no record of orders has been replicated since the deployment started, though the source "
        "has more"
    ), "while it waits, nothing has failed yet"
    assert raised.value.findings[0].connector == "orders"


def test_progress_makes_it_healthy(connect: Script) -> None:
    connect[f"GET {ORDERS}/offsets"] = [offset(3), offset(4)]

    wait_until_healthy(
        ConnectClient(connect.url),
        SPEC,
        deadline=time.monotonic() + 10,
        report=lambda _reason: None,
        backlog=behind,
    )


def test_the_source_is_not_queried_before_the_rest_is_healthy(connect: Script) -> None:
    connect[f"GET {ORDERS}/offsets"] = (200, {"offsets": []})

    def query(_offsets: Offsets) -> frozenset[str]:
        raise AssertionError

    status = check_health(
        ConnectClient(connect.url), SPEC, ReplicationProgress({"orders": 1}, query)
    )

    assert status.health is Health.PENDING
    assert "no record of orders has been replicated" in status.reason


def test_health_of_a_moment_is_not_enough_at_the_deadline(connect: Script) -> None:
    with pytest.raises(UnhealthyConnectorError, match="healthy for less than 2 s"):
        wait_until_healthy(
            ConnectClient(connect.url),
            SPEC,
            deadline=time.monotonic(),
            report=lambda _reason: None,
        )


STALL = Finding("orders is not replicated: too large", "raise it", rule="stalled-by-record-size")


def test_the_reason_of_a_stall_is_reported_while_it_waits_and_at_the_end(connect: Script) -> None:
    reasons: list[str] = []
    asked: list[tuple[Collection[str], Offsets]] = []

    def stalls(topics: Collection[str], offsets: Offsets) -> list[Finding]:
        asked.append((topics, offsets))
        return [STALL]

    with pytest.raises(UnhealthyConnectorError) as raised:
        wait_until_healthy(
            ConnectClient(connect.url),
            SPEC,
            deadline=time.monotonic() + 50,
            report=reasons.append,
            backlog=behind,
            stalls=stalls,
        )

    assert reasons[-1].endswith("the source has more; orders is not replicated: too large")
    unhealthy, stall = raised.value.findings
    assert "worker's log" not in unhealthy.message, "the cause is known"
    assert (stall.rule, stall.fix, stall.connector) == (
        "stalled-by-record-size",
        "raise it",
        "orders",
    )
    assert len(asked) == 2, "inspecting the clusters is expensive"
    assert asked[0] == ({"orders"}, {("orders", 0): 3})


def test_the_reason_of_a_failure_is_reported(connect: Script) -> None:
    failed = {"id": 0, "state": "FAILED", "trace": "RecordTooLargeException"}
    connect[f"GET {ORDERS}/status"] = (200, {"connector": {"state": "RUNNING"}, "tasks": [failed]})
    connect[f"POST {ORDERS}/restart?includeTasks=true&onlyFailed=true"] = (202, {})

    with pytest.raises(UnhealthyConnectorError, match="RecordTooLargeException") as raised:
        wait_until_healthy(
            ConnectClient(connect.url),
            SPEC,
            deadline=time.monotonic() + 50,
            report=lambda _reason: None,
            stalls=lambda _topics, _offsets: [STALL],
        )

    assert [each.rule for each in raised.value.findings] == ["", "stalled-by-record-size"]


def test_without_a_known_reason_the_possible_causes_are_named(connect: Script) -> None:
    with pytest.raises(UnhealthyConnectorError, match="see the worker's log"):
        wait_until_healthy(
            ConnectClient(connect.url),
            SPEC,
            deadline=time.monotonic() + 10,
            report=lambda _reason: None,
            backlog=behind,
            stalls=lambda _topics, _offsets: [],
        )
