"""Ctrl-C while Spark is at work: one line, and no Java left behind.

An exception in the middle of whatever Python was telling Java confuses both. So an interrupt ends
the process there and then, after what has to be put away was.
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
_endings: list[Callable[[], object]] = []


def on_interrupt(ending: Callable[[], object]) -> None:
    """What is to be put away when an interrupt ends the process; the last first."""
    _endings.append(ending)


@contextmanager
def exit_on_interrupt() -> Iterator[None]:
    """While this lasts, an interrupt ends the process."""
    if not _can_be_interrupted():
        yield
        return

    def end(_signal: int, _frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        # Not by print: it may be what was interrupted. Threads that still talk to Java complain
        # when it ends, and nobody wants to hear them.
        os.write(STDERR, f"{INTERRUPTED}\n".encode())
        os.dup2(os.open(os.devnull, os.O_WRONLY), STDERR)
        for ending in reversed(_endings):
            with suppress(Exception):
                ending()
        os._exit(EXIT_INTERRUPTED)

    before = signal.signal(signal.SIGINT, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def defer_interrupts() -> Iterator[None]:
    """What must not be left half done: an interrupt comes through when it has ended."""
    if not _can_be_interrupted():
        yield
        return
    asked = False

    def read_previous_run(_signal: int, _frame: FrameType | None) -> None:
        nonlocal asked
        asked = True

    before = signal.signal(signal.SIGINT, read_previous_run)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if asked:
            signal.raise_signal(signal.SIGINT)


def _can_be_interrupted() -> bool:
    """Interrupts come to the main thread alone, and not to what a shell runs in the background."""
    is_main = threading.current_thread() is threading.main_thread()
    return is_main and signal.getsignal(signal.SIGINT) is not signal.SIG_IGN
