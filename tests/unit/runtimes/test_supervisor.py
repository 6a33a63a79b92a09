"""The supervisor of a worker: its decisions, and the process itself."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from mirrorstack.runtimes import supervisor as module
from mirrorstack.runtimes.supervisor import Supervisor


@dataclass
class FakeWorker:
    """What a supervisor sees of its worker."""

    is_alive: bool = False
    has_files: bool = True
    brokers: bool = True
    runs_already: bool = False
    launches: int = 0
    stops: int = 0
    fails_to_start: bool = False
    pid: int | None = 7

    def adopt(self) -> bool:
        self.is_alive = self.runs_already
        return self.runs_already

    def launch(self) -> None:
        self.launches += 1
        if self.fails_to_start:
            raise FileNotFoundError("no java")
        self.is_alive = True

    def stop(self) -> None:
        self.stops += 1
        self.is_alive = False

    def reap(self) -> str:
        return "exit status 3"

    def brokers_accept_connections(self) -> bool:
        return self.brokers


@dataclass
class FakeRest:
    up: bool = True
    checks: list[float] = field(default_factory=list)

    def answers(self) -> bool:
        return self.up

    def restart_failed(self, now: float) -> list[str]:
        self.checks.append(now)
        return ["restarted task 0 of orders"]


class Scene:
    """A supervisor with a clock that the test moves."""

    def __init__(self, **worker: bool) -> None:
        self.now = 0.0
        self.ready = 0
        self.worker, self.rest = FakeWorker(**worker), FakeRest()
        self.supervisor = Supervisor(
            self.worker,  # type: ignore[arg-type]
            self.rest,  # type: ignore[arg-type]
            on_ready=self._on_ready,
            clock=lambda: self.now,
        )

    def _on_ready(self) -> None:
        self.ready += 1

    def until(self, end: float, step: float = 1.0) -> list[float]:
        """Steps up to a time; when the worker was launched."""
        launched = []
        while self.now < end:
            before = self.worker.launches
            assert self.supervisor.step()
            if self.worker.launches > before:
                launched.append(self.now)
            self.now += step
        return launched


class TestDecisions:
    def test_a_worker_is_launched_and_reported_when_it_answers(self) -> None:
        scene = Scene()
        scene.rest.up = False
        scene.supervisor.begin()
        assert scene.until(3) == []
        assert (scene.worker.launches, scene.ready) == (1, 0)

        scene.rest.up = True
        scene.until(4)

        assert scene.ready == 1

    def test_a_running_worker_is_adopted(self) -> None:
        scene = Scene(runs_already=True)
        scene.supervisor.begin()

        assert (scene.worker.launches, scene.ready) == (0, 1)

    def test_a_worker_that_never_answered_is_not_restarted(self) -> None:
        scene = Scene()
        scene.rest.up = False
        scene.supervisor.begin()
        scene.worker.is_alive = False

        assert not scene.supervisor.step()
        assert scene.worker.launches == 1

    def test_a_worker_that_dies_is_restarted_with_growing_pauses(self) -> None:
        scene = Scene()
        scene.supervisor.begin()
        scene.until(1)
        at: list[float] = []
        for _ in range(4):
            scene.worker.is_alive = False
            died = scene.now
            at += [each - died for each in scene.until(died + 100)]

        assert at == [5, 10, 20, 40]

    def test_a_worker_that_ran_for_a_while_is_restarted_soon_again(self) -> None:
        scene = Scene()
        scene.supervisor.begin()
        for _ in range(3):
            scene.until(scene.now + 2)
            scene.worker.is_alive = False
            scene.until(scene.now + 50)
        scene.until(scene.now + 700)

        scene.worker.is_alive = False
        died = scene.now

        assert scene.until(died + 20) == [died + 5]

    def test_without_brokers_java_is_not_started_and_one_line_is_logged(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        lines: list[str] = []
        monkeypatch.setattr(module.log, "info", lambda text, *_args: lines.append(text))
        scene = Scene()
        scene.supervisor.begin()
        scene.until(1)
        scene.worker.is_alive = scene.worker.brokers = False
        assert scene.until(600) == []
        assert len([line for line in lines if "waiting for the target cluster" in line]) == 1

        scene.worker.brokers = True

        assert scene.until(605) == [600]

    def test_a_start_that_fails_is_tried_again(self) -> None:
        scene = Scene()
        scene.supervisor.begin()
        scene.until(1)
        scene.worker.is_alive = False
        scene.worker.fails_to_start = True

        assert len(scene.until(100)) > 2
        scene.worker.fails_to_start = False
        scene.until(400)

        assert scene.worker.is_alive

    def test_failed_connectors_are_restarted_every_few_seconds(self) -> None:
        scene = Scene()
        scene.supervisor.begin()
        scene.until(11)

        assert scene.rest.checks == [0, 5, 10]

    def test_removed_files_end_it_with_the_worker(self) -> None:
        scene = Scene()
        scene.supervisor.begin()
        scene.until(1)
        scene.worker.has_files = False

        assert not scene.supervisor.step()
        assert scene.worker.stops == 1
