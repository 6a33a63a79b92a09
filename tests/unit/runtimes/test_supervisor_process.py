"""The supervisor of a local worker as a process, with a fake worker."""

from __future__ import annotations

import os
import shutil
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from mirrorstack.findings import UserError
from mirrorstack.local.polling import poll_until
from mirrorstack.runtimes.local_worker import LocalWorker
from tests.loopback import refused_connections
from tests.unit.connect.scripted import Script
from tests.unit.runtimes.fake_worker import ENDS, fake_worker


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
