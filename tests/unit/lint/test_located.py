"""JSON and YAML with lines: the same values as without, each where it stands."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
import yaml

from mirrorstack.lint.json_document import parse_json
from mirrorstack.lint.yaml_document import parse_yaml

DICE = random.Random(20261116)  # noqa: S311 - reproducible on purpose
SCALARS = (1, -2.5, 1e30, 'a\\"\n', "é€😀", None, True, False, "", "}", "a: b")


def anything(depth: int = 0) -> Any:
    kind = DICE.random()
    if depth > 4 or kind < 0.3:
        return DICE.choice(SCALARS)
    if kind < 0.6:
        return [anything(depth + 1) for _ in range(DICE.randint(0, 3))]
    return {f"k{number}": anything(depth + 1) for number in range(DICE.randint(0, 3))}


@pytest.mark.parametrize("indent", [None, 0, 2])
def test_json_is_what_python_reads(indent: int | None) -> None:
    for _ in range(500):
        value = anything()
        assert parse_json(json.dumps(value, indent=indent)).to_python() == value


def test_yaml_is_what_pyyaml_reads() -> None:
    for _ in range(200):
        value = {"top": anything()}
        (document,) = parse_yaml(yaml.safe_dump(value))
        assert document.to_python() == value


def test_a_key_s_line_is_its_own_also_where_the_value_follows_below() -> None:
    document = parse_json('{\n"a"\n:\n{"b": [1,\n2]},\n"c": 3}')
    assert (
        document.members["a"].line,
        document.line_of(("a", "b")),
        document.members["c"].line,
    ) == (2, 4, 6)
    (document,) = parse_yaml("a:\n  - b: 1\n    c: 2\n  - d\n")
    assert [document.line_of(path) for path in (("a",), ("a", 0, "c"), ("a", 1))] == [1, 3, 4]
    assert document.line_of(("a", 7, "x")) == 1, "of what is not there, the last part that is"


def test_merged_keys_are_known_with_the_lines_they_were_written_on() -> None:
    (document,) = parse_yaml("base: &base\n  x: 1\nmore:\n  <<: *base\n  y: 2\n")
    assert document.members["more"].to_python() == {"x": 1, "y": 2}
    assert document.line_of(("more", "x")) == 2
