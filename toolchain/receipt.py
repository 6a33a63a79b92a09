"""The installed parts of a clone, written by the set-up, so that commands need not search them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

from mirrorstack.findings import UserError
from mirrorstack.local.files import atomic_write
from toolchain.part import InstalledPart


def write(home: Path, parts: Mapping[str, InstalledPart]) -> None:
    home.mkdir(mode=0o700, exist_ok=True)
    content = {key: {**asdict(found), "path": str(found.path)} for key, found in parts.items()}
    with atomic_write(_file(home)) as temporary:
        temporary.write_text(json.dumps(content, indent=2) + "\n")


def read(home: Path) -> dict[str, InstalledPart]:
    """The parts by key (`java`, `pulumi`, …); a UserError if the clone is not set up."""
    try:
        content = json.loads(_file(home).read_text())
        parts = {
            key: InstalledPart(
                Path(part["path"]), part["version"], part.get("origin", ""), part.get("warning", "")
            )
            for key, part in content.items()
        }
    except FileNotFoundError:
        raise UserError(f"this clone is not set up: {_file(home)} does not exist", FIX) from None
    except (ValueError, TypeError, KeyError, AttributeError):
        raise UserError(f"{_file(home)} is not a file that the set-up wrote", FIX) from None
    missing = [f"{key} at {found.path}" for key, found in parts.items() if not found.path.exists()]
    if missing:
        raise UserError(f"installed parts of this clone no longer exist: {', '.join(missing)}", FIX)
    return parts


FIX = "run `make setup`"


def _file(home: Path) -> Path:
    return home / "toolchain.json"
