"""Ctrl-C while Spark starts."""

from __future__ import annotations

import signal

import pytest

from mirrorstack.verify.interrupts import interrupted_later, own_interrupts


def test_an_interrupt_waits_until_what_must_be_whole_has_ended() -> None:
    ended = False

    def work() -> None:
        nonlocal ended
        with interrupted_later():
            signal.raise_signal(signal.SIGINT)
            ended = True

    with pytest.raises(KeyboardInterrupt):
        work()

    assert ended
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_handler_that_is_put_in_place_meanwhile_does_not_stay() -> None:
    with own_interrupts():
        signal.signal(signal.SIGINT, signal.SIG_IGN)

    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
