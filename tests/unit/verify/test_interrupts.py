"""Ctrl-C while Spark starts."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest

from mirrorstack.verify.interrupts import interrupted_later, own_interrupts


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
        with interrupted_later():
            signal.raise_signal(signal.SIGINT)
            ended = True

    with pytest.raises(KeyboardInterrupt):
        work()

    assert ended
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_who_ignores_interrupts_goes_on_ignoring_them() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    with interrupted_later():
        signal.raise_signal(signal.SIGINT)

    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN


def test_a_handler_that_is_put_in_place_meanwhile_does_not_stay() -> None:
    with own_interrupts():
        signal.signal(signal.SIGINT, signal.SIG_IGN)

    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
