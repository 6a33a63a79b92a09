"""Programs from wheels: found on PATH, or installed in the cache."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from mirrorstack.console import Console
from mirrorstack.findings import UserError
from tests.unit.toolchain.machine import executable
from toolchain.cache import Cache
from toolchain.part import InstalledPart, Unavailable, ensure
from toolchain.wheel import WheelPart


@dataclass(frozen=True)
class Tool(WheelPart):
    """Has the lock of uv; its wheel is a script."""

    name, why, fix = "Tool", "the test needs it", "install it"
    program = "uv"
    version_argument, version_pattern = "--version", r"tool (\S+)"
    at_least, locked_version = (2, 0), "2.5"
    binary = "bin/tool"

    def install_wheel(self, directory: Path) -> None:
        assert list(directory.iterdir()) == []
        executable(directory / self.binary, "exit 0")


class NoNetwork(Tool):
    def install_wheel(self, directory: Path) -> None:
        (directory / "half").touch()
        raise Unavailable("no network")


@pytest.mark.parametrize("printed", ["tool 1.9", "usage: tool", "tool 2.1; exit 1"])
def test_a_program_that_is_old_or_broken_is_replaced_by_its_wheel(
    cache: Cache, path: Path, console: Console, printed: str
) -> None:
    executable(path / "uv", f"echo {printed}")

    found = ensure(Tool(cache), console)

    assert (found.version, found.origin) == ("2.5", "installed from its wheel")
    assert cache.root in found.path.parents


def test_a_new_program_on_path_is_used_before_an_installed_wheel(
    cache: Cache, path: Path, console: Console
) -> None:
    ensure(Tool(cache), console)
    own = executable(path / "uv", "echo tool 2.10")

    assert Tool(cache).find() == InstalledPart(own, "2.10", "found on PATH")


def test_the_files_of_a_failed_installation_are_removed_before_the_next(
    cache: Cache, path: Path, console: Console
) -> None:
    with pytest.raises(UserError, match="no network"):
        ensure(NoNetwork(cache), console)
    assert [file.name for file in cache.root.rglob("half")] == ["half"]

    assert ensure(Tool(cache), console).path.exists()


def test_a_wheel_in_the_cache_is_not_installed_again(
    cache: Cache, path: Path, console: Console
) -> None:
    first = ensure(Tool(cache), console)

    assert ensure(NoNetwork(cache), console) == first
