"""Connect on loopback, and time that passes without waiting."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from tests.unit.connect.scripted import Script, playing


@pytest.fixture
def connect() -> Iterator[Script]:
    with playing() as script:
        yield script


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Sleeping only moves the clock. The list holds how long each sleep was."""
    slept: list[float] = []
    real = time.monotonic
    monkeypatch.setattr(time, "sleep", slept.append)
    monkeypatch.setattr(time, "monotonic", lambda: real() + sum(slept))
    return slept
