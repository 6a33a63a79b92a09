"""One command at a time works on a sandbox."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager

from mirrorstack.console import Console
from mirrorstack.findings import UserError
from mirrorstack.local.files import private_directory
from mirrorstack.sandbox.layout import Layout

PATIENCE_SECONDS = 120.0
POLL_SECONDS = 0.1


@contextmanager
def exclusive(layout: Layout, console: Console) -> Iterator[None]:
    """Hold the sandbox for one command; wait for the command that holds it now.

    The kernel lets go of the lock when the holder ends, however it ends, so an interrupted
    command never blocks the next one. Started brokers do not inherit it.
    """
    private_directory(layout.all_sandboxes)
    handle = os.open(layout.lock, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
    try:
        if not _try(handle):
            _wait(handle, layout, console)
        yield
    finally:
        os.close(handle)


def _wait(handle: int, layout: Layout, console: Console) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    with console.step(f"waiting for another command on the sandbox {layout.name!r}"):
        while not _try(handle):
            if time.monotonic() > deadline:
                raise UserError(
                    f"another command has been working on the sandbox {layout.name!r} for "
                    f"{PATIENCE_SECONDS:.0f} s (it holds {layout.lock})",
                    "let it end, or interrupt it, and try again",
                )
            time.sleep(POLL_SECONDS)


def _try(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
