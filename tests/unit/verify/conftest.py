"""One Spark session for all tests of the package: it takes seconds to start."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pyspark.sql import SparkSession

from tests.spark_sessions import quick_session


@pytest.fixture(scope="package")
def spark() -> Iterator[SparkSession]:
    with quick_session() as opened:
        yield opened
