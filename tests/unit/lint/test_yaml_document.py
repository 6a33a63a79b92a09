"""YAML with line numbers."""

from __future__ import annotations

import random

import pytest
import yaml

from mirrorstack.lint.document import MalformedDocument
from mirrorstack.lint.yaml_document import parse_yaml
from tests.unit.lint.values import random_value

# Each line has ten times as many values as the one before.
BOMB = [
    "a: &a [x]",
    *(f"{b}: &{b} [{', '.join([f'*{a}'] * 10)}]" for a, b in zip("abcdef", "bcdefg", strict=True)),
]


def test_values_are_those_of_pyyaml() -> None:
    dice = random.Random(20261116)  # noqa: S311 - reproducible on purpose
    for _ in range(200):
        value = {"top": random_value(dice)}
        (document,) = parse_yaml(yaml.safe_dump(value))
        assert document.to_python() == value


def test_merged_keys_have_the_lines_that_they_were_written_on() -> None:
    (document,) = parse_yaml("base: &base\n  x: 1\nmore:\n  <<: *base\n  y: 2\n")

    assert document.members["more"].to_python() == {"x": 1, "y": 2}
    assert document.line_of(("more", "x")) == 2


def test_all_documents_that_are_not_empty_are_returned() -> None:
    assert [one.to_python() for one in parse_yaml("a: 1\n---\n---\n[b]\n")] == [{"a": 1}, ["b"]]


@pytest.mark.parametrize(
    ("content", "line", "reason"),
    [
        ("a: 1\nb: \x07\n", 2, r"the character U\+0007 is not allowed"),
        ("a: 1\nb: 2026-02-31\n", 2, "'2026-02-31' is not a valid timestamp"),
        ("a: !!int x\n", 1, "'x' is not a valid int"),
        ("a:\n  " + "1" * 5000, 2, "is not a valid int"),
        ("a:\n  0x" + "f" * 5000, 2, "too many digits"),
        ("a: &b [*b]", 1, "an alias contains itself"),
        ("a: *b", 1, "undefined alias"),
        ("[" * 101 + "]" * 101, 1, "nested deeper"),
        ("[" * 20_000, 1, "nested deeper"),
        ("\n".join(BOMB), 1, "aliases expand"),
    ],
)  # fmt: skip
def test_malformed_documents_have_a_line_and_a_reason(content: str, line: int, reason: str) -> None:
    with pytest.raises(MalformedDocument, match=reason) as error:
        parse_yaml(content)
    assert error.value.line == line
