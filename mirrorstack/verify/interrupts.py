"""Ctrl-C while Spark is at work: one interrupt, once, and no Java left behind.

Spark puts a handler of its own in place, which talks to Java in the middle of whatever Python was
telling it.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def interrupted_later() -> Iterator[None]:
    """What must not be left half done: an interrupt comes through when it has ended."""
    if not _can_be_interrupted():
        yield
        return
    asked = False

    def remember(_signal: int, _frame: FrameType | None) -> None:
        nonlocal asked
        asked = True

    before = signal.signal(signal.SIGINT, remember)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if asked:
        raise KeyboardInterrupt


@contextmanager
def own_interrupts() -> Iterator[None]:
    """Whatever handler is put in place meanwhile, the one from before is what stays."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGINT)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _can_be_interrupted() -> bool:
    """Interrupts come to the main thread alone, and not to what a shell runs in the background."""
    is_main = threading.current_thread() is threading.main_thread()
    return is_main and signal.getsignal(signal.SIGINT) is not signal.SIG_IGN
