"""Wording that many messages share."""

from __future__ import annotations

from mirrorstack.text import and_more, closest, did_you_mean, remaining, suggestion


def test_the_closest_word_is_found() -> None:
    assert closest("topcs", ["groups", "topics"]) == "topics"


def test_nothing_is_close_to_an_unrelated_word() -> None:
    assert closest("retention", ["groups", "topics"]) is None


def test_a_mistyped_word_gets_a_suggestion() -> None:
    assert did_you_mean("topcs", ["groups", "topics"]) == "did you mean `topics`?"


def test_without_a_suggestion_the_other_fix_is_given() -> None:
    assert did_you_mean("retention", ["topics"], "remove it") == "remove it"


def test_a_short_list_is_shown_whole() -> None:
    assert and_more(["a", "b"]) == "a, b"


def test_a_list_of_exactly_the_limit_is_shown_whole() -> None:
    assert and_more("abcde") == "a, b, c, d, e"


def test_of_a_long_list_the_rest_is_counted() -> None:
    assert and_more(["a", "b", "c", "d"], shown=2) == "a, b and 2 more"


def test_an_empty_list_is_empty() -> None:
    assert and_more([]) == ""


def test_a_known_suggestion_is_worded_the_same() -> None:
    assert suggestion("topics", "remove it") == "did you mean `topics`?"
    assert suggestion(None, "remove it") == "remove it"


def test_the_remaining_items_are_counted() -> None:
    assert remaining(7, 5) == "and 2 more"
    assert remaining(5, 5) == ""
