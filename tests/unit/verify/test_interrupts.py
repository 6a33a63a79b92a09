"""Ctrl-C while Spark starts."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest

from mirrorstack.verify.interrupts import defer_interrupts, exit_on_interrupt


@pytest.fixture(autouse=True)
def _in_the_foreground() -> Iterator[None]:
    """Whether or not whoever runs the tests is."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_an_interrupt_waits_until_what_must_be_whole_has_ended() -> None:
    ended = False

    def work() -> None:
        nonlocal ended
        with defer_interrupts():
            signal.raise_signal(signal.SIGINT)
            ended = True

    with pytest.raises(KeyboardInterrupt):
        work()

    assert ended
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_who_ignores_interrupts_goes_on_ignoring_them() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    with defer_interrupts():
        signal.raise_signal(signal.SIGINT)

    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN


def test_an_interrupt_exits_after_the_clean_up_in_reverse_order() -> None:
    program = """
import os, signal
from mirrorstack.verify.interrupts import exit_on_interrupt, on_interrupt

signal.signal(signal.SIGINT, signal.default_int_handler)
on_interrupt(lambda: os.write(1, b"scratch"))
on_interrupt(lambda: 1 / 0)
on_interrupt(lambda: os.write(1, b"java "))
with exit_on_interrupt():
    try:
        signal.raise_signal(signal.SIGINT)
    finally:
        print("not reached")
"""
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)

    assert ended.returncode == 130
    assert ended.stdout == "java scratch"
    assert ended.stderr == "\nInterrupted; run the command again to resume.\n"


def test_the_previous_handler_is_restored() -> None:
    with exit_on_interrupt():
        pass

    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
