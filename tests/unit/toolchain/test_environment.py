"""The virtual environment of a clone: when it is up to date, and when it is recreated."""

from __future__ import annotations

import io
import shutil
from pathlib import Path

import pytest

from mirrorstack.console import Console
from mirrorstack.findings import UserError
from tests.unit.toolchain.machine import executable
from toolchain.environment import Environment
from toolchain.part import ensure

CREATES_A_VENV = """
    case "$*" in
        venv*) for last; do :; done; /bin/mkdir -p "$last/bin"; : > "$last/bin/python" ;;
        *sync*--offline) [ -e {cached} ] ;;
        *sync*) [ ! -e {broken} ] || {{ echo "error: the index does not answer"; exit 2; }} ;;
    esac"""


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """While this file exists, the package index does not answer."""
    return tmp_path / "broken"


@pytest.fixture
def cached(tmp_path: Path) -> Path:
    """While this file exists, uv has all packages in its cache."""
    return tmp_path / "cached"


@pytest.fixture
def packages(
    tmp_path: Path, broken: Path, cached: Path, monkeypatch: pytest.MonkeyPatch
) -> Environment:
    monkeypatch.setenv("UV_DEFAULT_INDEX", "not asked")
    clone = tmp_path / "clone"
    clone.mkdir()
    (clone / "requirements.lock").write_text("click==8.1.0\n")
    (clone / "pyproject.toml").write_text("[project]\n")
    uv = executable(tmp_path / "uv", CREATES_A_VENV.format(broken=broken, cached=cached))
    return Environment(clone, uv)


def test_it_is_created_once(packages: Environment, console: Console) -> None:
    assert packages.find() is None
    found = ensure(packages, console)
    assert packages.find() == found


def test_a_second_clone_needs_no_index(
    packages: Environment, console: Console, broken: Path, cached: Path
) -> None:
    broken.touch()
    cached.touch()
    ensure(packages, console)


@pytest.mark.parametrize("file", ["requirements.lock", "pyproject.toml"])
def test_it_is_recreated_when_the_lock_or_the_project_changes(
    packages: Environment, console: Console, file: str
) -> None:
    ensure(packages, console)
    (packages.root / file).write_text("# changed\n")
    assert packages.find() is None


def test_a_copied_clone_does_not_run_the_code_of_the_first(
    packages: Environment, console: Console, tmp_path: Path
) -> None:
    ensure(packages, console)
    shutil.copytree(packages.root, tmp_path / "copy")
    assert Environment(tmp_path / "copy", packages.uv).find() is None


def test_an_interrupted_installation_is_not_used(
    packages: Environment, console: Console, log: io.StringIO, broken: Path
) -> None:
    ensure(packages, console)
    (packages.root / "requirements.lock").write_text("click==8.2.0\n")
    broken.touch()
    with pytest.raises(UserError, match="uv exited with 2: error: the index does not answer"):
        ensure(packages, console)
    (packages.root / "requirements.lock").write_text("click==8.1.0\n")
    assert packages.find() is None, "the packages of the first lock are no longer installed"
    broken.unlink()
    ensure(packages, console)


def test_another_python_gets_its_own_environment(
    packages: Environment, console: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = ensure(packages, console)
    monkeypatch.setenv("MIRRORSTACK_VENV", ".venv-python3.13")
    other = ensure(packages, console)
    assert other.path == packages.root / ".venv-python3.13"
    monkeypatch.delenv("MIRRORSTACK_VENV")
    assert packages.find() == usual, "the usual environment is unchanged"
