"""Documents and configs with line numbers."""

from __future__ import annotations

import pytest

from mirrorstack.findings import Finding
from mirrorstack.lint.document import (
    MAX_INTEGER_BITS,
    LineIndex,
    LocatedConfig,
    MalformedDocument,
    scalar,
)
from mirrorstack.lint.yaml_document import parse_yaml


def test_the_line_of_a_missing_path_is_the_line_of_its_closest_ancestor() -> None:
    (document,) = parse_yaml("a:\n  - b: 1\n    c: 2\n  - d\n")

    assert [document.line_of(path) for path in (("a",), ("a", 0, "c"), ("a", 1))] == [1, 3, 4]
    assert document.line_of(("a", 7, "x")) == 1


def test_scalars_are_texts_as_kafka_reads_them() -> None:
    (document,) = parse_yaml("a: {b: true, c: 3, d: null, e: [1]}")

    assert [document.text("a", key) for key in "bcdex"] == ["true", "3", None, None, None]


def test_findings_get_the_line_of_their_key_or_of_the_config() -> None:
    config = LocatedConfig({"a.b": "1"}, {"a.b": 7}, line=3)

    located = config.locate([Finding("x", path=("a.b",)), Finding("y", path=("missing",))])

    assert [one.line for one in located] == [7, 3]


def test_positions_have_the_line_that_they_are_on() -> None:
    content = "a\nbb\n\nc"
    lines = LineIndex(content)

    found = [lines.line_at(position) for position in range(len(content))]

    assert found == [content.count("\n", 0, position) + 1 for position in range(len(content))]


def test_an_integer_that_python_cannot_print_is_malformed() -> None:
    assert scalar(1, 2**MAX_INTEGER_BITS - 1).text() is not None
    with pytest.raises(MalformedDocument, match="too many digits"):
        scalar(1, 2**MAX_INTEGER_BITS)
