"""The Python interpreter of a program, from its runtime options."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.unit.toolchain.fallback.language_host.host import in_this_environment, program
from toolchain.fallback.language_host.environment import Environment, HostError


class TestInterpreter:
    def test_a_relative_virtualenv_is_under_the_project_not_the_program(
        self, tmp_path: Path
    ) -> None:
        chosen = Environment.of(program(tmp_path, "src", virtualenv="venv"))
        assert chosen.virtualenv == tmp_path / "venv"

    def test_an_absolute_virtualenv_is_used_unchanged(self, tmp_path: Path) -> None:
        chosen = Environment.of(in_this_environment(tmp_path))
        assert chosen.python == f"{sys.prefix}/bin/python"

    def test_the_environment_of_uv_is_next_to_the_nearest_lock_file(self, tmp_path: Path) -> None:
        (tmp_path / "uv.lock").touch()
        chosen = Environment.of(program(tmp_path, "a/b"))
        assert chosen.virtualenv == tmp_path / ".venv", "uv.lock alone selects uv"
        assert chosen.uses_uv

    def test_the_toolchain_pip_ignores_a_lock_file_of_uv(self, tmp_path: Path) -> None:
        (tmp_path / "uv.lock").touch()
        chosen = Environment.of(program(tmp_path, toolchain="pip"))
        assert chosen.virtualenv is None
        assert not chosen.uses_uv

    def test_without_a_lock_file_the_environment_of_uv_is_next_to_pyproject(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "pyproject.toml").touch()
        info = program(tmp_path, "src", toolchain="uv")
        assert Environment.of(info).virtualenv == tmp_path / ".venv"
        monkeypatch.setenv("UV_PROJECT_ENVIRONMENT", "elsewhere")
        assert Environment.of(info).virtualenv == tmp_path / "elsewhere"

    def test_without_options_pulumi_python_cmd_precedes_path(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("PULUMI_PYTHON_CMD", sys.executable)
        assert Environment.of(program(tmp_path)).python == sys.executable
        monkeypatch.setenv("PULUMI_PYTHON_CMD", "python-not-installed")
        with pytest.raises(HostError, match="PULUMI_PYTHON_CMD is python-not-installed"):
            _ = Environment.of(program(tmp_path)).python

    def test_a_missing_virtualenv_is_an_error_with_path_option_file_and_fix(
        self, tmp_path: Path
    ) -> None:
        info = program(tmp_path, virtualenv="venv")
        with pytest.raises(HostError) as problem:
            _ = Environment.of(info, "PulumiPolicy.yaml").python
        message = str(problem.value)
        assert f"{tmp_path}/venv does not exist" in message
        assert "`virtualenv: venv` in PulumiPolicy.yaml" in message
        assert f"`python3 -m venv {tmp_path}/venv`" in message
        assert "`pulumi install`" in message

    def test_a_directory_without_an_interpreter_is_not_a_virtualenv(self, tmp_path: Path) -> None:
        (tmp_path / "venv").mkdir()
        with pytest.raises(HostError, match="is not a virtual environment"):
            _ = Environment.of(program(tmp_path, virtualenv="venv")).python

    def test_an_unsupported_toolchain_is_an_error(self, tmp_path: Path) -> None:
        with pytest.raises(HostError, match=r"`toolchain: poetry` in Pulumi.yaml is not supported"):
            Environment.of(program(tmp_path, toolchain="poetry"))

    def test_the_program_gets_the_variables_of_an_activated_environment(
        self, tmp_path: Path
    ) -> None:
        chosen = Environment.of(program(tmp_path, virtualenv="venv"))
        variables = chosen.activated({"PATH": "/bin", "PYTHONHOME": "/x", "VIRTUAL_ENV": "/y"})
        assert variables == {"PATH": f"{tmp_path}/venv/bin:/bin", "VIRTUAL_ENV": f"{tmp_path}/venv"}
