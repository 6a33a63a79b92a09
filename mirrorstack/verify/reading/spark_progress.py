"""How far Spark is while a step lasts."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from pyspark.sql import SparkSession

from mirrorstack.console import Step

EVERY_SECONDS = 0.5


@contextmanager
def shown(spark: SparkSession, step: Step, what: str) -> Iterator[None]:
    """Say on the step how many tasks of the running stages are done, and what each of them is."""
    tracker = spark.sparkContext.statusTracker()
    ended = threading.Event()

    def look() -> None:
        while not ended.wait(EVERY_SECONDS):
            stages = [tracker.getStageInfo(ident) for ident in tracker.getActiveStageIds()]
            running = [stage for stage in stages if stage is not None]
            if running:
                done = sum(stage.numCompletedTasks for stage in running)
                step.counted(done, sum(stage.numTasks for stage in running), what)

    watcher = threading.Thread(target=look, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        ended.set()
        watcher.join()
