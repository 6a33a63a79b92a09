"""A stack file as plain YAML, without Pulumi: what it declares, and none of its passwords."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from mirrorstack.config.passwords import SUFFIX
from mirrorstack.config.settings import StackSettings, parse
from mirrorstack.findings import UserError


def read_stack(
    file: Path,
    *,
    named_by: str = "",
    fix: str = "give a stack file, such as stacks/Pulumi.dr.yaml",
) -> StackSettings:
    """`named_by` begins the message about a file that cannot be read: who wanted it."""
    try:
        content = yaml.safe_load(file.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no YAML"
        raise UserError(f"{named_by}{file} cannot be read: {reason}.", fix) from None
    return parse(_own_keys(content, file), str(file))


def _own_keys(content: Any, file: Path) -> dict[str, Any]:
    """What stands below `config:` in the namespace that has flows, without passwords."""
    below = content.get("config") if isinstance(content, dict) else None
    config: dict[str, Any] = below if isinstance(below, dict) else {}
    spaces = [key.partition(":")[0] for key in config if key.endswith(":flows")]
    if not spaces:
        raise UserError(
            f"{file} declares no flows.",
            "name the file of a stack that has `mirrorstack:flows` below `config:`",
        )
    return {
        key.partition(":")[2]: value
        for key, value in config.items()
        if key.startswith(f"{spaces[0]}:") and not key.endswith(SUFFIX)
    }
