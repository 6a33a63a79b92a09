"""Installing the fallback language host; a shell script stands in for uv."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from mirrorstack.console import Console
from mirrorstack.findings import UserError
from tests.unit.toolchain.machine import executable
from toolchain import versions
from toolchain.cache import Cache
from toolchain.fallback.language_host_part import EXECUTABLE, LOCK, LanguageHost
from toolchain.part import ensure


@pytest.fixture
def log_of_uv(tmp_path: Path) -> Path:
    return tmp_path / "uv.log"


@pytest.fixture
def host(
    cache: Cache, tmp_path: Path, log_of_uv: Path, monkeypatch: pytest.MonkeyPatch
) -> LanguageHost:
    """With a uv whose environments have a Python that prints its arguments."""
    monkeypatch.setenv("UV_DEFAULT_INDEX", "not asked")
    python = executable(tmp_path / "python", 'for word in "$@"; do echo "$word"; done')
    uv = executable(
        tmp_path / "uv",
        f'echo "$*" >> {log_of_uv}\n'
        f'if [ "$1" = venv ]; then mkdir -p "$4/bin"; cp {python} "$4/bin/python"; fi',
    )
    return LanguageHost(cache, uv)


def test_it_is_installed_from_its_lock_in_an_environment_of_its_own(
    host: LanguageHost, console: Console, log_of_uv: Path
) -> None:
    found = ensure(host, console)

    assert (found.version, found.origin) == (versions.PULUMI, "from this repository")
    assert (host.entry / "language_host" / "service.py").exists()
    assert not list(host.entry.rglob("__pycache__"))
    venv, sync = log_of_uv.read_text().splitlines()
    assert venv.startswith("venv --quiet --relocatable ")
    assert sync == f"pip sync --quiet --require-hashes {LOCK}"


def test_the_launcher_isolates_python_and_names_the_executor_beside_its_link(
    host: LanguageHost, console: Console, tmp_path: Path
) -> None:
    link = tmp_path / "bin of the CLI" / EXECUTABLE
    link.parent.mkdir()
    link.symlink_to(ensure(host, console).path)

    started = subprocess.run([link, "127.0.0.1:1"], capture_output=True, text=True, check=True)

    assert started.stdout.splitlines() == [
        "-I",
        str(host.entry / "language_host"),
        "--use-executor",
        str(link.parent / "pulumi-language-python-exec"),
        "127.0.0.1:1",
    ]


def test_a_failed_installation_leaves_nothing_to_find(
    cache: Cache, tmp_path: Path, console: Console
) -> None:
    uv = executable(tmp_path / "uv", "echo no route to the index; exit 2")

    with pytest.raises(UserError, match="uv exited with 2: no route to the index"):
        ensure(LanguageHost(cache, uv), console)

    assert LanguageHost(cache, uv).find() is None
