"""Child processes of the language host, with real children."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from toolchain.fallback.language_host import processes as module
from toolchain.fallback.language_host.processes import Output, Processes, plugin_output

SLEEP = "import time; print('ready', flush=True); time.sleep(60)"
STUBBORN = f"import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); {SLEEP}"


class Call:
    """A call of the engine, as far as child processes depend on it."""

    def __init__(self, *, is_over: bool = False) -> None:
        self.is_over = is_over
        self._callbacks: list[Callable[[], None]] = []

    def add_callback(self, callback: Callable[[], None]) -> bool:
        self._callbacks.append(callback)
        return not self.is_over

    def end(self) -> None:
        for callback in self._callbacks:
            callback()


class Children:
    """Starts Python programs in the test's directory."""

    def __init__(self, directory: Path) -> None:
        self.processes = Processes()
        self.started: list[subprocess.Popen[bytes]] = []
        self._directory = directory

    def start(self, source: str, call: Any = None, **environ: str) -> subprocess.Popen[bytes]:
        child = self.processes.start(
            call or Call(),
            [sys.executable, "-c", source],
            directory=self._directory,
            environ={**os.environ, **environ},
            piped=True,
        )
        self.started.append(child)
        return child

    def start_and_wait(self, source: str, call: Any = None) -> subprocess.Popen[bytes]:
        child = self.start(source, call)
        assert child.stdout is not None
        assert child.stdout.readline() == b"ready\n"
        return child


@pytest.fixture
def children(tmp_path: Path) -> Iterator[Children]:
    children = Children(tmp_path)
    yield children
    for child in children.started:
        child.kill()
        child.communicate()


def test_a_child_has_the_given_directory_and_environment(
    children: Children, tmp_path: Path
) -> None:
    child = children.start("import os; print(os.getcwd(), os.environ['COLOUR'])", COLOUR="blue")

    assert child.communicate(timeout=20)[0].decode().split() == [str(tmp_path.resolve()), "blue"]


def test_the_child_of_a_call_ends_with_it_and_the_others_do_not(children: Children) -> None:
    call = Call()
    child, other = children.start_and_wait(SLEEP, call), children.start_and_wait(SLEEP)

    call.end()

    assert child.wait(timeout=20) == -signal.SIGTERM
    assert other.poll() is None


def test_a_call_that_is_over_before_the_child_runs_stops_it(children: Children) -> None:
    assert children.start(SLEEP, Call(is_over=True)).wait(timeout=20) == -signal.SIGTERM


def test_all_children_are_stopped_and_stubborn_ones_are_killed(
    children: Children, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "STOP_TIMEOUT_SECONDS", 0.2)
    ended = children.start("")
    ended.wait(timeout=20)
    polite, stubborn = children.start_and_wait(SLEEP), children.start_and_wait(STUBBORN)

    children.processes.stop_all()

    assert ended.returncode == 0
    assert polite.returncode == -signal.SIGTERM
    assert stubborn.returncode == -signal.SIGKILL


def test_the_output_of_both_streams_is_read_until_both_end(children: Children) -> None:
    child = children.start(
        "import os; print('one', flush=True); os.close(1); os.write(2, b'error\\ntwo')"
    )

    read = list(Output.of(child))

    assert sorted(read) == [("stderr", b"error\n"), ("stderr", b"two"), ("stdout", b"one\n")]


def test_closing_ends_the_iteration_while_a_stream_is_open(children: Children) -> None:
    output = Output.of(children.start(SLEEP))
    lines = iter(output)
    assert next(lines) == ("stdout", b"ready\n")

    output.put("stderr", b"the pack is not valid")
    output.close()

    assert list(lines) == [("stderr", b"the pack is not valid")]


def test_a_plugin_answers_with_the_stream_of_each_line() -> None:
    output = Output()
    output.put("stdout", b"port")
    output.put("stderr", b"warning")
    output.close()

    first, second = plugin_output(output)

    assert (first.stdout, first.stderr) == (b"port", b"")
    assert (second.stdout, second.stderr) == (b"", b"warning")
