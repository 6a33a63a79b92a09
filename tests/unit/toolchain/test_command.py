"""Running other programs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.toolchain.machine import executable
from toolchain.command import LINES_KEPT, output_of, run
from toolchain.part import Unavailable


def test_every_line_of_both_streams_is_passed_on(tmp_path: Path) -> None:
    lines: list[str] = []
    run([executable(tmp_path / "tool", "echo one; echo; echo two >&2")], on_line=lines.append)
    assert lines == ["one", "two"]


def test_a_failure_has_the_exit_code_and_the_last_lines(tmp_path: Path) -> None:
    tool = executable(
        tmp_path / "tool", "i=0; while [ $i -lt 20 ]; do i=$((i+1)); echo $i; done; exit 3"
    )
    with pytest.raises(Unavailable) as raised:
        run([tool])
    first, *more = str(raised.value).splitlines()
    assert first == "tool exited with 3: 20"
    assert [line.strip() for line in more] == [str(number) for number in range(9, 20)]
    assert len(more) == LINES_KEPT - 1


def test_a_failure_without_output_is_reported(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="tool exited with 1: no output"):
        run([executable(tmp_path / "tool", "exit 1")])


def test_a_missing_program_is_reported(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="cannot be started: No such file or directory"):
        run([tmp_path / "missing"])


def test_variables_are_added_to_the_environment(tmp_path: Path) -> None:
    lines: list[str] = []
    tool = executable(tmp_path / "tool", 'echo "$GREETING"')
    run([tool], env={"GREETING": "hello"}, on_line=lines.append)
    assert lines == ["hello"]


def test_the_output_of_a_command_that_fails_is_empty(tmp_path: Path) -> None:
    assert output_of([executable(tmp_path / "good", "echo out; echo err >&2")]) == "out\nerr\n"
    assert output_of([executable(tmp_path / "bad", "echo out; exit 1")]) == ""
    assert output_of([tmp_path / "missing"]) == ""
