"""The per-user cache: whole entries or none, whatever interrupts and however many set-ups run."""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path

from mirrorstack.findings import UserError
from mirrorstack.local.lock import file_lock

FULL = {errno.ENOSPC, errno.EDQUOT}
FORBIDDEN = {errno.EACCES, errno.EPERM, errno.EROFS}
NO_DIRECTORY = {errno.ENOENT, errno.ENOTDIR, errno.EEXIST}


@dataclass(frozen=True)
class Cache:
    """A directory of entries. An entry that exists is complete: it arrives by one rename."""

    root: Path

    @classmethod
    def of_user(cls, environ: Mapping[str, str] = os.environ) -> Cache:
        if chosen := environ.get("MIRRORSTACK_CACHE"):
            return cls(Path(chosen).expanduser().absolute())
        base = environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser()
        return cls(Path(base) / "mirrorstack")

    def entry(self, name: str, version: str, *ingredients: Path) -> Path:
        """Where a part lives: its name, its version and a checksum of all that it is made from."""
        digest = hashlib.sha256(version.encode())
        for ingredient in ingredients:
            files = [ingredient] if ingredient.is_file() else sorted(ingredient.rglob("*.py"))
            for file in files:
                digest.update(file.read_bytes())
        return self.root / f"{name}-{version}-{digest.hexdigest()[:12]}"

    @contextmanager
    def filling(self, entry: Path) -> Iterator[Path | None]:
        """A directory to fill that becomes `entry` when the block ends well.

        Yields None when another set-up filled the entry while we waited for its lock. What an
        interrupted set-up left in the directory is still there, so that downloads can be resumed.
        """
        with self.lock(entry.name):
            if entry.exists():
                yield None
                return
            partial = self.directory(f"{entry.name}.partial")
            with _naming_the_cache(self.root, FULL | FORBIDDEN):
                yield partial
                partial.rename(entry)

    @contextmanager
    def lock(
        self, name: str, waiting: Callable[[], AbstractContextManager[object]] = nullcontext
    ) -> Iterator[None]:
        """Held by one process at a time.

        The tools that `command.run` starts inherit it: one that outlives a killed set-up still
        writes to the locked entry.
        """
        path = self.directory("locks") / f"{name}.lock"
        with _naming_the_cache(self.root):
            path.touch()
        with file_lock(path, waiting=waiting, inheritable=True):
            yield

    def directory(self, name: str) -> Path:
        path = self.root / name
        with _naming_the_cache(self.root):
            path.mkdir(parents=True, exist_ok=True)
            if not os.access(path, os.W_OK):
                raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return path


@contextmanager
def _naming_the_cache(
    root: Path, troubles: set[int] = FULL | FORBIDDEN | NO_DIRECTORY
) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno not in troubles:
            raise
        change = "free some space" if error.errno in FULL else f"make {root} writable"
        raise UserError(
            f"The cache {root} cannot be written: {error.strerror}; "
            "what is downloaded and built is kept there.",
            f"{change}, or name another directory: export MIRRORSTACK_CACHE=DIR",
        ) from error


def empty(directory: Path) -> None:
    """Remove what an earlier, interrupted attempt left, where resuming is no use."""
    for child in directory.iterdir():
        shutil.rmtree(child) if child.is_dir() and not child.is_symlink() else child.unlink()
