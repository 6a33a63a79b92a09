"""The Python interpreter of a program, from its runtime options as in the official host."""

from __future__ import annotations

import inspect
import json
import os
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from google.protobuf import json_format  # type: ignore[import-untyped]
from pulumi.runtime.proto import language_pb2

from . import probe

TOOLCHAINS = ("", "auto", "pip", "uv")
TYPE_CHECKERS = ("", "none", "mypy", "pyright")


class HostError(Exception):
    """Why a program cannot run, and the fix; the CLI prints it."""


@dataclass(frozen=True, kw_only=True)
class Environment:
    """The Python environment of one program, plugin or policy pack."""

    program: Path
    virtualenv: Path | None
    uses_uv: bool
    type_checker: str
    declared_as: str  # the option that selects the virtualenv, for messages

    @classmethod
    def of(cls, info: language_pb2.ProgramInfo, declared_in: str = "Pulumi.yaml") -> Environment:
        options = json_format.MessageToDict(info.options)
        virtualenv = str(options.get("virtualenv") or "")
        toolchain = _option(TOOLCHAINS, "toolchain", options, declared_in)
        type_checker = _option(TYPE_CHECKERS, "typechecker", options, declared_in)

        program = Path(info.program_directory)
        lock = _nearest("uv.lock", program)
        uses_uv = toolchain == "uv" or (toolchain in ("", "auto") and lock is not None)
        declared_as = f"virtualenv: {virtualenv}"
        if virtualenv:
            chosen = Path(info.root_directory) / virtualenv
        elif uses_uv:
            anchor = lock or _nearest("pyproject.toml", program)
            project = anchor.parent if anchor else program
            chosen = project / (os.environ.get("UV_PROJECT_ENVIRONMENT") or ".venv")
            declared_as = "toolchain: uv"
        else:
            chosen = None
        return cls(
            program=program,
            virtualenv=chosen,
            uses_uv=uses_uv,
            type_checker="" if type_checker == "none" else type_checker,
            declared_as=f"`{declared_as}` in {declared_in}",
        )

    @property
    def python(self) -> str:
        """The path of the interpreter; HostError if there is none."""
        if self.virtualenv is None:
            return default_python()
        if self.is_installed:
            return str(self.virtualenv / "bin" / "python")
        problem = "is not a virtual environment" if self.virtualenv.exists() else "does not exist"
        create = (
            f"`uv sync` in {self.program}"
            if self.uses_uv
            else f"`python3 -m venv {self.virtualenv}` and install the dependencies into it"
        )
        raise HostError(
            f"The Python environment {self.virtualenv} {problem} ({self.declared_as}). "
            f"Create it with {create}, or run `pulumi install` in {self.program}."
        )

    @property
    def is_installed(self) -> bool:
        return self.virtualenv is None or (self.virtualenv / "bin" / "python").is_file()

    def activated(self, environ: Mapping[str, str]) -> dict[str, str]:
        """The environment after `source bin/activate`, for programs that start python or pip."""
        if self.virtualenv is None:
            return dict(environ)
        activated = {key: value for key, value in environ.items() if key != "PYTHONHOME"}
        search = [str(self.virtualenv / "bin"), *filter(None, [environ.get("PATH")])]
        activated |= {"PATH": os.pathsep.join(search), "VIRTUAL_ENV": str(self.virtualenv)}
        if self.uses_uv:  # uv uses its own .venv even if another one is activated
            activated["UV_PROJECT_ENVIRONMENT"] = str(self.virtualenv)
        return activated

    def query(self, name: str) -> Any:
        """Query the program's interpreter; see probe.main for the names of the queries."""
        ended = subprocess.run(
            [self.python, "-c", inspect.getsource(probe), name],
            cwd=self.program,
            env=self.activated(os.environ),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )
        if ended.returncode:
            raise HostError(f"{self.python} failed:\n{ended.stderr.strip()}")
        return json.loads(ended.stdout)


def default_python() -> str:
    configured = os.environ.get("PULUMI_PYTHON_CMD")
    for command in [configured] if configured else ["python3", "python"]:
        if found := shutil.which(command):
            return found
    if configured:
        raise HostError(f"PULUMI_PYTHON_CMD is {configured}, which is not on PATH.")
    raise HostError(
        "Neither python3 nor python is on PATH: install Python, or set PULUMI_PYTHON_CMD."
    )


def _option(
    supported: tuple[str, ...], option: str, options: Mapping[str, Any], declared_in: str
) -> str:
    value = str(options.get(option) or "").lower()
    if value not in supported:
        raise HostError(
            f"`{option}: {value}` in {declared_in} is not supported by this language host; "
            f"supported: {', '.join(filter(None, supported))}."
        )
    return value


def _nearest(name: str, directory: Path) -> Path | None:
    """The file in the directory or the closest one above it."""
    return next((d / name for d in (directory, *directory.parents) if (d / name).is_file()), None)
