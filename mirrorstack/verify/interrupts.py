"""Ctrl-C while Spark is running: one line of output, and no JVM left behind.

An exception in the middle of a Py4J call leaves both processes in an undefined state. So an
interrupt exits the process at once, after the registered clean-up.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType

from mirrorstack.console import EXIT_INTERRUPTED, INTERRUPTED

STDERR = 2
_cleanups: list[Callable[[], object]] = []


def on_interrupt(cleanup: Callable[[], object]) -> None:
    """Registers a clean-up for when an interrupt exits the process; the last registered runs
    first."""
    _cleanups.append(cleanup)


@contextmanager
def exit_on_interrupt() -> Iterator[None]:
    """Within this context, an interrupt exits the process."""
    if not _can_be_interrupted():
        yield
        return

    def end(_signal: int, _frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        # Not with print, which may be what was interrupted. Threads with open Py4J calls print
        # errors when the JVM exits; these are discarded.
        os.write(STDERR, f"{INTERRUPTED}\n".encode())
        os.dup2(os.open(os.devnull, os.O_WRONLY), STDERR)
        for cleanup in reversed(_cleanups):
            with suppress(Exception):
                cleanup()
        os._exit(EXIT_INTERRUPTED)

    before = signal.signal(signal.SIGINT, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def defer_interrupts() -> Iterator[None]:
    """Within this context, interrupts are deferred until its end."""
    if not _can_be_interrupted():
        yield
        return
    interrupted = False

    def read_previous_run(_signal: int, _frame: FrameType | None) -> None:
        nonlocal interrupted
        interrupted = True

    before = signal.signal(signal.SIGINT, read_previous_run)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if interrupted:
            signal.raise_signal(signal.SIGINT)


def _can_be_interrupted() -> bool:
    """Only the main thread receives signals, and background jobs of a shell ignore SIGINT."""
    is_main = threading.current_thread() is threading.main_thread()
    return is_main and signal.getsignal(signal.SIGINT) is not signal.SIG_IGN
