"""A machine without installed parts: no tools on PATH, no user settings, an empty cache."""

from __future__ import annotations

import io
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from mirrorstack.console import Console
from tests.loopback import Site, serving
from toolchain.cache import Cache

USER_SETTINGS = (
    "MIRRORSTACK_",
    "PULUMI_",
    "UV_",
    "PIP_",
    "JAVA_HOME",
    "XDG_CACHE_HOME",
    "VIRTUAL_ENV",
)


@pytest.fixture(autouse=True)
def bare_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith(USER_SETTINGS):
            monkeypatch.delenv(name)
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    monkeypatch.setenv("MIRRORSTACK_JVM_DIRS", str(tmp_path / "no-jvms"))
    monkeypatch.setenv("MIRRORSTACK_APPLICATIONS", str(tmp_path / "no-applications"))


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only directory on PATH: the tools that unpack archives, and what a test adds."""
    directory = tmp_path / "bin"
    directory.mkdir()
    for tool in ("tar", "gzip"):
        found = shutil.which(tool)
        assert found is not None, f"{tool} is needed to unpack a release"
        (directory / tool).symlink_to(found)
    monkeypatch.setenv("PATH", str(directory))
    return directory


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "cache")


@pytest.fixture
def log() -> io.StringIO:
    return io.StringIO()


@pytest.fixture
def console(log: io.StringIO) -> Console:
    return Console(log)


@pytest.fixture
def site() -> Iterator[Site]:
    with serving() as site:
        yield site


@pytest.fixture
def as_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)


@pytest.fixture
def as_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
