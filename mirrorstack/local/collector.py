"""Java's garbage collector, where it is not left to Java."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable

PARALLEL = "-XX:+UseParallelGC"
SHORT_PAUSES_MB = 4096
"""The largest heap for the parallel collector of a worker. It replicates a quarter more records of
100 bytes with exactly-once than Java's default, which collects beside the tasks, but it stops the
worker for longer the larger the heap is, and a worker that stops for ten seconds leaves its
group."""
ENVIRONMENT = ("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS")


def parallel_collector(options: Iterable[str] = ()) -> list[str]:
    """Higher throughput than Java's default, and longer pauses. Nothing where these options or the
    environment select a collector: the JVM does not start with two."""
    selected = " ".join([*options, *(os.environ.get(name, "") for name in ENVIRONMENT)])
    return [] if re.search(r"-XX:\+Use\w*GC\b", selected) else [PARALLEL]
