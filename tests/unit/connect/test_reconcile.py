"""Creating and updating connectors against a scripted worker: idempotent, until healthy."""

from __future__ import annotations

import time
from typing import Any

import pytest

from mirrorstack.connect import reconcile
from mirrorstack.connect.client import ConnectClient
from mirrorstack.connect.health import ConnectorSpec
from mirrorstack.connect.protocol import ConnectorState
from mirrorstack.connect.waiting import UnhealthyConnectorError
from tests.unit.connect.scripted import NOT_FOUND, Answer, Script

ORDERS = "/connectors/orders"
RESTART = f"POST {ORDERS}/restart?includeTasks=true&onlyFailed=true"
CONFIG = {"connector.class": "org.example.Mirror", "topics": "orders"}
LIVE = (200, {**CONFIG, "name": "orders"})
MADE: Answer = (201, {})
DONE: Answer = (204, None)

pytestmark = pytest.mark.usefixtures("clock")


def status(state: str, *tasks: str, trace: str = "") -> tuple[int, Any]:
    of_tasks = [{"id": id_, "state": one, "trace": trace} for id_, one in enumerate(tasks)]
    return 200, {"connector": {"state": state, "trace": trace}, "tasks": of_tasks}


RUNNING = status("RUNNING", "RUNNING")


@pytest.fixture(autouse=True)
def worker(connect: Script) -> None:
    """A worker without connectors that accepts all requests."""
    connect["POST /connectors"] = MADE
    connect[f"GET {ORDERS}/tasks"] = (200, [{"config": {}}])
    connect[f"GET {ORDERS}/status"] = RUNNING
    connect[f"PUT {ORDERS}/config"] = (200, {})
    connect[f"DELETE {ORDERS}"] = DONE
    for verb in ("pause", "stop", "resume"):
        connect[f"PUT {ORDERS}/{verb}"] = (202, None)


def reconciled(
    connect: Script,
    *,
    update: bool = False,
    state: ConnectorState = ConnectorState.RUNNING,
    within: float = 20,
) -> list[str]:
    """The reported reasons."""
    reported: list[str] = []
    (reconcile.update if update else reconcile.create)(
        ConnectClient(connect.url),
        ConnectorSpec(name="orders", config=CONFIG, state=state),
        deadline=time.monotonic() + within,
        report=reported.append,
    )
    return reported


def changes(connect: Script) -> list[str]:
    return [asked.request for asked in connect.asked if not asked.request.startswith("GET")]


class TestCreating:
    def test_a_new_connector_is_created_in_its_state(self, connect: Script) -> None:
        connect[f"GET {ORDERS}/status"] = status("STOPPED")

        reconciled(connect, state=ConnectorState.STOPPED)

        (body,) = connect.bodies("POST /connectors")
        assert body == {"name": "orders", "config": CONFIG, "initial_state": "STOPPED"}
        assert changes(connect) == ["POST /connectors"]

    def test_the_status_may_come_later(self, connect: Script) -> None:
        connect[f"GET {ORDERS}/status"] = [NOT_FOUND, status("UNASSIGNED"), RUNNING]

        assert reconciled(connect) == ["Connect has no status for it", "it is UNASSIGNED"]

    def test_an_existing_connector_with_the_same_config_is_not_changed(
        self, connect: Script
    ) -> None:
        connect[f"GET {ORDERS}/config"] = LIVE

        reconciled(connect)

        assert changes(connect) == []

    def test_a_connector_of_an_interrupted_attempt_is_adopted(self, connect: Script) -> None:
        connect[f"GET {ORDERS}/config"] = (200, {"topics": "old"})
        connect[f"GET {ORDERS}/status"] = [status("STOPPED"), RUNNING]

        reconciled(connect)

        assert changes(connect) == [f"PUT {ORDERS}/config", f"PUT {ORDERS}/resume"]

    def test_a_lost_response_to_the_first_attempt_is_harmless(self, connect: Script) -> None:
        connect[f"GET {ORDERS}/config"] = [NOT_FOUND, LIVE]
        connect["POST /connectors"] = [
            (500, {"message": "Request timed out"}),
            (409, {"message": "Connector orders already exists"}),
        ]

        reconciled(connect)

        assert changes(connect) == ["POST /connectors"] * 2

    def test_a_new_connector_that_does_not_become_healthy_is_deleted(self, connect: Script) -> None:
        connect[f"GET {ORDERS}/status"] = status("RUNNING")

        with pytest.raises(UnhealthyConnectorError, match=r"after 2\d s: it is RUNNING without"):
            reconciled(connect)

        assert changes(connect) == ["POST /connectors", f"DELETE {ORDERS}"]

    def test_an_existing_connector_is_not_deleted(self, connect: Script) -> None:
        connect[f"GET {ORDERS}/config"] = LIVE
        connect[f"GET {ORDERS}/status"] = status("RUNNING")

        with pytest.raises(UnhealthyConnectorError):
            reconciled(connect)

        assert changes(connect) == []


