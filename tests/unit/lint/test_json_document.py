"""JSON with line numbers."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from mirrorstack.lint import json_document
from mirrorstack.lint.document import MAX_DEPTH, LineIndex, MalformedDocument
from mirrorstack.lint.json_document import parse_json
from tests.unit.lint.values import random_value


@pytest.mark.parametrize("indent", [None, 0, 2])
def test_values_are_those_of_python_s_parser(indent: int | None) -> None:
    dice = random.Random(20261116)  # noqa: S311 - reproducible on purpose
    for _ in range(500):
        value = random_value(dice)
        assert parse_json(json.dumps(value, indent=indent)).to_python() == value


def test_a_member_has_the_line_of_its_key() -> None:
    document = parse_json('{\n"a"\n:\n{"b": [1,\n2]},\n"c": 3}')

    lines = (
        document.members["a"].line,
        document.line_of(("a", "b")),
        document.line_of(("a", "b", 1)),
        document.members["c"].line,
    )
    assert lines == (2, 4, 5, 6)


def test_line_starts_are_computed_once_per_document(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counting line breaks from the start for every value takes quadratic time."""
    created, lookups = [], []

    class CountingIndex(LineIndex):
        def __init__(self, content: str) -> None:
            created.append(content)
            super().__init__(content)

        def line_at(self, position: int) -> int:
            lookups.append(position)
            return super().line_at(position)

    monkeypatch.setattr(json_document, "LineIndex", CountingIndex)
    items = parse_json(json.dumps(list(range(1000)), indent=1)).items

    assert [one.line for one in items] == list(range(2, 1002))
    assert len(created) == 1
    assert len(lookups) >= len(items)


class SealedText(str):
    """A text that cannot be read any more once it is sealed."""

    sealed = False

    def __getattribute__(self, name: str) -> Any:
        if name not in ("sealed", "__class__") and super().__getattribute__("sealed"):
            pytest.fail(f"the text is read again: {name}")
        return super().__getattribute__(name)

    def __getitem__(self, index: Any) -> str:
        if self.sealed:
            pytest.fail("the text is read again")
        return super().__getitem__(index)


def test_a_line_is_looked_up_without_reading_the_document_again() -> None:
    content = SealedText("{\n\n}\n")
    index = LineIndex(content)
    content.sealed = True

    assert [index.line_at(position) for position in range(5)] == [1, 1, 2, 3, 3]


@pytest.mark.parametrize(
    ("content", "line", "reason"),
    [
        ('{"a": 1\n"b": 2}', 2, "column 1"),
        ('{"a":\n"\x07"}', 2, "^Invalid control character, column 2$"),
        ('{"a":\n' + "1" * 5000 + "}", 2, "too many digits"),
        ("[\n" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1), MAX_DEPTH + 1, "nested deeper"),
        ("[" * 100_000, 1, "nested deeper|Expecting value"),
    ],
)
def test_malformed_documents_have_a_line_and_a_reason(content: str, line: int, reason: str) -> None:
    with pytest.raises(MalformedDocument, match=reason) as error:
        parse_json(content)
    assert error.value.line == line
