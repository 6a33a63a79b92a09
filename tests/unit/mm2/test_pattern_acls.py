"""The tightest resource patterns for what a flow selects."""

from __future__ import annotations

import pytest

from mirrorstack.kafka.acls import ResourceType
from mirrorstack.mm2.pattern_acls import by_name, by_pattern, covering, is_wide

TOPIC = ResourceType.TOPIC


@pytest.mark.parametrize(
    ("entry", "resources"),
    [
        ("orders", ["orders"]),
        (r"a\.b", ["a.b"]),
        ("orders-.*", ["orders-*"]),
        ("orders-.+", ["orders-*"]),
        (".*", ["*"]),
        ("orders|clicks", ["clicks", "orders"]),
        ("(orders|clicks)-.*", ["clicks-*", "orders-*"]),
        ("orders-[0-9]+", ["orders-*"]),
        ("orders(-v2)?", ["orders", "orders-v2"]),
        (".*-events", ["*"]),
        (r"(.)\1", ["*"]),
    ],
)
def test_a_name_or_pattern_is_covered_by_names_and_prefixes(
    entry: str, resources: list[str]
) -> None:
    assert [each.text for each in covering(TOPIC, entry)] == resources


def test_what_exists_is_covered_by_names_where_a_prefix_would_allow_more() -> None:
    names = ["orders-1", "orders-2"]

    assert [each.text for each in by_name(TOPIC, ["orders-.*"], [], names)] == ["orders-*"]
    assert [each.text for each in by_name(TOPIC, ["orders-[0-9]"], [], names)] == names
    assert [each.text for each in by_name(TOPIC, ["orders-.*"], ["orders-3"], names)] == names


def test_names_that_are_excluded_are_not_covered() -> None:
    found = by_pattern(
        TOPIC, ["a(b|c)", "a-.*"], [], excluded=["ac", "a-x.*"], affixes=("p.", ".s")
    )

    assert [each.text for each in found] == ["p.ab.s", "p.a-*"]


def test_what_is_created_later_is_covered_too_and_covered_names_are_left_out() -> None:
    found = by_pattern(TOPIC, ["orders-[0-9]+", "clicks"], ["orders-1", "audit"])

    assert [each.text for each in found] == ["orders-*", "clicks", "audit"]


@pytest.mark.parametrize(
    ("entry", "excluded", "wide"),
    [
        ("orders", [], False),
        ("orders-.*", [], False),
        ("(orders|clicks)-.*", [], False),
        ("orders|clicks", [], False),
        ("orders-.*", ["clicks-.*"], False),
        ("orders|clicks", ["clicks"], False),
        ("orders-.*", ["orders-test.*"], True),
        ("orders-[0-9]+", [], True),
        (".*-events", [], True),
        (r"(.)\1", [], True),
    ],
)
def test_acls_that_allow_more_than_a_pattern_selects_are_wide(
    entry: str, excluded: list[str], wide: bool
) -> None:
    assert is_wide(TOPIC, entry, excluded) is wide
