"""The per-user cache: only complete entries, also with interrupted and concurrent set-ups."""

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

    def entry(self, name: str, version: str, *inputs: Path) -> Path:
        """The path of a part: its name, its version and a checksum of all its inputs."""
        digest = hashlib.sha256(version.encode())
        for input_ in inputs:
            files = [input_] if input_.is_file() else sorted(input_.rglob("*.py"))
            for file in files:
                digest.update(file.read_bytes())
        return self.root / f"{name}-{version}-{digest.hexdigest()[:12]}"

    @contextmanager
    def fill(self, entry: Path) -> Iterator[Path | None]:
        """A directory that becomes `entry` when the block succeeds.

        Yields None if another set-up has filled the entry while we waited for its lock. Files of
        an interrupted set-up are still in the directory, so that downloads can resume.
        """
        with self.lock(entry.name):
            if entry.exists():
                yield None
                return
            partial = self.directory(f"{entry.name}.partial")
            with _reporting_errors(self.root, FULL | FORBIDDEN):
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
        with _reporting_errors(self.root):
            path.touch()
        with file_lock(path, waiting=waiting, inheritable=True):
            yield

    def directory(self, name: str) -> Path:
        path = self.root / name
        with _reporting_errors(self.root):
            path.mkdir(parents=True, exist_ok=True)
            if not os.access(path, os.W_OK):
                raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return path


@contextmanager
def _reporting_errors(
    root: Path, errors: set[int] = FULL | FORBIDDEN | NO_DIRECTORY
) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno not in errors:
            raise
        remedy = "free some space" if error.errno in FULL else f"make {root} writable"
        raise UserError(
            f"the cache {root} cannot be written: {error.strerror}; it keeps downloads and builds",
            f"{remedy}, or use another directory: export MIRRORSTACK_CACHE=DIR",
        ) from error


def clear(directory: Path) -> None:
    """Remove the files of an interrupted attempt that cannot resume."""
    for child in directory.iterdir():
        shutil.rmtree(child) if child.is_dir() and not child.is_symlink() else child.unlink()
