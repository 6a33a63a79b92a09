"""The cost of a verification: `python -m bench.verify`, on an idle machine.

Measured in a sandbox of its own: the records per second compared with one confluent-kafka consumer
that computes the same digests in Python; whether time is linear in records and memory constant;
what stage two adds when ten records differ; and the cost of many partitions. For the first two the
best of several runs counts, for the consumer as for Spark.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import struct
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import psutil
from confluent_kafka import Consumer, Message, TopicPartition

from bench.copies import PARTITIONS, Copy, write_all
from mirrorstack.config.settings import StackSettings, parse
from mirrorstack.console import Console
from mirrorstack.kafka.connection import Connection
from mirrorstack.planning.clusters import StackClusters
from mirrorstack.planning.connections import stack_connections
from mirrorstack.runtimes.installed import installed_kafka
from mirrorstack.sandbox.connection import connection
from mirrorstack.sandbox.names import Cluster, Principal
from mirrorstack.sandbox.sandbox import Sandbox
from mirrorstack.sandbox.settings import SandboxOptions

TOPIC, SPREAD, WARMING, TEN = "measured", "spread", "warming", 10
MILLION, TURNS = 1_000_000, 2
WIDTH, MASK = 16_384, (1 << 64) - 1
FLOWS = {"equal": "east", "different": "altered"}
"""The source alias of each comparison, which prefixes its target topics."""


@dataclass(frozen=True)
class Measurement:
    records: int
    """On the source; as many are read on the target."""
    seconds: float
    peak_mb: int
    """Of Spark's JVM."""
    differing: int
    second_stage: float
    """How many of the seconds stage two took."""

    @property
    def rate(self) -> float:
        """Of both sides."""
        return 2 * self.records / self.seconds


def settings(source: str, *topics: str) -> StackSettings:
    clusters = {
        source: {"sandbox": "bench", "cluster": "east"},
        "west": {"sandbox": "bench"},
    }
    flow = {"from": source, "to": "west", "topics": list(topics), "heartbeats": False}
    return parse({"clusters": clusters, "flows": [flow]}, "bench")


def measure(source: str, topic: str) -> Measurement:
    """In this process, after a warm-up with a million records, so that the JVM's start is not
    measured."""
    from mirrorstack.verify.compare import comparison, small_diff
    from mirrorstack.verify.reading.session import session
    from mirrorstack.verify.verification import VerifyOptions, verify

    second_stage = 0.0

    def timed(*args: Any) -> Any:
        # Two complete runs differ by more than stage two takes, so it is measured by itself.
        nonlocal second_stage
        began = time.monotonic()
        result = small_diff.diff_few_records(*args)
        second_stage += time.monotonic() - began
        return result

    def run(*topics: str) -> Any:
        declared = settings(source, *topics)
        clusters = StackClusters(declared, stack_connections(declared, sandbox=connection))
        return verify(spark, declared, clusters, "bench", VerifyOptions(5), Console())

    with session() as spark, patch.object(comparison, "diff_few_records", timed):
        run(WARMING)
        with PeakMemory() as peak:
            report = run(topic)
    partitions = report.flows[0].topics[0].partitions
    return Measurement(
        sum(each.source_records for each in partitions),
        report.seconds,
        peak.mb,
        sum(sum(each.counts.values()) for each in partitions),
        second_stage,
    )


class PeakMemory:
    """The peak memory of all child processes, sampled."""

    mb = 0

    def __enter__(self) -> PeakMemory:
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._look)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def _look(self) -> None:
        below = psutil.Process().children(recursive=True)
        while not self._ended.wait(0.2):
            held = sum(each.memory_info().rss for each in below if each.is_running())
            self.mb = max(self.mb, held >> 20)


def consumer_rate(connection: Connection, records: int) -> float:
    """Records per second of one plain consumer that computes the same digests."""
    consumer = Consumer(
        connection.client_config()
        | {
            "group.id": "bench",
            "isolation.level": "read_committed",
            "enable.auto.commit": False,
            "fetch.queue.backoff.ms": 10,
            "log_level": 0,
        }
    )
    consumer.assign([TopicPartition(TOPIC, number, 0) for number in range(PARTITIONS)])
    digests: dict[tuple[str | None, int, int], list[int]] = {}
    positions = [0] * PARTITIONS
    seen = 0
    began = time.monotonic()
    while seen < records:
        for message in consumer.consume(10_000, timeout=5):
            _add(digests, positions, message)
            seen += 1
    took = time.monotonic() - began
    consumer.close()
    return seen / took


