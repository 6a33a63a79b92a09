"""Spark sessions for tests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from pyspark.sql import SparkSession

from mirrorstack.verify.reading.session import session


@contextmanager
def quick_session() -> Iterator[SparkSession]:
    """For little data: the JVM starts fast instead of running fast."""
    quick = {"spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"}
    with session(more=quick) as opened:
        yield opened
