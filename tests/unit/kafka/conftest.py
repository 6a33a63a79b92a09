"""A consumer that tests set."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from tests.unit.kafka.fakes import FakeConsumer, install_consumer


@pytest.fixture
def consumer(monkeypatch: pytest.MonkeyPatch) -> Callable[..., FakeConsumer]:
    """Makes the reader's consumer, from the batches that it hands out."""
    return partial(install_consumer, monkeypatch)
