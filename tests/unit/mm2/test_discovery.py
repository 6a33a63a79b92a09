"""Names and patterns among the entries of a flow."""

from __future__ import annotations

from mirrorstack.mm2.discovery import as_patterns, named, patterns, quoted
from mirrorstack.mm2.java_regex import compile_java

ENTRIES = ["orders", "pay.v1", r"pay\.v2", "clicks-.*", "a|b"]


def test_names_and_patterns_are_told_apart() -> None:
    assert named(ENTRIES) == ("orders", "pay.v1", "pay.v2")
    assert patterns(ENTRIES) == ("clicks-.*", "a|b")


def test_a_name_with_a_dot_matches_only_itself() -> None:
    (pattern,) = as_patterns(["pay.v1"])

    assert compile_java(pattern).fullmatch("pay.v1")
    assert not compile_java(pattern).fullmatch("pay-v1")


def test_patterns_are_left_as_they_are() -> None:
    assert as_patterns(["clicks-.*", "a-b"]) == ("clicks-.*", "a-b")
    assert quoted("a.b-c") == r"a\.b-c"