def _add(
    digests: dict[tuple[str | None, int, int], list[int]], positions: list[int], message: Message
) -> None:
    """The digest of stage one: see `verify.compare.buckets`."""
    partition, stamp, offset = message.partition() or 0, message.timestamp()[1], message.offset()
    whole = hashlib.md5(usedforsecurity=False)  # the fastest 128 bits that the library has
    whole.update(message.key() or b"")
    whole.update(message.value() or b"")
    whole.update(repr(message.headers()).encode())
    whole.update(b"%d %d" % (stamp, partition))
    low, high = struct.unpack("<QQ", whole.digest())
    position = positions[partition]
    positions[partition] += 1
    held = digests.setdefault(
        (message.topic(), partition, stamp // WIDTH), [0, 0, 0, 0, 0, offset or 0, 0, 0]
    )
    held[0] += 1
    held[1] = (held[1] + low) & MASK
    held[2] = (held[2] + high) & MASK
    held[3] += position
    held[4] = (held[4] + low * position) & MASK
    held[6] = offset or 0
    held[7] = max(held[7], stamp)


def measure_in_process(source: str, topic: str = TOPIC) -> Measurement:
    """In a process of its own, so that runs do not influence each other."""
    os.sync()  # so that pending writes are not measured
    command = [sys.executable, "-m", "bench.verify", "--measure", source, topic]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    took = Measurement(**json.loads(done.stdout.splitlines()[-1]))
    _print(took)
    return took


def best_of_runs(source: str) -> Measurement:
    """The shortest run, with the peak memory of all of them."""
    turns = [measure_in_process(source) for _ in range(TURNS)]
    shortest = min(turns, key=lambda each: each.seconds)
    return replace(shortest, peak_mb=max(each.peak_mb for each in turns))


def compare(sizes: list[int], differing_at: int, partitions: int) -> None:
    sandbox = Sandbox("bench")
    # Brokers tuned for throughput as in production, not for a fast start.
    runtime = installed_kafka().for_throughput()
    sandbox.up(runtime, SandboxOptions(east_port=0, west_port=0))
    try:
        _measure_all(sandbox, sizes, differing_at)
        _measure_spread(sandbox, sizes[-1], partitions)
    finally:
        sandbox.down(delete=True)


def _measure_all(sandbox: Sandbox, sizes: list[int], differing_at: int) -> None:
    east, west = (sandbox.connection(each, Principal.ADMIN) for each in Cluster)
    ten = frozenset(range(differing_at // 20, differing_at, differing_at // TEN))
    equal = [Copy(east, TOPIC), Copy(west, f"{FLOWS['equal']}.{TOPIC}")]
    different = Copy(west, f"{FLOWS['different']}.{TOPIC}", ten)
    for copy in (*equal, different):
        copy.make()
    for name in (WARMING, *(f"{alias}.{WARMING}" for alias in FLOWS.values())):
        small = Copy(east if name == WARMING else west, name)
        small.make()
        small.write(0, MILLION)
    held = 0
    measured: list[Measurement] = []
    alone: list[float] = []
    for size in sizes:
        write_all(equal, held, size)
        held = size
        measured.append(best_of_runs(FLOWS["equal"]))
        alone.append(consumer_rate(east, min(held, 3 * MILLION)))
        print(f"one consumer in Python: {alone[-1]:,.0f} records/s", flush=True)
        if size == differing_at:
            different.write(0, size)
            other = measure_in_process(FLOWS["different"])
            extra = other.second_stage / (other.seconds - other.second_stage)
            print(
                f"stage two, {TEN} of {size:,} differ: {other.second_stage:.2f} s, {extra:.1%} of "
                "stage one",
                flush=True,
            )
    print("best of all runs:", flush=True)
    for each in measured:
        _print(each)
        print(f"{'':>12} {each.rate / max(alone):.1f} times the rate of one consumer", flush=True)


def _measure_spread(sandbox: Sandbox, size: int, partitions: int) -> None:
    east, west = (sandbox.connection(each, Principal.ADMIN) for each in Cluster)
    alias = FLOWS["equal"]
    copies = [
        Copy(east, SPREAD, partitions=partitions),
        Copy(west, f"{alias}.{SPREAD}", partitions=partitions),
    ]
    for copy in copies:
        copy.make()
    write_all(copies, 0, size)
    print(f"spread over {partitions} partitions:", flush=True)
    measure_in_process(alias, SPREAD)


def _print(took: Measurement) -> None:
    print(
        f"{took.records:>12,} records on each side: {took.seconds:7.1f} s, "
        f"{took.rate:>9,.0f} records/s, {took.peak_mb:,} MB, {took.differing} differ",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--millions", default="1,5,10,20", help="sizes, ascending")
    parser.add_argument(
        "--differing-at", type=int, default=10, help="millions of records at which ten differ"
    )
    parser.add_argument(
        "--partitions", type=int, default=400, help="number of partitions of the spread topic"
    )
    parser.add_argument("--measure", nargs=2, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.measure:
        print(json.dumps(asdict(measure(*chosen.measure))))
        return
    with tempfile.TemporaryDirectory(prefix="mirrorstack-bench-") as home:
        os.environ["MIRRORSTACK_HOME"] = str(Path(home).resolve())
        sizes = [int(float(each) * MILLION) for each in chosen.millions.split(",")]
        compare(sizes, chosen.differing_at * MILLION, chosen.partitions)


if __name__ == "__main__":
    main()
