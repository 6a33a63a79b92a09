"""Connect on loopback, and time that passes without waiting."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest

from tests.unit.connect.scripted import Script, playing


@pytest.fixture(autouse=True)
def no_repeated_requests(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fake cluster answers a repeated request the same."""
    monkeypatch.setattr("mirrorstack.kafka.admin_client.RETRY_FOR_SECONDS", -1)


@pytest.fixture
def connect() -> Iterator[Script]:
    with playing() as script:
        yield script


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The test's own sleeping only moves the clock. The list holds how long each sleep was."""
    slept: list[float] = []
    real, really_sleep, own = time.monotonic, time.sleep, threading.current_thread()

    def sleep(seconds: float) -> None:
        # Other threads of this process, such as the test runner's, must not move the clock.
        (slept.append if threading.current_thread() is own else really_sleep)(seconds)

    monkeypatch.setattr(time, "sleep", sleep)
    monkeypatch.setattr(time, "monotonic", lambda: real() + sum(slept))
    return slept
