"""uv: the one on PATH, and the package index that pip is configured to use."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.unit.toolchain.machine import executable
from toolchain import versions
from toolchain.cache import Cache
from toolchain.part import InstalledPart
from toolchain.uv import Uv, settings


@pytest.mark.parametrize(
    ("version", "used"), [(versions.UV, True), ("99.0.0", True), ("0.4.0", False)]
)
def test_uv_on_path_is_used_if_it_is_new_enough(
    cache: Cache, path: Path, version: str, used: bool
) -> None:
    own = executable(path / "uv", f"echo 'uv {version} (abc 2026-01-01)'")
    assert Uv(cache).find() == (InstalledPart(own, version, "found on PATH") if used else None)


class TestPackageIndex:
    @pytest.fixture
    def python(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        """The interpreter that runs the set-up; its pip is configured with an index."""
        python = executable(tmp_path / "python", "echo https://index.example/python")
        monkeypatch.setattr(sys, "executable", str(python))
        return python

    def test_uv_uses_the_index_of_pip(self, python: Path) -> None:
        assert settings({}) == {"UV_DEFAULT_INDEX": "https://index.example/python"}
        chosen = {"PIP_INDEX_URL": "https://other.example/python"}
        assert settings(chosen) == {"UV_DEFAULT_INDEX": "https://other.example/python"}

    def test_an_index_that_is_set_for_uv_is_not_changed(self, python: Path) -> None:
        assert settings({"UV_DEFAULT_INDEX": "https://mine.example"}) == {}

    def test_in_an_activated_shell_the_base_python_of_the_venv_is_queried(
        self, python: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        executable(python, 'case "$0" in */venv/*) exit 1 ;; esac; echo https://index.example')
        (tmp_path / "venv").mkdir()
        (tmp_path / "venv" / "python").symlink_to(python)
        monkeypatch.setattr(sys, "executable", str(tmp_path / "venv" / "python"))
        assert settings({}) == {"UV_DEFAULT_INDEX": "https://index.example"}

    def test_without_a_configured_index_nothing_is_set(self, python: Path) -> None:
        executable(python, "exit 1")
        assert settings({}) == {}
