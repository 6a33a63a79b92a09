"""Small data frames from local rows."""

from __future__ import annotations

import pytest
from pyspark.sql import SparkSession

from mirrorstack.verify.reading.local_frames import empty_frame, local_frame
from mirrorstack.verify.reading.records import COLUMNS, SCHEMA

ROWS = [("orders", 0, 1 << 40, True), ("clicks", 11, None, None)]
TYPES = "topic string, partition int, required bigint, trimmed boolean"


def test_a_frame_has_the_rows_and_types_of_its_schema(spark: SparkSession) -> None:
    frame = local_frame(spark, ROWS, TYPES)

    assert [tuple(row) for row in frame.collect()] == ROWS
    assert frame.dtypes == [tuple(column.split()) for column in TYPES.split(", ")]


def test_a_frame_without_rows_has_its_columns(spark: SparkSession) -> None:
    assert local_frame(spark, [], TYPES).columns == ["topic", "partition", "required", "trimmed"]


def test_executors_need_no_python_to_read_a_frame(spark: SparkSession) -> None:
    plan = local_frame(spark, ROWS, TYPES)._jdf.queryExecution().toString()

    assert "LocalRelation" in plan or "LocalTableScan" in plan
    assert "ExistingRDD" not in plan


def test_a_row_with_another_number_of_values_is_an_error(spark: SparkSession) -> None:
    with pytest.raises(ValueError, match="shorter"):
        local_frame(spark, [("orders",)], TYPES)


def test_an_empty_frame_may_have_any_type(spark: SparkSession) -> None:
    frame = empty_frame(spark, SCHEMA)

    assert frame.columns == list(COLUMNS)
    assert dict(frame.dtypes)["headers"] == "array<struct<key:string,value:binary>>"
    assert frame.collect() == []
