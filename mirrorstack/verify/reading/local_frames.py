"""Small data frames from local rows, without Python on Spark's executors.

PySpark turns a list into an RDD that Python workers read on every executor, which needs the same
Python version there. Arrow data becomes part of the query plan instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped]
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

TYPES = {
    "string": pa.string(),
    "int": pa.int32(),
    "bigint": pa.int64(),
    "boolean": pa.bool_(),
}


def local_frame(spark: SparkSession, rows: Iterable[Sequence[Any]], schema: str) -> DataFrame:
    """A frame of few rows; the schema is written as `topic string, partition int`."""
    columns = [column.split() for column in schema.split(",")]
    fields = pa.schema([(name, TYPES[kind]) for name, kind in columns])
    records = [dict(zip(fields.names, row, strict=True)) for row in rows]
    return spark.createDataFrame(pa.Table.from_pylist(records, schema=fields))


def empty_frame(spark: SparkSession, schema: str) -> DataFrame:
    """A frame without rows; the schema may have any of Spark's types."""
    row = F.from_json(F.lit("{}"), schema)
    return spark.range(0).select(row.alias("row")).select("row.*")
