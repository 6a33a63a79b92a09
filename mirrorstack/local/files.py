"""Atomic writes, and files that only their owner may read.

Only the standard library, because the set-up uses it before anything is installed.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from mirrorstack.findings import UserError

LEFTOVER_PREFIX = ".tmp-"
PRIVATE = 0o600


def private_directory(path: Path) -> Path:
    """Create a directory, and missing parents, that only its owner may enter."""
    try:
        _make(path)
        path.chmod(0o700)
    except OSError as error:
        raise UserError(
            f"the directory {path} cannot be created: {error.strerror}",
            "set MIRRORSTACK_HOME to a directory that you may write to",
        ) from error
    return path


def _make(path: Path) -> None:
    if path.is_dir():
        return
    _make(path.parent)
    path.mkdir(mode=0o700, exist_ok=True)


@contextmanager
def atomic_write(path: Path, *, mode: int = 0o666) -> Iterator[Path]:
    """A path to write to; it replaces `path` in one step when the block ends.

    A reader sees the old file or the new one, and an interruption leaves the old one. The file
    is created with its mode: there is no moment at which others could open a private one.
    """
    temporary = path.with_name(f"{LEFTOVER_PREFIX}{os.getpid()}-{secrets.token_hex(4)}")
    os.close(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode))
    try:
        yield temporary
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def write_private(path: Path, text: str) -> None:
    """Write or replace a file that only its owner may read."""
    with atomic_write(path, mode=PRIVATE) as temporary:
        temporary.write_text(text, encoding="utf-8")


def write_private_once(path: Path, text: str) -> str:
    """Write the file unless it exists; returns its content, whichever writer was first."""
    with suppress(FileExistsError), atomic_write(path, mode=PRIVATE) as temporary:
        temporary.write_text(text, encoding="utf-8")
        # A hard link, unlike a rename, fails where the file exists. Renaming one name of a file
        # to another name of the same file then changes nothing.
        path.hardlink_to(temporary)
    return path.read_text(encoding="utf-8")


def remove_leftovers(directory: Path) -> None:
    """Remove the temporary files of killed writers. Only while no other writer runs."""
    for leftover in directory.rglob(f"{LEFTOVER_PREFIX}*"):
        if leftover.is_file():
            leftover.unlink(missing_ok=True)
