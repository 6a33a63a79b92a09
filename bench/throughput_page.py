"""bench/throughput.md: the table of bench.throughput and the line of its soak test."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

PAGE = Path(__file__).with_name("throughput.md")
SOAK = "Soak test: "
HEADING = """\
# Throughput

Written by `python -m bench.throughput`, and by its option `--soak MINUTES`.
[docs/performance.md](../docs/performance.md) has the profiles. Two plaintext brokers, two tasks and
four partitions on one machine; the best of several interleaved rounds. MB/s of keys and values; in
parentheses the ratio to stock MirrorMaker, and CPU seconds of the replicating process per GB. The
raw copy consumes and produces with the sizes of `default`, and keeps no offsets. Stock MirrorMaker
has Kafka's defaults, without exactly-once, and the Java options of connect-distributed.sh. The
goals are the project's own.
"""
GOALS = {"100 B": 2.0, "1 KB": 1.6, "20 KB": 2.0}
"""The least ratio of the default profile to stock MirrorMaker, by size of the records."""
EXACTLY_ONCE_GOAL = 0.95
"""The least ratio of exactly-once to the same without."""


@dataclass(frozen=True, order=True)
class Measurement:
    mb_per_second: float
    cpu_seconds_per_gb: float

    def __str__(self) -> str:
        return f"{self.mb_per_second:.0f} MB/s, {self.cpu_seconds_per_gb:.1f} CPU-s per GB"


Results = dict[tuple[str, str], Measurement]
"""By variant and size of the records."""


def table(results: Results, variants: Sequence[str], sizes: Sequence[str]) -> str:
    """The first variant is what the others are compared with; the second and third are the default
    profile with and without exactly-once."""
    stock, exactly_once, without, *_ = variants
    lines = [f"| | {' | '.join(sizes)} |", f"|---|{'---|' * len(sizes)}"]
    for variant in variants:
        cells = (_cell(results[variant, size], results[stock, size]) for size in sizes)
        lines.append(f"| {variant} | {' | '.join(cells)} |")
    lines.append("")
    for size in sizes:
        rates = {name: results[name, size].mb_per_second for name in variants}
        ratio, share = rates[exactly_once] / rates[stock], rates[exactly_once] / rates[without]
        lines.append(
            f"- {size}: {ratio:.2f} times stock ({_verdict(ratio, GOALS[size])}); exactly-once "
            f"{share:.2f} of without ({_verdict(share, EXACTLY_ONCE_GOAL)})"
        )
    return "\n".join(lines)


def soak_line(reports: Sequence[str]) -> str:
    return f"{SOAK}{'; '.join(reports)}."


def write_page(*, results: str = "", soak: str = "", page: Path = PAGE) -> None:
    """Replace the table or the line of the soak test; the other one stays."""
    given = page.read_text("utf-8") if page.exists() else ""
    lines = given.removeprefix(HEADING).strip().splitlines()
    old_soak = "".join(line for line in lines if line.startswith(SOAK))
    old_results = "\n".join(line for line in lines if not line.startswith(SOAK)).strip()
    parts = (HEADING.strip(), results or old_results, soak or old_soak)
    page.write_text("\n\n".join(part for part in parts if part) + "\n", "utf-8")


def _cell(made: Measurement, stock: Measurement) -> str:
    ratio = made.mb_per_second / stock.mb_per_second
    return f"{made.mb_per_second:.0f} ({ratio:.1f}x, {made.cpu_seconds_per_gb:.1f})"


def _verdict(value: float, goal: float) -> str:
    return f"goal {goal:g}, {'reached' if value >= goal else 'missed'}"
