"""Whether two patterns can match the same name."""

from __future__ import annotations

import itertools

import pytest

from mirrorstack.mm2.java_regex import compile_java
from mirrorstack.mm2.pattern_automata import NameSet, UnsupportedPattern, any_of


def common(one: str, other: str) -> str | None:
    return (NameSet.matching(one) & NameSet.matching(other)).example()


@pytest.mark.parametrize(
    ("one", "other", "name"),
    [
        ("orders", "orders", "orders"),
        ("orders.*", ".*-eu", "orders-eu"),
        (r"a\.b", "a.b", "a.b"),
        ("(?i)orders", "ORDERS", "ORDERS"),
        ("^orders$", "ord.*", "orders"),
        ("[a-c&&[^b]]x", "[bc]x", "cx"),
        (r"\Qa.b\E", "a.b", "a.b"),
        ("(?!x).*y", ".y", "ay"),
        ("(?=a).*y", ".y", "ay"),
    ],
)
def test_patterns_with_a_common_name_have_an_example(one: str, other: str, name: str) -> None:
    assert common(one, other) == name
    assert compile_java(one).fullmatch(name)
    assert compile_java(other).fullmatch(name)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("orders", "clicks"),
        ("eu-.*", "us-.*"),
        (r"a\.b", "a-b"),
        ("(?!orders).*", "orders-.*"),
        ("[a-z]+", r"[a-z]+\d"),
        ("a{2}", "a{3}"),
        ("ä+", ".*"),
    ],
)
def test_patterns_without_a_common_name_have_no_example(one: str, other: str) -> None:
    assert common(one, other) is None


@pytest.mark.parametrize(
    "pattern",
    [r"(.)\1", "(?<=a)b", "a*+a", "(?>a|ab)c", "a(?!b).*", "(?!a)b|c", "(?x)a b", "[", r"\bfoo"],
)
def test_a_pattern_that_no_automaton_expresses_is_unsupported(pattern: str) -> None:
    with pytest.raises(UnsupportedPattern):
        NameSet.matching(pattern)


@pytest.mark.parametrize(
    "pattern",
    ["a.*", "(a|b)+", "a?b*?", "[^a]b", "(?!a)..", "(?=ab).*", "(?!ab|b).*", "((a)b)?a", r"a\.?b"],
)
def test_automaton_and_matcher_agree_on_every_short_name(pattern: str) -> None:
    names = [
        "".join(letters) for n in range(1, 5) for letters in itertools.product("ab.", repeat=n)
    ]
    language = NameSet.matching(pattern)

    for name in names:
        assert language.contains(name) == bool(compile_java(pattern).fullmatch(name)), name


@pytest.mark.parametrize(
    "pattern", ["a{2000000000}", "(a|b){0,250}", "(?!x)a{250,}", "((a{10}){10}){10}"]
)
def test_more_repetitions_than_a_name_has_characters_are_unsupported(pattern: str) -> None:
    with pytest.raises(UnsupportedPattern):
        NameSet.matching(pattern)


def test_as_many_repetitions_as_a_name_has_characters_are_supported() -> None:
    assert NameSet.matching("a{249}").example() == "a" * 249
    assert NameSet.matching("([a-c]{1,20}-){3}[a-c]{2}").example() == "a-a-a-aa"
    assert NameSet.matching(r"\Qa{250}\E|b").example() == "b", "a quoted brace repeats nothing"


def test_without_patterns_no_name_matches() -> None:
    assert any_of([]).example() is None


def test_sets_support_difference_and_prefixes() -> None:
    rest = NameSet.matching("orders.*") - any_of(["orders", "orders-.*"])

    assert rest.example() == "ordersa"
    assert NameSet.matching("orders").with_affixes("east.", "").example() == "east.orders"
    assert NameSet.matching("orders").with_affixes("a_", "-b").example() == "a_orders-b"


@pytest.mark.parametrize(
    "pattern", ["a|b", "(ab)*c", "a{3}b*", "[ab][cd]", "[ab][ab][ab][ab][ab]", "a(b|c.*)?", "[^a]b"]
)
def test_names_and_prefixes_cover_every_short_name_of_the_set(pattern: str) -> None:
    language = NameSet.matching(pattern)
    cover = language.names_and_prefixes()
    names = ["".join(each) for n in range(1, 6) for each in itertools.product("abc", repeat=n)]

    for name in filter(language.contains, names):
        assert any(
            name.startswith(each.text) if each.is_prefix else name == each.text for each in cover
        ), name


def test_finite_sets_are_listed_by_name_and_large_ones_by_their_common_prefix() -> None:
    few = NameSet.matching("orders-[ab]").names_and_prefixes()
    many = NameSet.matching("orders-[ab][ab][ab][ab][ab]").names_and_prefixes()

    assert [(each.text, each.is_prefix) for each in few] == [
        ("orders-a", False),
        ("orders-b", False),
    ]
    assert [(each.text, each.is_prefix) for each in many] == [("orders-", True)]


def test_a_set_of_one_name_or_prefix_takes_its_characters_literally() -> None:
    assert not NameSet.literally("a.b").contains("a-b")
    assert NameSet.literally("a.", is_prefix=True).contains("a.b")
