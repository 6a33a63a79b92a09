"""Waiting for a condition until a deadline."""

from __future__ import annotations

import time

import pytest

from mirrorstack.local.polling import poll_until


def test_the_first_true_result_is_returned() -> None:
    results = iter([0, "", "done", "later"])
    found = poll_until(
        lambda: next(results),
        deadline=time.monotonic() + 60,
        on_timeout=TimeoutError,
        interval=0,
    )
    assert found == "done"


def test_the_check_runs_once_even_after_the_deadline() -> None:
    assert poll_until(lambda: 1, deadline=time.monotonic() - 1, on_timeout=TimeoutError) == 1


def test_after_the_deadline_the_given_error_is_raised() -> None:
    with pytest.raises(ValueError, match="too late"):
        poll_until(
            lambda: None, deadline=time.monotonic(), on_timeout=lambda: ValueError("too late")
        )
