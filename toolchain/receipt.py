"""What the set-up found or made, remembered per clone, so that every command starts at once."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

from mirrorstack.findings import UserError
from mirrorstack.local.files import atomic_write
from toolchain.part import Found


def write(home: Path, parts: Mapping[str, Found]) -> None:
    home.mkdir(mode=0o700, exist_ok=True)
    content = {key: {**asdict(found), "path": str(found.path)} for key, found in parts.items()}
    with atomic_write(_file(home)) as temporary:
        temporary.write_text(json.dumps(content, indent=2) + "\n")


def read(home: Path) -> dict[str, Found]:
    """The parts by key (`java`, `pulumi`, …); a Problem when the clone was never set up."""
    try:
        content = json.loads(_file(home).read_text())
        parts = {
            key: Found(**{**part, "path": Path(part["path"])}) for key, part in content.items()
        }
    except FileNotFoundError:
        raise UserError(f"This clone is not set up: {_file(home)} is not there.", TYPE) from None
    except (ValueError, TypeError, KeyError, AttributeError):
        raise UserError(f"{_file(home)} is not what the set-up wrote.", TYPE) from None
    gone = [f"{key} at {found.path}" for key, found in parts.items() if not found.path.exists()]
    if gone:
        raise UserError(f"What this clone was set up with is gone: {', '.join(gone)}.", TYPE)
    return parts


TYPE = "type `make setup`"


def _file(home: Path) -> Path:
    return home / "toolchain.json"
