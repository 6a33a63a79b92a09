"""Versions of the parts, and how they are compared."""

from __future__ import annotations

from importlib.metadata import version

import pytest

from toolchain import versions


@pytest.mark.parametrize(
    ("older", "newer"), [("1.9.0", "1.10.0"), ("3.259.0", "3.259.1"), ("1.26", "1.26.1")]
)
def test_versions_are_compared_by_numbers(older: str, newer: str) -> None:
    assert versions.numbers(older) < versions.numbers(newer)


def test_the_pulumi_cli_has_the_version_of_the_python_package() -> None:
    assert version("pulumi") == versions.PULUMI


def test_the_kafka_source_of_spark_has_the_version_of_pyspark() -> None:
    assert version("pyspark") == versions.SPARK_KAFKA
