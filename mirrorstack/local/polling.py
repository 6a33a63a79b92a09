"""Waiting for a condition until a deadline."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

INTERVAL_SECONDS = 0.5


def poll_until(
    check: Callable[[], T | None],
    *,
    deadline: float,
    on_timeout: Callable[[], Exception],
    interval: float = INTERVAL_SECONDS,
) -> T:
    """The first true result of `check`; raises what `on_timeout` returns after the deadline.

    `deadline` is a value of `time.monotonic()`. `check` is called at least once.
    """
    while True:
        result = check()
        if result:
            return result
        if time.monotonic() >= deadline:
            raise on_timeout()
        time.sleep(interval)
