"""Names by a template, and what they show."""

from __future__ import annotations

import pytest

from mirrorstack.mm2.java_regex import compile_java
from mirrorstack.mm2.name_templates import NameTemplate


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("{source}.{topic}", "east.orders"),
        ("{topic}", "orders"),
        ("{topic}-from-{source}", "orders-from-east"),
        ("dr_{source}_{topic}_copy", "dr_east_orders_copy"),
    ],
)
def test_a_name_is_read_back_as_it_was_written(text: str, name: str) -> None:
    template = NameTemplate(text)

    assert template.apply("east", "orders") == name
    assert template.origin(name) == (("east", "orders") if "{source}" in text else None)


def test_a_name_shows_the_source_if_something_separates_it_from_the_topic() -> None:
    assert NameTemplate("{source}.{topic}").shows_source
    assert not NameTemplate("dr.{source}{topic}").shows_source
    assert not NameTemplate("{topic}{source}").shows_source
    assert not NameTemplate("dr.{topic}").shows_source


def test_a_source_ends_at_the_first_separator() -> None:
    assert NameTemplate("{source}_{topic}").origin("north_east_orders") == ("north", "east_orders")
    assert NameTemplate("{source}_{topic}").origin("orders") is None


@pytest.mark.parametrize(
    ("text", "matches", "others"),
    [
        ("{source}_{topic}", ["west_a", "x_west_a", "x_y_west_a"], ["a", "west", "x_westa"]),
        ("{topic}.{source}", ["a.west", "a.west.x"], ["a", "a.westx"]),
        ("p.{source}.{topic}.s", ["p.west.a.s"], ["west.a", "p.west.a"]),
    ],
)
def test_a_pattern_matches_the_names_that_show_a_source(
    text: str, matches: list[str], others: list[str]
) -> None:
    pattern = compile_java(NameTemplate(text).pattern_from("west"))

    assert [name for name in [*matches, *others] if pattern.fullmatch(name)] == matches
