"""Java's patterns in Python. The integration test compares both with java.util.regex itself."""

from __future__ import annotations

import pytest

from mirrorstack.mm2.java_regex import InvalidPattern, compile_java


@pytest.mark.parametrize(
    ("pattern", "matching", "other"),
    [
        ("orders", "orders", "orders2"),
        (r"a\.b", "a.b", "a-b"),
        ("[a-c&&[^b]]x", "cx", "bx"),
        ("[a-z[0-9]]", "7", "A"),
        (r"\Qa.b\E", "a.b", "aXb"),
        (r"\p{Lower}+", "abc", "Abc"),
        ("(?i)orders", "ORDERS", "clicks"),
        ("(?<name>a)\\k<name>", "aa", "ab"),
        ("a{2,}", "aaa", "a"),
    ],
)
def test_a_pattern_means_the_same_as_in_java(pattern: str, matching: str, other: str) -> None:
    assert compile_java(pattern).fullmatch(matching)
    assert not compile_java(pattern).fullmatch(other)


@pytest.mark.parametrize(
    "pattern", ["*", "(a", "a)", "[a", "a{x}", "{1}", r"\y", r"\p{Greek}", "(?P<a>b)"]
)
def test_a_pattern_that_java_rejects_or_python_cannot_express_is_invalid(pattern: str) -> None:
    with pytest.raises(InvalidPattern):
        compile_java(pattern)


@pytest.mark.parametrize("pattern", ["[" * 2000 + "a" + "]" * 2000, "(" * 2000 + "a" + ")" * 2000])
def test_a_pattern_that_is_nested_too_deeply_is_invalid(pattern: str) -> None:
    with pytest.raises(InvalidPattern, match="nested too deeply"):
        compile_java(pattern)


@pytest.mark.parametrize(
    "pattern", ["a{2147483648}", "a{99999999999}", "a{0,4294967295}", "a{" + "1" * 5000 + "}"]
)
def test_a_repetition_that_java_cannot_count_is_invalid(pattern: str) -> None:
    with pytest.raises(InvalidPattern, match="larger than 2,147,483,647"):
        compile_java(pattern)


def test_the_largest_repetition_of_java_is_valid() -> None:
    assert not compile_java("a{2147483647}").fullmatch("aaa")
