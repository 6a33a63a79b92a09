"""Which Python runs a program, chosen from its runtime options as the official host does."""

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


class Unusable(Exception):  # noqa: N818 - shown to a person at the CLI, not handled
    """What keeps a program from running, and what to type."""


@dataclass(frozen=True, kw_only=True)
class Environment:
    """The Python of one program, plugin or policy pack."""

    program: Path
    virtualenv: Path | None
    uses_uv: bool
    type_checker: str
    declared_as: str  # where the virtualenv comes from, for messages

    @classmethod
    def of(cls, info: language_pb2.ProgramInfo, declared_in: str = "Pulumi.yaml") -> Environment:
        options = json_format.MessageToDict(info.options)
        virtualenv = str(options.get("virtualenv") or "")
        toolchain = _one_of(TOOLCHAINS, "toolchain", options, declared_in)
        type_checker = _one_of(TYPE_CHECKERS, "typechecker", options, declared_in)

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
        """The interpreter's path; Unusable where there is none."""
        if self.virtualenv is None:
            return ambient_python()
        if self.is_installed:
            return str(self.virtualenv / "bin" / "python")
        problem = "is not a virtual environment" if self.virtualenv.exists() else "does not exist"
        create = (
            f"`uv sync` in {self.program}"
            if self.uses_uv
            else f"`python3 -m venv {self.virtualenv}` and install the dependencies into it"
        )
        raise Unusable(
            f"The Python environment {self.virtualenv} {problem} ({self.declared_as}). "
            f"Create it with {create}, or run `pulumi install` in {self.program}."
        )

    @property
    def is_installed(self) -> bool:
        return self.virtualenv is None or (self.virtualenv / "bin" / "python").is_file()

    def activated(self, environ: Mapping[str, str]) -> dict[str, str]:
        """The variables as after `source bin/activate`, for programs that start python or pip."""
        if self.virtualenv is None:
            return dict(environ)
        activated = {key: value for key, value in environ.items() if key != "PYTHONHOME"}
        search = [str(self.virtualenv / "bin"), *filter(None, [environ.get("PATH")])]
        activated |= {"PATH": os.pathsep.join(search), "VIRTUAL_ENV": str(self.virtualenv)}
        if self.uses_uv:  # which looks for its own .venv whatever is activated
            activated["UV_PROJECT_ENVIRONMENT"] = str(self.virtualenv)
        return activated

    def ask(self, question: str) -> Any:
        """What the program's interpreter says about itself; see probe.main for the questions."""
        asked = subprocess.run(
            [self.python, "-c", inspect.getsource(probe), question],
            cwd=self.program,
            env=self.activated(os.environ),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )
        if asked.returncode:
            raise Unusable(f"{self.python} does not run:\n{asked.stderr.strip()}")
        return json.loads(asked.stdout)


def ambient_python() -> str:
    wanted = os.environ.get("PULUMI_PYTHON_CMD")
    for command in [wanted] if wanted else ["python3", "python"]:
        if found := shutil.which(command):
            return found
    if wanted:
        raise Unusable(f"PULUMI_PYTHON_CMD names {wanted}, which is not on PATH.")
    raise Unusable(
        "Neither python3 nor python is on PATH: install Python, or set PULUMI_PYTHON_CMD."
    )


def _one_of(
    known: tuple[str, ...], option: str, options: Mapping[str, Any], declared_in: str
) -> str:
    value = str(options.get(option) or "").lower()
    if value not in known:
        raise Unusable(
            f"`{option}: {value}` in {declared_in} is not supported by this language host, which "
            f"knows {', '.join(filter(None, known))}."
        )
    return value


def _nearest(name: str, directory: Path) -> Path | None:
    """The file in the directory or the closest one above it."""
    return next((d / name for d in (directory, *directory.parents) if (d / name).is_file()), None)
