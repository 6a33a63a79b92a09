"""Throughput of the profiles compared with stock MirrorMaker: `python -m bench.throughput`.

Two brokers without TLS and one process that replicates between them, on this machine, which must
be idle. Every variant replicates the same topics in turn, in several rounds; the best of each
counts. Measured is the time in which a topic on the target grows from a tenth to 95 % of the
source's, so that start and end do not count. A process replicates each topic several times, because
Java compiles for about a minute of full load, and gets twice as fast meanwhile.

`--soak MINUTES` replicates at full speed in the derived heap instead, and reports lost tasks.
"""

from __future__ import annotations

import argparse
import itertools
import os
import random
import socket
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil

from bench.plain_broker import PlainBroker
from bench.replicators import PARTITIONS, Brokers, LostTaskError, Replicator, Variant, running
from bench.throughput_page import PAGE, Measurement, Results, soak_line, table, write_page
from mirrorstack.local.kafka_installation import KafkaInstallation
from mirrorstack.local.polling import poll_until
from mirrorstack.local.ports import ADDRESS
from mirrorstack.runtimes.installed import installed_kafka

STOCK = Variant("stock MirrorMaker")
EXACTLY_ONCE = Variant("`default`, exactly-once", {"exactly-once": True})
AT_LEAST_ONCE = Variant("`default`, without exactly-once", {})
TRANSLATED = Variant("`default`, exactly-once, groups", {"exactly-once": True, "groups": [".*"]})
FRUGAL = Variant("`frugal`, exactly-once", {"exactly-once": True, "profile": "frugal"})
RAW = Variant("raw copy in Java", is_raw=True)
VARIANTS = (STOCK, EXACTLY_ONCE, AT_LEAST_ONCE, TRANSLATED, FRUGAL, RAW)

BEGIN, END = 0.1, 0.95
RUN_SECONDS, POLL_SECONDS, FAILURE_CHECK_SECONDS = 240.0, 0.02, 1.0
ROUNDS, REPEATS, QUICK_SHARE = 2, 4, 0.1
_aliases = (f"r{number}" for number in itertools.count(1))


@dataclass(frozen=True)
class Topic:
    name: str
    title: str
    record_bytes: int
    records: int

    @property
    def payload(self) -> int:
        return self.record_bytes * self.records

    def smaller(self, share: float) -> Topic:
        return Topic(self.name, self.title, self.record_bytes, int(self.records * share))


WARM_UP = Topic("warm-up", "", 1_000, 300_000)
TOPICS = (
    Topic("small", "100 B", 100, 3_000_000),
    Topic("medium", "1 KB", 1_000, 600_000),
    Topic("large", "20 KB", 20_000, 40_000),
)


@dataclass(frozen=True)
class Moment:
    seconds: float
    size: int
    """Bytes of the topic's log on the target."""
    cpu: float
    """CPU seconds of the replicating process."""


def replicate(replicator: Replicator, topic: Topic, brokers: Brokers) -> Measurement:
    """One topic, to a new target topic that is deleted afterwards."""
    alias = next(_aliases)
    target_topic = f"{alias}.{topic.name}"
    brokers.target.create_topic(target_topic, PARTITIONS)
    size = brokers.source.topic_bytes(topic.name)
    process = psutil.Process(replicator.pid)
    deadline = time.monotonic() + RUN_SECONDS
    next_check = time.monotonic() + FAILURE_CHECK_SECONDS

    def moment_at(share: float) -> Moment:
        def reached() -> Moment | None:
            nonlocal next_check
            now = time.monotonic()
            held = brokers.target.topic_bytes(target_topic)
            if held >= share * size:
                used = process.cpu_times()
                return Moment(now, held, used.user + used.system)
            if now > next_check:
                next_check = now + FAILURE_CHECK_SECONDS
                if failures := replicator.failures():
                    raise LostTaskError("; ".join(failures))
            return None

        return poll_until(
            reached,
            deadline=deadline,
            on_timeout=lambda: LostTaskError(f"{topic.title}: not done in {RUN_SECONDS:.0f} s"),
            interval=POLL_SECONDS,
        )

    try:
        replicator.start(topic.name, alias)
        begin, end = moment_at(BEGIN), moment_at(END)
        replicator.stop()
    finally:
        brokers.target.delete_topic(target_topic)
    payload = (end.size - begin.size) * topic.payload / size
    return Measurement(
        mb_per_second=payload / 1e6 / (end.seconds - begin.seconds),
        cpu_seconds_per_gb=(end.cpu - begin.cpu) / (payload / 1e9),
    )


