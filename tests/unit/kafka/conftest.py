"""A consumer and a clock that tests set."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.unit.kafka.fakes import FakeConsumer, FakeMessage


@pytest.fixture
def consumer(
    monkeypatch: pytest.MonkeyPatch,
) -> Callable[..., FakeConsumer]:
    """Makes the reader's consumer; with nothing more to read, a second passes with each poll."""

    def make(*batches: list[FakeMessage] | Exception) -> FakeConsumer:
        fake = FakeConsumer(batches)
        now = [0.0]

        def clock() -> float:
            now[0] += 0.0 if fake.batches else 1.0
            return now[0]

        monkeypatch.setattr("mirrorstack.kafka.offset_ranges.Consumer", fake)
        monkeypatch.setattr("mirrorstack.kafka.offset_ranges.time.monotonic", clock)
        return fake

    return make
