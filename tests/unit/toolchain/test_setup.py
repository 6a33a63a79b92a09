"""Installing all parts."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from mirrorstack.console import Console
from mirrorstack.findings import UserError
from tests.unit.toolchain.machine import ROOT, UNPRIVILEGED
from toolchain import setup
from toolchain.part import InstalledPart, Part


def test_parts_are_visited_after_the_parts_that_they_need(tmp_path: Path, console: Console) -> None:
    visited: list[Part] = []

    def visit(part: Part) -> InstalledPart:
        visited.append(part)
        return InstalledPart(tmp_path / part.name, "1", "found")

    parts = setup.visit_parts(tmp_path, console, visit)
    assert [part.name for part in visited] == [
        "Java",
        "uv",
        "Python packages",
        "Pulumi",
        "Pulumi's Kafka plugin",
        "Kafka jars",
        "Spark's Kafka jars",
        "Stack local",
    ]
    assert parts["java"].path == tmp_path / "Java"


def test_an_unsupported_operating_system_is_an_error(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, console: Console
) -> None:
    monkeypatch.setattr("platform.system", lambda: "Windows")
    with pytest.raises(UserError, match="Windows is not supported") as problem:
        setup.set_up(tmp_path, console)
    assert "WSL" in problem.value.fix


def test_a_clone_that_is_not_writable_is_an_error(tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    clone.mkdir(mode=0o555)
    program = (
        "import sys; from pathlib import Path; from toolchain import setup, __main__;"
        "setup.ROOT = Path(sys.argv[1]); sys.exit(__main__.main(['setup']))"
    )
    ended = subprocess.run(
        [*UNPRIVILEGED, sys.executable, "-c", program, clone],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 2
    assert f"{clone} is not writable; the set-up creates .venv" in ended.stderr
    assert "clone the repository to a directory that you may write to" in ended.stderr
    assert "MIRRORSTACK_CACHE" not in ended.stderr, "another cache would not help"