@contextmanager
def two_brokers(kafka: KafkaInstallation, home: Path) -> Iterator[Brokers]:
    with ExitStack() as stack:
        brokers = Brokers(
            *(PlainBroker(home / name, *_free_ports(2)) for name in ("source", "target"))
        )
        for broker in (brokers.source, brokers.target):
            process = broker.start(kafka)
            stack.callback(process.wait)
            stack.callback(process.terminate)
        yield brokers


def _free_ports(count: int) -> list[int]:
    with ExitStack() as stack:
        probes = [stack.enter_context(socket.socket()) for _ in range(count)]
        for probe in probes:
            probe.bind((ADDRESS, 0))
        return [probe.getsockname()[1] for probe in probes]


def fill(brokers: Brokers, topics: tuple[Topic, ...]) -> None:
    rng = random.Random(14)  # noqa: S311
    for topic in (WARM_UP, *topics):
        values = [rng.randbytes(topic.record_bytes) for _ in range(100)]
        brokers.source.create_topic(topic.name, PARTITIONS)
        brokers.source.fill(topic.name, topic.records, values, PARTITIONS)
        print(f"{topic.name}: {topic.payload / 1e6:,.0f} MB written", flush=True)
    os.sync()  # so that pending writes are not measured


def measure_all(
    brokers: Brokers, topics: tuple[Topic, ...], rounds: int, kafka: KafkaInstallation, home: Path
) -> Results:
    """The best of all rounds and repetitions, by variant and topic."""
    best: Results = {}
    for number in range(1, rounds + 1):
        for variant in VARIANTS:
            with running(variant, brokers, kafka, home) as replicator:
                replicate(replicator, WARM_UP, brokers)
                for topic in (topic for topic in topics for _ in range(REPEATS)):
                    made = replicate(replicator, topic, brokers)
                    print(f"round {number}: {variant.name}, {topic.title}: {made}", flush=True)
                    key = (variant.name, topic.title)
                    best[key] = max(best.get(key, made), made)
    return best


def soak(
    brokers: Brokers,
    topics: tuple[Topic, ...],
    minutes: float,
    kafka: KafkaInstallation,
    home: Path,
) -> str:
    """Each variant of the default profile for half of the time; a lost worker is replaced."""
    reports = []
    for variant in (AT_LEAST_ONCE, EXACTLY_ONCE):
        end = time.monotonic() + minutes * 60 / 2
        lost, moved = 0, 0
        rounds = itertools.cycle(topics)
        while time.monotonic() < end:
            try:
                with running(variant, brokers, kafka, home) as replicator:
                    while time.monotonic() < end:
                        topic = next(rounds)
                        made = replicate(replicator, topic, brokers)
                        moved += topic.payload
                        print(f"{variant.name}, {topic.title}: {made}", flush=True)
            except LostTaskError as error:
                lost += 1
                print(f"lost: {error}", flush=True)
        reports.append(
            f"{variant.name}: {minutes / 2:g} minutes, {moved / 1e9:,.0f} GB in a heap of "
            f"{variant.heap_mb(brokers)} MB, {lost} lost tasks or workers"
        )
    return soak_line(reports)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--rounds", type=int, default=ROUNDS, help="rounds, of which the best counts"
    )
    parser.add_argument(
        "--quick", action="store_true", help="one round with a tenth of the records; no page"
    )
    parser.add_argument("--soak", type=float, metavar="MINUTES", help="look for lost tasks instead")
    chosen = parser.parse_args()
    topics = tuple(topic.smaller(QUICK_SHARE) for topic in TOPICS) if chosen.quick else TOPICS
    kafka = installed_kafka().for_throughput()
    with tempfile.TemporaryDirectory(prefix="mirrorstack-bench-") as name:
        home = Path(name).resolve()
        with two_brokers(kafka, home) as brokers:
            fill(brokers, topics)
            if chosen.soak:
                report = soak(brokers, topics, chosen.soak, kafka, home)
                print(report)
                if not chosen.quick:
                    write_page(soak=report)
                return
            rounds = 1 if chosen.quick else chosen.rounds
            best = measure_all(brokers, topics, rounds, kafka, home)
    rows, columns = [each.name for each in VARIANTS], [each.title for each in topics]
    results = table(best, rows, columns)
    print(results)
    if not chosen.quick:
        write_page(results=results)
        print(f"written to {PAGE}")


if __name__ == "__main__":
    main()
