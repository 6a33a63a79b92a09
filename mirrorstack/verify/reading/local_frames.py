"""Rows of ours for Spark, which reach it without Python on its executors.

A list that PySpark is given becomes an RDD that Python processes read, on every executor, with the
same version there as here. Through Arrow it becomes a part of the plan.
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


def given(spark: SparkSession, rows: Iterable[Sequence[Any]], schema: str) -> DataFrame:
    """A table of few rows; its columns as in `topic string, partition int`."""
    columns = [column.split() for column in schema.split(",")]
    fields = pa.schema([(name, TYPES[kind]) for name, kind in columns])
    held = [dict(zip(fields.names, row, strict=True)) for row in rows]
    return spark.createDataFrame(pa.Table.from_pylist(held, schema=fields))


def nothing(spark: SparkSession, schema: str) -> DataFrame:
    """A table of no rows, of any types."""
    row = F.from_json(F.lit("{}"), schema)
    return spark.range(0).select(row.alias("row")).select("row.*")
