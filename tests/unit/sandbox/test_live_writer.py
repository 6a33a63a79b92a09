"""Writing at a rate to the mock cluster of librdkafka."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest

from mirrorstack.console import Console
from mirrorstack.findings import UserError
from mirrorstack.kafka.connection import Connection
from mirrorstack.sandbox import live_writer, seed_writer
from mirrorstack.sandbox.live_writer import LiveOutcome, LiveWriter
from mirrorstack.sandbox.names import Cluster, Principal
from mirrorstack.sandbox.sandbox import Sandbox
from mirrorstack.sandbox.seed_topics import CLICKS, ORDERS
from tests.loopback import refused_connections
from tests.unit.sandbox.mock_cluster import MockCluster, plaintext

MOCK_PARTITIONS = range(4)


class SandboxAt(Sandbox):
    """A sandbox whose east has another address."""

    def __init__(self, home: Path, east: Connection) -> None:
        super().__init__("trial", home_directory=home)
        self._east = east

    def connection(self, cluster: Cluster, principal: Principal) -> Connection:
        assert (cluster, principal) == (Cluster.EAST, Principal.APP)
        return self._east


@pytest.fixture
def cluster() -> MockCluster:
    return MockCluster()


@pytest.fixture
def writer(tmp_path: Path, cluster: MockCluster) -> LiveWriter:
    return LiveWriter(SandboxAt(tmp_path, cluster.connection), Console())


def test_numbered_records_alternate_between_the_topics(
    writer: LiveWriter, cluster: MockCluster
) -> None:
    outcome = writer.run(200, 0.5, threading.Event())

    clicks, orders = (cluster.records(topic, MOCK_PARTITIONS) for topic in (CLICKS, ORDERS))
    numbers = [
        sorted(json.loads(message.value() or b"")["live"] for message in messages)
        for messages in (clicks, orders)
    ]
    assert numbers == [list(range(start, outcome.delivered, 2)) for start in (0, 1)]
    assert {message.key() for message in clicks} == {None}
    assert all((message.key() or b"").startswith(b"live-") for message in orders)
    assert outcome.lost == 0


class LateWakeUps(threading.Event):
    """Each pause takes an eighth of a second, whatever was asked for; then it is `now`."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0

    def wait(self, timeout: float | None = None) -> bool:
        self.now += 0.125
        return False


def test_late_wake_ups_do_not_lower_the_rate(
    writer: LiveWriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    stop = LateWakeUps()
    clock = SimpleNamespace(monotonic=lambda: stop.now, time=lambda: 0)
    monkeypatch.setattr(live_writer, "time", clock)

    outcome = writer.run(1000, 0.6, stop)

    assert outcome.delivered == 500, "at the last wake-up half a second is over"


def test_without_a_time_limit_it_writes_until_it_is_stopped(writer: LiveWriter) -> None:
    class StoppedInTheFirstPause(threading.Event):
        def wait(self, timeout: float | None = None) -> bool:
            self.set()
            return True

    outcome = writer.run(50, None, StoppedInTheFirstPause())

    assert outcome.delivered > 0
    assert outcome.lost == 0, "queued records are still written"


def test_a_cluster_that_acknowledges_nothing_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seed_writer, "DELIVERY_TIMEOUT_MS", 100)
    with refused_connections() as url:
        writer = LiveWriter(SandboxAt(tmp_path, plaintext(url.partition("//")[2])), Console())

        with pytest.raises(UserError, match="east acknowledged no records") as raised:
            writer.run(100, 60, threading.Event())

    assert raised.value.fix == "check it: `mirrorstack sandbox status --name trial`"


def test_the_rate_counts_delivered_records_only() -> None:
    assert LiveOutcome(delivered=30, lost=70, seconds=10).rate == 3
    assert LiveOutcome(delivered=0, lost=0, seconds=0).rate == 0
