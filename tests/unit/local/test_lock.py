"""The lock between processes."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from mirrorstack.local.lock import file_lock

HOLD = """
import sys, time
from pathlib import Path
from mirrorstack.local.lock import file_lock
with file_lock(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


@contextmanager
def held_by_another_process(path: Path) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, path], stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout
        assert holder.stdout.readline() == "held\n"
        try:
            yield holder
        finally:
            holder.kill()


def test_a_free_lock_is_taken_without_waiting(tmp_path: Path) -> None:
    def waiting() -> Iterator[None]:
        raise AssertionError("no process holds the lock")

    for _ in range(2):
        with file_lock(tmp_path / "lock", waiting=contextmanager(waiting)):
            pass


def test_a_killed_holder_releases_the_lock(tmp_path: Path) -> None:
    events = []
    with held_by_another_process(tmp_path / "lock") as holder:

        @contextmanager
        def waiting() -> Iterator[None]:
            events.append("waiting")
            holder.kill()
            yield
            events.append("waited")

        with file_lock(tmp_path / "lock", waiting=waiting):
            events.append("held")
    assert events == ["waiting", "waited", "held"]


def test_waiting_ends_with_the_given_error(tmp_path: Path) -> None:
    with (
        held_by_another_process(tmp_path / "lock"),
        pytest.raises(ValueError, match="held too long"),
        file_lock(tmp_path / "lock", timeout=0, on_timeout=lambda: ValueError("held too long")),
    ):
        pytest.fail("the lock is held by another process")


@pytest.mark.parametrize("inheritable", [True, False])
def test_children_hold_the_lock_only_if_they_inherit_it(tmp_path: Path, inheritable: bool) -> None:
    with file_lock(tmp_path / "lock", inheritable=inheritable):
        child = subprocess.Popen(
            [sys.executable, "-c", "print(1, flush=True); input()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            close_fds=False,
        )
        assert child.stdout
        child.stdout.readline()  # it runs: its start has closed what it does not inherit
    try:
        free = _is_free(tmp_path / "lock")
    finally:
        child.communicate(b"\n")
    assert free is not inheritable


def _is_free(path: Path) -> bool:
    try:
        with file_lock(path, timeout=0):
            return True
    except TimeoutError:
        return False
