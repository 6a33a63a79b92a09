"""The REST API of a worker, as its supervisor uses it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mirrorstack.connect.restarts import RestartLimits, RestartPolicy
from mirrorstack.runtimes.worker_rest import WorkerRest
from tests.loopback import refused_connections
from tests.unit.connect.scripted import Script
from tests.unit.runtimes.fake_worker import fake_worker

STATUSES = "GET /connectors?expand=status"
RESTART = "POST /connectors/orders/restart?includeTasks=true&onlyFailed=true"


@pytest.fixture
def rest(connect: Script, tmp_path: Path) -> WorkerRest:
    connect[RESTART] = (202, {})
    found = WorkerRest.of(fake_worker(tmp_path, connect.url).directory)
    policy = RestartPolicy(RestartLimits(first_seconds=0, attempts=1))
    return WorkerRest(found.url, found.credentials_file, policy)


def failed(worker: str) -> tuple[int, Any]:
    status = {
        "connector": {"state": "RUNNING", "worker_id": worker},
        "tasks": [{"id": 0, "state": "FAILED", "trace": "boom\n\tat a.b.C(D.java:1)"}],
    }
    return 200, {"orders": {"status": status}}


def test_connect_answers_when_it_knows_no_such_connector(connect: Script, rest: WorkerRest) -> None:
    assert rest.answers()
    assert connect.asked[-1].authorization.startswith("Basic ")


def test_a_starting_worker_does_not_answer(connect: Script, rest: WorkerRest) -> None:
    connect["GET /connectors/any/config"] = (404, None)

    assert not rest.answers()


def test_a_worker_without_a_listener_does_not_answer(tmp_path: Path) -> None:
    with refused_connections() as url:
        rest = WorkerRest.of(fake_worker(tmp_path, url).directory)

        assert not rest.answers()
        assert rest.restart_failed(0) == []


def test_what_was_restarted_is_one_line(connect: Script, rest: WorkerRest) -> None:
    connect[STATUSES] = failed(rest.url.removeprefix("http://"))

    lines = [line for now in (0, 1000) for line in rest.restart_failed(now)]

    assert lines == [
        "restarted task 0 of orders, attempt 1 of 7: boom",
        "task 0 of orders FAILED again after 1 restarts, giving up: boom",
    ]
    assert connect.count(RESTART) == 1


def test_a_refused_restart_is_one_line(connect: Script, rest: WorkerRest) -> None:
    connect[STATUSES] = failed(rest.url.removeprefix("http://"))
    connect[RESTART] = (409, {"error_code": 409, "message": "rebalancing"})

    (line,) = rest.restart_failed(0)

    assert line.startswith("could not restart task 0 of orders, attempt 1 of 7: Connect responded")


def test_connectors_on_other_workers_are_left_to_their_supervisors(
    connect: Script, rest: WorkerRest
) -> None:
    connect[STATUSES] = failed("another:8083")

    assert rest.restart_failed(0) == []
    assert connect.count(RESTART) == 0
