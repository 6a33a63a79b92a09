"""A lock between processes, held on a file.

Only the standard library, because the set-up uses it before anything is installed.
"""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path

from mirrorstack.local.polling import poll_until

POLL_SECONDS = 0.1


@contextmanager
def file_lock(
    path: Path,
    *,
    waiting: Callable[[], AbstractContextManager[object]] = nullcontext,
    timeout: float = float("inf"),
    on_timeout: Callable[[], Exception] = TimeoutError,
    inheritable: bool = False,
) -> Iterator[None]:
    """Hold the lock for the block; while another process holds it, wait within `waiting()`.

    The kernel releases the lock when its holder ends, however it ends, so an interrupted command
    never blocks the next one. `inheritable`: child processes hold the lock, too.
    """
    handle = os.open(path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
    try:
        os.set_inheritable(handle, inheritable)
        if not _acquire(handle):
            with waiting():
                poll_until(
                    lambda: _acquire(handle),
                    deadline=time.monotonic() + timeout,
                    on_timeout=on_timeout,
                    interval=POLL_SECONDS,
                )
        yield
    finally:
        os.close(handle)


def _acquire(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
