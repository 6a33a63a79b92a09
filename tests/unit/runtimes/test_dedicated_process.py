"""MirrorMaker in dedicated mode as a process."""

from __future__ import annotations

import re
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest

from mirrorstack.local.logs import FAILURE
from mirrorstack.runtimes.dedicated_process import DedicatedProcess
from tests.loopback import refused_connections


class NotFound(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_error(404)

    def log_message(self, *_: object) -> None:
        pass


def process(
    directory: Path, stopped: list[bool], url: str = "http://127.0.0.1:1"
) -> DedicatedProcess:
    return DedicatedProcess(url, directory / "failures.log", lambda: stopped.append(True))


def test_any_response_shows_that_it_is_up(tmp_path: Path) -> None:
    with HTTPServer(("127.0.0.1", 0), NotFound) as server:
        Thread(target=server.handle_request, daemon=True).start()

        assert process(tmp_path, [], f"http://127.0.0.1:{server.server_port}").answers()


def test_without_a_response_it_is_not_up(tmp_path: Path) -> None:
    with refused_connections() as url:
        assert not process(tmp_path, [], url).answers()


@pytest.mark.parametrize("content", [None, ""])
def test_without_a_failure_nothing_is_stopped(tmp_path: Path, content: str | None) -> None:
    stopped: list[bool] = []
    if content is not None:
        (tmp_path / "failures.log").write_text(content)

    assert process(tmp_path, stopped).restart_failed(0.0) == []
    assert stopped == []


def test_a_failed_task_stops_it_once(tmp_path: Path) -> None:
    stopped: list[bool] = []
    (tmp_path / "failures.log").write_text("MirrorSourceTask{id=0} Task threw ...\n  at ...\n")
    mirrormaker = process(tmp_path, stopped)

    (line,) = mirrormaker.restart_failed(0.0)

    assert line.endswith("MirrorSourceTask{id=0} Task threw ...")
    assert mirrormaker.restart_failed(1.0) == []
    assert stopped == [True]


@pytest.mark.parametrize(
    "line",
    [
        "WorkerSourceTask{id=x-0} Task threw an uncaught and unrecoverable exception. Task is "
        "being killed and will not recover until manually restarted",
        "[Worker x] WorkerConnector{id=MirrorSourceConnector} Error while starting connector",
    ],
)
def test_the_lines_that_connect_logs_are_recognized(line: str) -> None:
    assert re.search(FAILURE, line)
