"""Writing at a steady rate, to watch replication."""

from __future__ import annotations

import json
import threading
import time
from dataclasses import dataclass

from confluent_kafka import KafkaError, Message, Producer

from mirrorstack.console import Console
from mirrorstack.findings import UserError
from mirrorstack.sandbox.names import Cluster, Principal, command
from mirrorstack.sandbox.sandbox import Sandbox
from mirrorstack.sandbox.seed_topics import CLICKS, ORDERS
from mirrorstack.sandbox.seed_writer import DELIVERY_TIMEOUT_MS, producer_config

SHORTEST_PAUSE = 0.01
FLUSH_SECONDS = 10.0


@dataclass(frozen=True)
class LiveOutcome:
    delivered: int
    lost: int
    """Written, but not acknowledged by a broker when the writer ended."""
    seconds: float

    @property
    def rate(self) -> float:
        return self.delivered / self.seconds if self.seconds else 0.0


class LiveWriter:
    """Alternates between `orders` and `clicks`; the records are numbered, to show gaps."""

    def __init__(self, sandbox: Sandbox, console: Console) -> None:
        self._name = sandbox.layout.name
        self._console = console
        app = sandbox.connection(Cluster.EAST, Principal.APP)
        self._producer = Producer(producer_config(app))
        self._delivered = 0
        self._error: KafkaError | None = None

    def run(self, rate: int, seconds: float | None, stop: threading.Event) -> LiveOutcome:
        """Write `rate` records a second until `stop` is set or the seconds are over.

        The number of records due is computed from the time since the start, not from the last
        pause, so that late wake-ups do not add up.
        """
        began = time.monotonic()
        run_id = int(time.time())
        sent = 0
        pause = max(1 / rate, SHORTEST_PAUSE)
        with self._console.step(f"writing {rate:,} records/s to {ORDERS} and {CLICKS}") as step:
            while not stop.is_set():
                elapsed = time.monotonic() - began
                if seconds is not None and elapsed >= seconds:
                    break
                while sent < elapsed * rate and self._send(run_id, sent, stop):
                    sent += 1
                self._producer.poll(0)
                self._raise_error()
                step.progress(f"{self._delivered / max(elapsed, 1):,.0f}/s, {self._delivered:,}")
                stop.wait(max(0.0, min(pause, sent / rate - (time.monotonic() - began))))
            length = time.monotonic() - began
            self._producer.flush(FLUSH_SECONDS)
            outcome = LiveOutcome(self._delivered, sent - self._delivered, length)
            step.done(f"{outcome.delivered:,} records, {outcome.rate:,.1f}/s")
        return outcome

    def _send(self, run_id: int, number: int, stop: threading.Event) -> bool:
        """Queue one record, waiting while the queue is full; False if `stop` is set."""
        topic, key = (ORDERS, f"live-{number % 100}".encode()) if number % 2 else (CLICKS, None)
        value = json.dumps({"live": number, "run": run_id}).encode()
        while not stop.is_set():
            try:
                self._producer.produce(topic, value, key, on_delivery=self._on_delivery)
            except BufferError:
                self._producer.poll(0.1)
                self._raise_error()
            else:
                return True
        return False

    def _on_delivery(self, error: KafkaError | None, _message: Message) -> None:
        if error:
            self._error = error
        else:
            self._delivered += 1

    def _raise_error(self) -> None:
        if self._error:
            raise UserError(
                f"east acknowledged no records for {DELIVERY_TIMEOUT_MS // 1000} s: "
                f"{self._error.str()}",
                f"check it: `{command('status', self._name)}`",
            )
