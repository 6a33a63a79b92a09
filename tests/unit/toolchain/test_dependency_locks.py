"""Resolving the Python dependencies; a shell script stands in for uv."""

from __future__ import annotations

from pathlib import Path

import pytest

from mirrorstack.console import Console
from mirrorstack.findings import UserError
from tests.unit.toolchain.machine import executable
from toolchain import versions
from toolchain.dependency_locks import SEPARATE, lock

UV = """
    case "$*" in
        --version) echo "uv {version} (abc 2026-01-01)" ;;
        *) {resolve} ;;
    esac"""


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("UV_DEFAULT_INDEX", "not used")
    (tmp_path / "toolchain" / "locks").mkdir(parents=True)
    return tmp_path


def test_every_lock_is_resolved_with_hashes(root: Path, path: Path, console: Console) -> None:
    log = root / "uv.log"
    executable(path / "uv", UV.format(version=versions.UV, resolve=f'echo "$*" >> {log}'))
    lock(root, console)
    commands = log.read_text().splitlines()
    assert len(commands) == 1 + len(SEPARATE)
    assert all("--generate-hashes" in command for command in commands)
    assert not list(root.rglob("*.in")), "the temporary requirements are removed"


def test_the_error_of_uv_is_reported(root: Path, path: Path, console: Console) -> None:
    resolve = "echo 'no solution found'; exit 1"
    executable(path / "uv", UV.format(version=versions.UV, resolve=resolve))
    with pytest.raises(UserError, match="cannot be resolved: uv exited with 1: no solution found"):
        lock(root, console)
