"""Files that nobody else may read: private from their creation, and whole or absent."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path

from mirrorstack.findings import UserError

LEFTOVER_PREFIX = ".tmp-"


def private_directory(path: Path) -> Path:
    """Make a directory, with the parents it needs, that only its owner may enter."""
    try:
        _make(path)
        path.chmod(0o700)
    except OSError as error:
        raise UserError(
            f"the directory {path} cannot be made: {error.strerror}",
            "set MIRRORSTACK_HOME to a directory that you may write to",
        ) from error
    return path


def _make(path: Path) -> None:
    if path.is_dir():
        return
    _make(path.parent)
    path.mkdir(mode=0o700, exist_ok=True)


def write_private(path: Path, text: str) -> None:
    """Put a text in place in one step, so that an interruption leaves the old file or the new."""
    temporary = _temporary(path, text)
    try:
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def write_private_once(path: Path, text: str) -> str:
    """Put a text in place unless there is one; what is there in the end, whoever was first."""
    temporary = _temporary(path, text)
    try:
        with suppress(FileExistsError):
            path.hardlink_to(temporary)
    finally:
        temporary.unlink()
    return path.read_text(encoding="utf-8")


def _temporary(path: Path, text: str) -> Path:
    """`mkstemp` creates with mode 0600: there is no moment at which others could open it."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=LEFTOVER_PREFIX)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    return Path(name)


def remove_leftovers(directory: Path) -> None:
    """Remove what killed writers left behind. Only under the sandbox's lock."""
    for leftover in directory.rglob(f"{LEFTOVER_PREFIX}*"):
        if leftover.is_file():
            leftover.unlink(missing_ok=True)
