"""Processes that are found by a mark on their command line."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from mirrorstack.local.processes import marked_processes, stop_processes

SLEEP = "import time; print(1, flush=True); time.sleep(60)"
IGNORE_SIGTERM = f"import signal; signal.signal(15, signal.SIG_IGN); {SLEEP}"

Start = Callable[..., subprocess.Popen[bytes]]


@pytest.fixture
def mark(tmp_path: Path) -> str:
    """A mark of this test's own; other tests run at the same time."""
    return f"-Dmirrorstack.test.{tmp_path.name}="


@pytest.fixture
def java(tmp_path: Path) -> Path:
    """A Python under the name of java: what counts is the command line."""
    link = tmp_path / "bin" / "java"
    link.parent.mkdir()
    link.symlink_to(sys.executable)
    return link


@pytest.fixture
def start(java: Path) -> Iterator[Start]:
    started: list[subprocess.Popen[bytes]] = []

    def start(program: str, *arguments: str, executable: Path = java) -> subprocess.Popen[bytes]:
        child = subprocess.Popen([executable, "-c", program, *arguments], stdout=subprocess.PIPE)
        started.append(child)
        assert child.stdout
        child.stdout.readline()
        return child

    yield start
    for child in started:
        child.kill()
        child.communicate()


def test_a_marked_java_is_found_with_its_directory_and_stopped(start: Start, mark: str) -> None:
    child = start(SLEEP, f"{mark}/some/directory")
    found = marked_processes(mark)
    assert [(each.pid, each.directory) for each in found] == [(child.pid, Path("/some/directory"))]
    assert stop_processes(found) == 1
    assert not psutil.pid_exists(child.pid)
    assert marked_processes(mark) == []


def test_a_process_that_ignores_sigterm_is_killed(start: Start, mark: str) -> None:
    child = start(IGNORE_SIGTERM, f"{mark}/some/directory")
    stop_processes(marked_processes(mark), grace=0.2)
    assert not psutil.pid_exists(child.pid)


def test_other_processes_are_not_found(start: Start, mark: str) -> None:
    """A java without the mark, and a program such as pgrep that has the mark as an argument."""
    start(SLEEP)
    start(SLEEP, f"{mark}/some/directory", executable=Path(sys.executable))
    assert marked_processes(mark) == []


def test_an_ended_child_is_not_alive_before_its_parent_waits_for_it(
    start: Start, mark: str
) -> None:
    child = start(SLEEP, f"{mark}/some/directory")
    (found,) = marked_processes(mark)
    assert found.is_alive
    child.kill()
    while psutil.Process(child.pid).status() != psutil.STATUS_ZOMBIE:
        pass
    assert not found.is_alive
    assert marked_processes(mark) == []


def test_stopping_nothing_is_no_error() -> None:
    assert stop_processes([]) == 0
