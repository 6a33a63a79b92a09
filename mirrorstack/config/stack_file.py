"""Reads stack files without Pulumi, for the command line, peers and the linter.

Password keys are left out. In a deployment Pulumi itself reads the file, and `components.program`
passes its values to the same checks.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from mirrorstack.config.passwords import SUFFIXES
from mirrorstack.config.settings import StackSettings, parse
from mirrorstack.findings import UserError

log = logging.getLogger(__name__)

PROJECT = "mirrorstack"
"""The namespace of keys in this project's stack files. A project that embeds the components has
its own: the name in its Pulumi.yaml."""


def stack_path(stack: str, directory: Path) -> Path:
    return directory / f"Pulumi.{stack}.yaml"


def stack_of(file: Path) -> str:
    """The stack that a file belongs to, by its name; a file with another name stands for itself."""
    return file.name.removeprefix("Pulumi.").removesuffix(".yaml")


def stack_names(directory: Path) -> list[str]:
    """The stacks that have a file in this directory."""
    files = directory.glob("Pulumi.*.yaml")
    return sorted(map(stack_of, files))


@dataclass(frozen=True)
class StackFile:
    """What a stack file contains, not yet checked."""

    namespace: str
    """The project's name, which its keys begin with."""
    values: Mapping[str, Any]
    """By key, without the namespace and without passwords."""


def read_stack(file: Path) -> StackSettings:
    """What a stack file declares."""
    return parse(read_file(file).values, str(file))


def read_file(file: Path) -> StackFile:
    log.info("reading %s", file)
    config = _read_config(file)
    namespace = namespace_of(config)
    if namespace is None:
        raise UserError(
            "declares no flows",
            f"add `{PROJECT}:flows` below `config:`, or give a stack file that has it",
            file=str(file),
        )
    values = {
        key.removeprefix(f"{namespace}:"): value
        for key, value in config.items()
        if key.startswith(f"{namespace}:") and not key.endswith(SUFFIXES)
    }
    return StackFile(namespace, values)


def namespace_of(keys: Iterable[str]) -> str | None:
    """The namespace, among the keys below `config:`, that has flows; else this project's."""
    known = list(keys)
    spaces = [key.removesuffix(":flows") for key in known if key.endswith(":flows")]
    if PROJECT in spaces or any(key.startswith(f"{PROJECT}:") for key in known if not spaces):
        return PROJECT
    return spaces[0] if spaces else None


def _read_config(file: Path) -> dict[str, Any]:
    content = _load(file)
    config = content.get("config", {}) if isinstance(content, dict) else None
    if config is None and isinstance(content, dict):
        config = {}  # `config:` without a value
    if not isinstance(config, dict):
        raise UserError(
            "not a stack file: it must be a mapping, with a mapping below `config:`",
            "give a stack file, such as stacks/Pulumi.dr.yaml",
            file=str(file),
        )
    return {str(key): value for key, value in config.items()}


def _load(file: Path) -> Any:
    text = ""
    try:
        text = file.read_text("utf-8")
        return yaml.safe_load(text)
    except FileNotFoundError:
        raise _missing(file) from None
    except OSError as error:
        reason, fix = error.strerror or str(error), "check the path and its permissions"
        raise UserError(f"cannot be read: {reason}", fix, file=str(file)) from None
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise UserError("not UTF-8", "save it as UTF-8", file=str(file), line=line) from None
    except yaml.reader.ReaderError as error:
        raise UserError(
            f"not valid YAML: the character U+{ord(text[error.position]):04X} is not allowed",
            "remove it",
            file=str(file),
            line=text.count("\n", 0, error.position) + 1,
        ) from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise UserError(
            f"not valid YAML: {error.problem or error.context}",
            "correct the syntax",
            file=str(file),
            line=mark.line + 1 if mark else None,
        ) from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        # A date that does not exist is a ValueError, and so is an integer with too many digits.
        reason = str(error).partition("\n")[0]
        raise UserError(f"not valid YAML: {reason}", "correct the syntax", file=str(file)) from None


def _missing(file: Path) -> UserError:
    stacks = stack_names(file.parent)
    fix = (
        f"use one of the stacks: {', '.join(stacks)}"
        if stacks
        else "correct the path; `pulumi stack init <name>` creates a stack"
    )
    return UserError("no such stack file", fix, file=str(file))
