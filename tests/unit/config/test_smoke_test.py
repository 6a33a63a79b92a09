"""How source and target are compared, as a stack file sets it."""

from __future__ import annotations

import pytest

from mirrorstack.config.settings import parse
from tests.unit.config.stacks import FILE, only_finding, stack


@pytest.mark.parametrize(
    ("name", "rule", "fix"),
    [
        ("executor.memory", "Spark settings begin with `spark.`", "write `spark.executor.memory`"),
        ("spark.master", "the master has its own setting", "use `master` instead"),
        ("spark.sql.ansi.enabled", "the comparison depends on its own value", "remove it"),
        ("spark.jars", "the comparison depends on its own value", "remove it"),
        ("spark.authenticate.secret", "looks like a secret", "spark-defaults.conf"),
    ],
)
def test_spark_settings_that_a_stack_must_not_set_are_errors(
    name: str, rule: str, fix: str
) -> None:
    finding = only_finding(**{"smoke-test": {"spark": {name: "a value"}}})

    assert finding.message.startswith(f"smoke-test.spark.{name}: {rule}")
    assert fix in finding.fix
    assert "a value" not in str(finding)


def test_numbers_among_the_spark_settings_become_text() -> None:
    declared = stack(**{"smoke-test": {"spark": {"spark.executor.cores": 2}}})

    assert parse(declared, FILE).comparison.spark == {"spark.executor.cores": "2"}


def test_the_wait_must_be_a_finite_number() -> None:
    assert "must be a number" in only_finding(**{"smoke-test": {"wait-seconds": "soon"}}).message
    endless = only_finding(**{"smoke-test": {"wait-seconds": float("inf")}})
    assert endless.message.startswith("smoke-test.wait-seconds: must be a finite number")
