"""Waiting for a condition until a deadline."""

from __future__ import annotations

import time

import pytest

from mirrorstack.local.polling import poll_until


def test_the_first_true_result_is_returned(clock: list[float]) -> None:
    results = iter(["", "", "ready"])

    found = poll_until(
        lambda: next(results), deadline=time.monotonic() + 60, on_timeout=TimeoutError
    )

    assert found == "ready"
    assert len(clock) == 2


def test_after_the_deadline_the_given_error_is_raised(clock: list[float]) -> None:
    with pytest.raises(TimeoutError, match="not ready"):
        poll_until(
            lambda: False,
            deadline=time.monotonic() + 3,
            interval=1,
            on_timeout=lambda: TimeoutError("not ready"),
        )

    assert 3 <= sum(clock) <= 4


def test_the_condition_is_checked_once_even_when_the_deadline_is_over() -> None:
    assert poll_until(lambda: True, deadline=0, on_timeout=TimeoutError)