class TestUpdating:
    def test_a_changed_config_is_put(self, connect: Script) -> None:
        connect[f"GET {ORDERS}/config"] = (200, {**LIVE[1], "extra": "1"})

        reconciled(connect, update=True)

        assert connect.bodies(f"PUT {ORDERS}/config") == [CONFIG]

    def test_a_deleted_connector_is_recreated(self, connect: Script) -> None:
        reconciled(connect, update=True)

        assert changes(connect) == ["POST /connectors"]

    @pytest.mark.parametrize(
        ("state", "verb"), [(ConnectorState.PAUSED, "pause"), (ConnectorState.STOPPED, "stop")]
    )
    def test_the_declared_state_is_requested(
        self, connect: Script, state: ConnectorState, verb: str
    ) -> None:
        connect[f"GET {ORDERS}/config"] = LIVE
        connect[f"GET {ORDERS}/status"] = [RUNNING, RUNNING, status(state.upper())]

        reconciled(connect, update=True, state=state)

        assert changes(connect) == [f"PUT {ORDERS}/{verb}"]

    def test_a_failed_task_is_restarted(self, connect: Script) -> None:
        failed = status("RUNNING", "FAILED", trace="java.io.IOException: disk full")
        connect[f"GET {ORDERS}/config"] = LIVE
        connect[f"GET {ORDERS}/status"] = [failed, failed, RUNNING]
        connect[RESTART] = (202, {})

        reconciled(connect, update=True)

        assert changes(connect) == [RESTART]

    def test_a_failure_that_persists_ends_the_wait_early(self, connect: Script) -> None:
        connect[f"GET {ORDERS}/config"] = LIVE
        connect[f"GET {ORDERS}/status"] = [RUNNING, status("FAILED", trace="E: wrong\n\tat x.Y")]
        connect[RESTART] = (202, {})

        with pytest.raises(
            UnhealthyConnectorError, match=r"after [4-6] s: it has FAILED: E: wrong\n"
        ):
            reconciled(connect, update=True, within=300)

        assert changes(connect) == [RESTART], "it is restarted once"

    def test_health_that_does_not_last_does_not_count(self, connect: Script) -> None:
        connect[f"GET {ORDERS}/config"] = LIVE
        connect[f"GET {ORDERS}/status"] = [RUNNING, RUNNING, RUNNING, status("RUNNING")]

        with pytest.raises(UnhealthyConnectorError):
            reconciled(connect, update=True)


class TestNewTargetTopics:
    """A topic that is new on the target starts from earliest, whatever offsets are left."""

    OFFSETS = (
        200,
        {
            "offsets": [
                {
                    "partition": {"cluster": "east", "topic": topic, "partition": 0},
                    "offset": {"offset": 7},
                }
                for topic in ("orders", "clicks")
            ]
        },
    )

    def apply(self, connect: Script, *, update: bool) -> None:
        (reconcile.update if update else reconcile.create)(
            ConnectClient(connect.url),
            ConnectorSpec(name="orders", config=CONFIG, new_topics=frozenset({"orders"})),
            deadline=time.monotonic() + 20,
            report=lambda _why: None,
        )

    def test_previous_offsets_are_reset_before_it_runs(self, connect: Script) -> None:
        connect[f"GET {ORDERS}/config"] = LIVE
        connect[f"GET {ORDERS}/offsets"] = self.OFFSETS
        connect[f"PATCH {ORDERS}/offsets"] = (200, {"message": "altered"})
        stopped = status("STOPPED")
        connect[f"GET {ORDERS}/status"] = [RUNNING, stopped, stopped, RUNNING]

        self.apply(connect, update=True)

        (body,) = connect.bodies(f"PATCH {ORDERS}/offsets")
        gone = {"cluster": "east", "topic": "orders", "partition": 0}
        assert body == {"offsets": [{"partition": gone, "offset": None}]}
        assert changes(connect) == [
            f"PUT {ORDERS}/stop",
            f"PATCH {ORDERS}/offsets",
            f"PUT {ORDERS}/resume",
        ]

    def test_a_new_connector_is_created_stopped_and_resumed_afterwards(
        self, connect: Script
    ) -> None:
        connect[f"GET {ORDERS}/config"] = [NOT_FOUND, LIVE]
        connect[f"GET {ORDERS}/offsets"] = (200, {"offsets": []})
        connect[f"GET {ORDERS}/status"] = [status("STOPPED"), RUNNING]

        self.apply(connect, update=False)

        (body,) = connect.bodies("POST /connectors")
        assert body["initial_state"] == "STOPPED"
        assert changes(connect) == ["POST /connectors", f"PUT {ORDERS}/resume"]
