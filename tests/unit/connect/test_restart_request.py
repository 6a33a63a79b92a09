"""Restarts on request, against a scripted worker."""

from __future__ import annotations

from typing import Any

import pytest

from mirrorstack.connect.client import ConnectClient
from mirrorstack.connect.restart_request import restart_connectors
from tests.unit.connect.scripted import Script

STATUSES = "GET /connectors?expand=status"
ONLY_FAILED = "POST /connectors/orders/restart?includeTasks=true&onlyFailed=true"
ALL = "POST /connectors/orders/restart?includeTasks=true&onlyFailed=false"

pytestmark = pytest.mark.usefixtures("clock")


def one(state: str, *tasks: str) -> tuple[int, Any]:
    status = {
        "connector": {"state": state},
        "tasks": [{"id": n, "state": task, "trace": "boom"} for n, task in enumerate(tasks)],
    }
    return 200, {"orders": {"status": status}}


@pytest.fixture
def client(connect: Script) -> ConnectClient:
    connect[ONLY_FAILED] = connect[ALL] = (202, {})
    return ConnectClient(connect.url)


def test_nothing_failed_nothing_restarted(connect: Script, client: ConnectClient) -> None:
    connect[STATUSES] = one("RUNNING", "RUNNING")

    (outcome,) = restart_connectors(client, seconds=30)

    assert (outcome.restarted, outcome.is_ok) == ((), True)
    assert connect.count(ONLY_FAILED) == 0


def test_a_failed_task_that_runs_again_is_ok(connect: Script, client: ConnectClient) -> None:
    connect[STATUSES] = [
        one("RUNNING", "FAILED"),
        one("RUNNING", "RESTARTING"),
        one("RUNNING", "RUNNING"),
    ]

    (outcome,) = restart_connectors(client, seconds=30)

    assert (outcome.restarted, outcome.failed, outcome.is_ok) == (("task 0",), (), True)


def test_a_task_that_fails_again_is_reported_with_its_cause(
    connect: Script, client: ConnectClient
) -> None:
    connect[STATUSES] = [
        one("RUNNING", "FAILED"),
        one("RUNNING", "RUNNING"),
        one("RUNNING", "FAILED"),
    ]

    (outcome,) = restart_connectors(client, seconds=30)

    assert (outcome.failed, outcome.reason, outcome.is_ok) == (("task 0",), "boom", False)


def test_a_task_that_does_not_come_back_in_time_is_not_ok(
    connect: Script, client: ConnectClient
) -> None:
    connect[STATUSES] = [one("RUNNING", "FAILED"), one("RUNNING", "UNASSIGNED")]

    (outcome,) = restart_connectors(client, seconds=30)

    assert not outcome.is_ok


def test_everything_restarts_what_runs(connect: Script, client: ConnectClient) -> None:
    connect[STATUSES] = one("RUNNING", "RUNNING", "RUNNING")

    (outcome,) = restart_connectors(client, everything=True, seconds=30)

    assert outcome.restarted == ("connector", "task 0", "task 1")
    assert connect.count(ALL) == 1


@pytest.mark.parametrize("state", ["PAUSED", "STOPPED"])
def test_everything_leaves_what_is_paused_or_stopped(
    connect: Script, client: ConnectClient, state: str
) -> None:
    connect[STATUSES] = one(state)

    (outcome,) = restart_connectors(client, everything=True, seconds=30)

    assert (outcome.restarted, outcome.state, outcome.is_ok) == ((), state, True)
    assert connect.count(ALL) == 0


def test_a_connector_that_is_deleted_meanwhile_is_not_ok(
    connect: Script, client: ConnectClient
) -> None:
    connect[STATUSES] = [one("FAILED"), (200, {})]

    (outcome,) = restart_connectors(client, seconds=30)

    assert (outcome.state, outcome.is_ok) == ("deleted", False)


def test_a_connector_that_is_being_assigned_is_waited_for(
    connect: Script, client: ConnectClient
) -> None:
    connect[STATUSES] = [one("UNASSIGNED", "UNASSIGNED"), one("RUNNING", "RUNNING")]

    (outcome,) = restart_connectors(client, seconds=30)

    assert (outcome.restarted, outcome.state, outcome.is_ok) == ((), "RUNNING", True)


def test_a_connector_that_stays_unassigned_is_not_ok(
    connect: Script, client: ConnectClient
) -> None:
    connect[STATUSES] = one("UNASSIGNED", "UNASSIGNED")

    (outcome,) = restart_connectors(client, seconds=30)

    assert not outcome.is_ok


@pytest.mark.parametrize("state", ["PAUSED", "STOPPED"])
def test_a_connector_that_is_not_to_run_is_ok(
    connect: Script, client: ConnectClient, state: str
) -> None:
    connect[STATUSES] = one(state)

    (outcome,) = restart_connectors(client, seconds=30)

    assert outcome.is_ok
