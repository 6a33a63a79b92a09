"""Automatic restarts: which one is due, and when."""

from __future__ import annotations

import pytest

from mirrorstack.connect.client import ConnectClient, RetryPolicy
from mirrorstack.connect.protocol import ConnectUnreachableError
from mirrorstack.connect.responses import ConnectorStatus, TaskStatus
from mirrorstack.connect.restarts import (
    Restart,
    RestartLimits,
    RestartPolicy,
    restart_what_is_due,
)
from tests.loopback import refused_connections
from tests.unit.connect.scripted import Script

RUNNING = ConnectorStatus("RUNNING", "", (TaskStatus(0, "RUNNING"),), "here:1")
FAILED_TASK = ConnectorStatus(
    "RUNNING", "", (TaskStatus(0, "RUNNING"), TaskStatus(1, "FAILED", "boom")), "here:1"
)
FAILED = ConnectorStatus("FAILED", "no class", (), "here:1")
UNASSIGNED = ConnectorStatus("UNASSIGNED", "", ())
STATUSES = "GET /connectors?expand=status"
RESTART = "POST /connectors/orders/restart?includeTasks=true&onlyFailed=true"


def restarts(policy: RestartPolicy, status: ConnectorStatus, times: range) -> list[int]:
    """At which of the times a restart is due while the status stays."""
    return [now for now in times if policy.due({"orders": status}, now)]


class TestPolicy:
    def test_a_failed_task_is_restarted_after_the_first_pause(self) -> None:
        policy = RestartPolicy()

        assert policy.due({"orders": FAILED_TASK}, 100.0) == []
        assert policy.due({"orders": FAILED_TASK}, 105.0) == [
            Restart("orders", ("task 1",), 1, "boom")
        ]

    def test_a_failed_connector_is_restarted_with_its_trace(self) -> None:
        policy = RestartPolicy(RestartLimits(first_seconds=0))

        (restart,) = policy.due({"orders": FAILED, "others": RUNNING}, 0.0)

        assert (restart.connector, restart.failed, restart.trace) == (
            "orders",
            ("connector",),
            "no class",
        )

    def test_pauses_double_up_to_the_longest_and_the_limit_is_reported_once(self) -> None:
        policy = RestartPolicy(RestartLimits(first_seconds=5, longest_seconds=20, attempts=4))

        assert restarts(policy, FAILED, range(0, 200, 5)) == [5, 15, 35, 55, 75]
        assert restarts(policy, FAILED, range(200, 4000, 5)) == []

    def test_the_last_answer_of_a_failing_connector_is_that_it_gives_up(self) -> None:
        policy = RestartPolicy(RestartLimits(first_seconds=1, attempts=1))

        decisions = [each for now in range(10) for each in policy.due({"orders": FAILED}, now)]

        assert [(each.attempt, each.gives_up) for each in decisions] == [(1, False), (1, True)]

    def test_a_connector_that_ran_for_a_while_starts_counting_again(self) -> None:
        policy = RestartPolicy(RestartLimits(first_seconds=5, attempts=1, reset_seconds=60))
        assert restarts(policy, FAILED, range(0, 10)) == [5]
        assert restarts(policy, RUNNING, range(10, 80)) == []

        assert restarts(policy, FAILED, range(80, 90)) == [85]

    def test_a_short_run_does_not_reset_the_count(self) -> None:
        policy = RestartPolicy(RestartLimits(first_seconds=5, attempts=1, reset_seconds=60))
        assert restarts(policy, FAILED, range(0, 10)) == [5]
        assert restarts(policy, RUNNING, range(10, 40)) == []

        (decision,) = policy.due({"orders": FAILED}, 40)

        assert decision.gives_up

    def test_a_rebalance_is_neither_a_failure_nor_a_recovery(self) -> None:
        policy = RestartPolicy(RestartLimits(first_seconds=5, attempts=1, reset_seconds=60))
        restarts(policy, FAILED, range(0, 10))
        restarts(policy, RUNNING, range(10, 60))
        restarts(policy, UNASSIGNED, range(60, 62))
        restarts(policy, RUNNING, range(62, 100))

        assert [each.gives_up for each in policy.due({"orders": FAILED}, 100)] == [True]

    def test_a_deleted_connector_leaves_no_history(self) -> None:
        policy = RestartPolicy(RestartLimits(first_seconds=5))
        policy.due({"orders": FAILED}, 0)
        policy.due({}, 3)

        assert policy.due({"orders": FAILED}, 5) == []

    def test_what_never_failed_is_left_alone(self) -> None:
        assert restarts(RestartPolicy(), RUNNING, range(1000)) == []
        assert restarts(RestartPolicy(), UNASSIGNED, range(1000)) == []


class TestDriver:
    @pytest.fixture
    def client(self, connect: Script) -> ConnectClient:
        status = {
            "connector": {"state": "RUNNING", "worker_id": "here:1"},
            "tasks": [{"id": 0, "state": "FAILED", "trace": "boom"}],
        }
        connect[STATUSES] = (200, {"orders": {"status": status}})
        connect[RESTART] = (202, {})
        return ConnectClient(connect.url, retries=RetryPolicy(seconds=0))

    def test_what_is_due_is_restarted(self, connect: Script, client: ConnectClient) -> None:
        policy = RestartPolicy()

        assert restart_what_is_due(client, policy, 0) == []
        (outcome,) = restart_what_is_due(client, policy, 5)

        assert (outcome.restart.failed, outcome.error) == (("task 0",), "")
        assert connect.count(RESTART) == 1

    def test_a_refused_restart_is_an_outcome_and_counts(
        self, connect: Script, client: ConnectClient
    ) -> None:
        connect[RESTART] = (409, {"error_code": 409, "message": "rebalancing"})
        policy = RestartPolicy(RestartLimits(first_seconds=0))

        (outcome,) = restart_what_is_due(client, policy, 0)

        assert "rebalancing" in outcome.error

    def test_others_connectors_are_left_to_others(
        self, connect: Script, client: ConnectClient
    ) -> None:
        policy = RestartPolicy(RestartLimits(first_seconds=0))

        assert (
            restart_what_is_due(
                client, policy, 0, is_responsible=lambda status: status.worker == "there:1"
            )
            == []
        )
        assert connect.count(RESTART) == 0

    def test_giving_up_sends_no_request(self, connect: Script, client: ConnectClient) -> None:
        policy = RestartPolicy(RestartLimits(first_seconds=0, attempts=0))

        (outcome,) = restart_what_is_due(client, policy, 0)

        assert outcome.restart.gives_up
        assert connect.count(RESTART) == 0

    def test_an_unreachable_connect_is_the_caller_s_error(self) -> None:
        with refused_connections() as url, pytest.raises(ConnectUnreachableError):
            restart_what_is_due(ConnectClient(url), RestartPolicy(), 0)
