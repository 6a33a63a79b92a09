"""What counts as healthy. tests/platforms waits for real containers."""

from __future__ import annotations

from typing import Any

import pytest

from mirrorstack.findings import UserError
from mirrorstack.runtimes.container_health import container_problem, wait_for_container


def attributes(restarts: int = 0, health: str = "healthy", **state: Any) -> dict[str, Any]:
    running = {"Running": True, "ExitCode": 0, "Health": {"Status": health}, **state}
    return {"State": running, "RestartCount": restarts}


def test_a_healthy_container_has_no_problem() -> None:
    assert container_problem(attributes()) == ("", False)
    assert container_problem(attributes(restarts=1)) == ("", False)


def test_a_container_that_starts_is_waited_for() -> None:
    assert container_problem(attributes(health="starting")) == ("its health is starting", False)


def test_an_unhealthy_container_does_not_recover_by_waiting() -> None:
    assert container_problem(attributes(health="unhealthy")) == ("its health is unhealthy", True)


@pytest.mark.parametrize(("restarts", "is_final"), [(1, False), (3, True)])
def test_a_worker_may_end_twice_before_its_brokers_answer(restarts: int, *, is_final: bool) -> None:
    ended = attributes(restarts, "starting", Running=False, ExitCode=1)

    assert container_problem(ended) == (
        f"it ended with exit code 1, {restarts} restarts",
        is_final,
    )


def test_too_little_memory_is_the_reason() -> None:
    killed = attributes(3, "starting", Running=False, ExitCode=137, OOMKilled=True)

    assert container_problem(killed) == ("it exceeded its memory limit", True)


def test_a_daemon_that_does_not_answer_is_one_error() -> None:
    with pytest.raises(UserError, match="cannot be inspected"):
        wait_for_container("unix:///nowhere.sock", "worker", deadline=0, report=print)
