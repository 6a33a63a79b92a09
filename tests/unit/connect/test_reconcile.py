"""Create and update against a worker that answers as a real one did: idempotent, and to the end."""

from __future__ import annotations

import time
from typing import Any

import pytest

from mirrorstack.connect import reconcile as applying
from mirrorstack.connect.client import ConnectClient
from mirrorstack.connect.health import Declared
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
    """One that knows no connector and does as it is told."""
    connect["POST /connectors"] = MADE
    connect[f"GET {ORDERS}/tasks"] = (200, [{"config": {}}])
    connect[f"GET {ORDERS}/status"] = RUNNING
    connect[f"PUT {ORDERS}/config"] = (200, {})
    connect[f"DELETE {ORDERS}"] = DONE
    for verb in ("pause", "stop", "resume"):
        connect[f"PUT {ORDERS}/{verb}"] = (202, None)


def apply(
    connect: Script,
    *,
    update: bool = False,
    state: ConnectorState = ConnectorState.RUNNING,
    within: float = 20,
) -> list[str]:
    """What was reported."""
    reported: list[str] = []
    (applying.update if update else applying.create)(
        ConnectClient(connect.url),
        Declared(name="orders", config=CONFIG, state=state),
        deadline=time.monotonic() + within,
        report=reported.append,
    )
    return reported


def changes(connect: Script) -> list[str]:
    return [asked.request for asked in connect.asked if not asked.request.startswith("GET")]


class TestCreating:
    def test_a_new_connector_is_made_in_its_state(self, connect: Script) -> None:
        connect[f"GET {ORDERS}/status"] = status("STOPPED")

        apply(connect, state=ConnectorState.STOPPED)

        (body,) = connect.bodies("POST /connectors")
        assert body == {"name": "orders", "config": CONFIG, "initial_state": "STOPPED"}
        assert changes(connect) == ["POST /connectors"]

    def test_its_status_may_come_later(self, connect: Script) -> None:
        connect[f"GET {ORDERS}/status"] = [NOT_FOUND, status("UNASSIGNED"), RUNNING]

        assert apply(connect) == ["Connect has no status of it", "it is UNASSIGNED"]

    def test_one_that_is_there_and_right_is_left_alone(self, connect: Script) -> None:
        connect[f"GET {ORDERS}/config"] = LIVE

        apply(connect)

        assert changes(connect) == []

    def test_one_that_an_interrupted_attempt_left_is_taken_over(self, connect: Script) -> None:
        connect[f"GET {ORDERS}/config"] = (200, {"topics": "old"})
        connect[f"GET {ORDERS}/status"] = [status("STOPPED"), RUNNING]

        apply(connect)

        assert changes(connect) == [f"PUT {ORDERS}/config", f"PUT {ORDERS}/resume"]

    def test_a_lost_answer_to_the_first_try_does_no_harm(self, connect: Script) -> None:
        connect[f"GET {ORDERS}/config"] = [NOT_FOUND, LIVE]
        connect["POST /connectors"] = [
            (500, {"message": "Request timed out"}),
            (409, {"message": "Connector orders already exists"}),
        ]

        apply(connect)

        assert changes(connect) == ["POST /connectors"] * 2

    def test_one_that_does_not_become_healthy_is_taken_away_again(self, connect: Script) -> None:
        connect[f"GET {ORDERS}/status"] = status("RUNNING")

        with pytest.raises(UnhealthyConnectorError, match=r"after 2\d s: it is RUNNING without"):
            apply(connect)

        assert changes(connect) == ["POST /connectors", f"DELETE {ORDERS}"]

    def test_one_that_was_there_before_is_not_taken_away(self, connect: Script) -> None:
        connect[f"GET {ORDERS}/config"] = LIVE
        connect[f"GET {ORDERS}/status"] = status("RUNNING")

        with pytest.raises(UnhealthyConnectorError):
            apply(connect)

        assert changes(connect) == []


class TestUpdating:
    def test_another_config_is_put(self, connect: Script) -> None:
        connect[f"GET {ORDERS}/config"] = (200, {**LIVE[1], "extra": "1"})

        apply(connect, update=True)

        assert connect.bodies(f"PUT {ORDERS}/config") == [CONFIG]

    def test_one_that_was_deleted_is_made_again(self, connect: Script) -> None:
        apply(connect, update=True)

        assert changes(connect) == ["POST /connectors"]

    @pytest.mark.parametrize(
        ("state", "verb"), [(ConnectorState.PAUSED, "pause"), (ConnectorState.STOPPED, "stop")]
    )
    def test_the_state_is_reached(self, connect: Script, state: ConnectorState, verb: str) -> None:
        connect[f"GET {ORDERS}/config"] = LIVE
        connect[f"GET {ORDERS}/status"] = [RUNNING, RUNNING, status(state.upper())]

        apply(connect, update=True, state=state)

        assert changes(connect) == [f"PUT {ORDERS}/{verb}"]

    def test_what_has_failed_is_restarted(self, connect: Script) -> None:
        failed = status("RUNNING", "FAILED", trace="java.io.IOException: disk full")
        connect[f"GET {ORDERS}/config"] = LIVE
        connect[f"GET {ORDERS}/status"] = [failed, failed, RUNNING]
        connect[RESTART] = (202, {})

        apply(connect, update=True)

        assert changes(connect) == [RESTART]

    def test_a_failure_that_stays_ends_the_waiting_early(self, connect: Script) -> None:
        connect[f"GET {ORDERS}/config"] = LIVE
        connect[f"GET {ORDERS}/status"] = [RUNNING, status("FAILED", trace="E: wrong\n\tat x.Y")]
        connect[RESTART] = (202, {})

        with pytest.raises(
            UnhealthyConnectorError, match=r"after [4-6] s: it has FAILED: E: wrong\n"
        ):
            apply(connect, update=True, within=300)

        assert changes(connect) == [RESTART], "it has had a second chance, and no third one"

    def test_health_that_does_not_last_does_not_count(self, connect: Script) -> None:
        connect[f"GET {ORDERS}/config"] = LIVE
        connect[f"GET {ORDERS}/status"] = [RUNNING, RUNNING, RUNNING, status("RUNNING")]

        with pytest.raises(UnhealthyConnectorError):
            apply(connect, update=True)


class TestBeginningAnew:
    """A copy that is new on the target begins at the beginning, whatever is left of another."""

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
        (applying.update if update else applying.create)(
            ConnectClient(connect.url),
            Declared(name="orders", config=CONFIG, fresh=frozenset({"orders"})),
            deadline=time.monotonic() + 20,
            report=lambda _why: None,
        )

    def test_offsets_of_an_earlier_copy_are_forgotten_before_it_runs(self, connect: Script) -> None:
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

    def test_a_new_connector_is_made_stopped_and_runs_when_that_is_settled(
        self, connect: Script
    ) -> None:
        connect[f"GET {ORDERS}/config"] = [NOT_FOUND, LIVE]
        connect[f"GET {ORDERS}/offsets"] = (200, {"offsets": []})
        connect[f"GET {ORDERS}/status"] = [status("STOPPED"), RUNNING]

        self.apply(connect, update=False)

        (body,) = connect.bodies("POST /connectors")
        assert body["initial_state"] == "STOPPED"
        assert changes(connect) == ["POST /connectors", f"PUT {ORDERS}/resume"]
