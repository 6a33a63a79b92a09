"""The supervisor of a worker: its decisions, and the process itself."""

from __future__ import annotations

import os
import shutil
import socket
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import psutil
import pytest

from mirrorstack.findings import UserError
from mirrorstack.local.polling import poll_until
from mirrorstack.runtimes import supervisor as module
from mirrorstack.runtimes.local_worker import LocalWorker
from mirrorstack.runtimes.supervisor import Supervisor
from tests.loopback import refused_connections
from tests.unit.connect.scripted import Script
from tests.unit.runtimes.fake_worker import ENDS, fake_worker


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


@pytest.fixture
def connect_worker(connect: Script, tmp_path: Path) -> Iterator[LocalWorker]:
    """A worker whose REST API and broker are the scripted server."""
    connect["GET /connectors?expand=status"] = (200, {})
    servers = connect.url.removeprefix("http://")
    worker = fake_worker(tmp_path, connect.url, bootstrap_servers=servers)
    yield worker
    worker.stop()


def within(seconds: float, is_so: Callable[[], object]) -> None:
    poll_until(is_so, deadline=time.monotonic() + seconds, on_timeout=AssertionError, interval=0.05)


def gone(pid: int) -> bool:
    return not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE


class TestProcess:
    def test_it_starts_the_worker_and_stops_it_when_it_is_stopped(
        self, connect_worker: LocalWorker
    ) -> None:
        connect_worker.wait_until_ready(connect_worker.start(), 60)
        process, supervisor = connect_worker.process(), connect_worker.supervisor()
        assert process is not None
        assert supervisor is not None
        assert process.ppid() == supervisor.pid, "it reaps the worker"

        connect_worker.stop()

        assert gone(process.pid)
        assert gone(supervisor.pid)
        assert "stopping the worker" in (connect_worker.directory / "supervisor.log").read_text()

    def test_a_killed_worker_comes_back(self, connect_worker: LocalWorker) -> None:
        connect_worker.wait_until_ready(connect_worker.start(), 60)
        process = connect_worker.process()
        assert process is not None

        process.kill()

        within(30, lambda: (now := connect_worker.process()) and now.pid != process.pid)
        log = (connect_worker.directory / "supervisor.log").read_text()
        assert "the worker ended: exit status -9" in log
        assert "restarting the worker, attempt 1" in log

    def test_a_killed_supervisor_leaves_the_worker_and_the_next_one_adopts_it(
        self, connect_worker: LocalWorker
    ) -> None:
        connect_worker.wait_until_ready(connect_worker.start(), 60)
        process, supervisor = connect_worker.process(), connect_worker.supervisor()
        assert process is not None
        assert supervisor is not None
        supervisor.kill()
        supervisor.wait(30)
        assert connect_worker.process() == process

        connect_worker.wait_until_ready(connect_worker.start(), 60)

        assert connect_worker.process() == process
        connect_worker.stop()
        assert gone(process.pid)

    def test_a_second_supervisor_ends_at_once(self, connect_worker: LocalWorker) -> None:
        connect_worker.wait_until_ready(connect_worker.start(), 60)

        second = connect_worker.start()

        assert second.wait(60) == 1
        assert connect_worker.process() is not None

    def test_it_ends_with_the_worker_when_the_directory_is_removed(
        self, connect_worker: LocalWorker
    ) -> None:
        started = connect_worker.start()
        connect_worker.wait_until_ready(started, 60)
        process = connect_worker.process()
        assert process is not None

        shutil.rmtree(connect_worker.directory)

        started.wait(30)
        assert gone(process.pid)

    def test_its_arguments_and_environment_hold_no_secret(
        self, connect_worker: LocalWorker, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("PULUMI_CONFIG_PASSPHRASE", "open sesame")
        connect_worker.wait_until_ready(connect_worker.start(), 60)

        for process in (connect_worker.supervisor(), connect_worker.process()):
            assert process is not None
            shown = " ".join([*process.cmdline(), *process.environ().values()])
            assert "hunter2" not in shown
            assert "open sesame" not in shown
            assert os.environ["PATH"] in shown, "what is searched must be the environment"

    def test_it_imports_neither_kafka_s_client_nor_pulumi(
        self, connect_worker: LocalWorker
    ) -> None:
        connect_worker.wait_until_ready(connect_worker.start(), 60)
        supervisor = connect_worker.supervisor()
        assert supervisor is not None

        assert supervisor.memory_info().rss < 60_000_000

    def test_a_worker_that_ends_while_it_starts_is_an_error_with_its_log(
        self, tmp_path: Path
    ) -> None:
        with refused_connections() as url:
            worker = fake_worker(tmp_path, url, ENDS)

            with pytest.raises(UserError, match="ended while it was starting") as raised:
                worker.wait_until_ready(worker.start(), 60)

        assert "ERROR no such class" in raised.value.message

    def test_a_worker_that_does_not_answer_in_time_is_an_error(self, tmp_path: Path) -> None:
        with socket.create_server(("127.0.0.1", 0)) as silent:
            port = silent.getsockname()[1]
            worker = fake_worker(tmp_path, f"http://127.0.0.1:{port}")
            try:
                with pytest.raises(UserError, match="did not answer within 1 s"):
                    worker.wait_until_ready(worker.start(), 1)
            finally:
                worker.stop()
