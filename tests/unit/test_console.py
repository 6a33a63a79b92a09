"""Progress in a log, and tables."""

from __future__ import annotations

import io

import pytest

from mirrorstack.console import Console, Step, table


def test_a_table_aligns_its_columns() -> None:
    assert table(("a", "b"), [("long", "x"), ("y", "longer")]) == "a     b\nlong  x\ny     longer"


def test_a_step_ends_with_its_outcome() -> None:
    stream = io.StringIO()

    with Console(stream).step("building") as step:
        step.done("3 files")

    assert stream.getvalue().startswith("✓ building: 3 files (")


def test_a_step_that_fails_is_marked() -> None:
    stream = io.StringIO()

    with pytest.raises(ValueError, match="no"), Console(stream).step("building"):
        raise ValueError("no")

    assert stream.getvalue().startswith("✗ building (")


def test_counted_progress_has_a_bar() -> None:
    step = Step("reading")
    step.counted(34, 68, "partitions")

    assert "━━━━━╌╌╌╌╌ 34 of 68 partitions" in step.line(bar=True)
