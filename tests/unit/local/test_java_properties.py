"""Properties files: the lines, and what people trip over. What Java reads is in `integration`."""

from __future__ import annotations

import pytest

from mirrorstack.local.java_properties import MalformedProperties, Property, load, render


def test_a_key_is_on_the_line_where_it_begins() -> None:
    content = b"# comment\n\na = 1\nb : x, \\\n    y\n\r\nc 3\r\n! more\rd\n"

    assert load(content) == [
        Property("a", "1", 3),
        Property("b", "x, y", 4),
        Property("c", "3", 7),
        Property("d", "", 9),
    ]


@pytest.mark.parametrize(
    ("line", "value"),
    [
        (b"topics = .*  # all of them", ".*  # all of them"),
        (b"topics = orders ", "orders "),
        (b"topics = a\\.b", "a.b"),
        (b"topics = a\\\\.b", "a\\.b"),
        (b'topics = "orders"', '"orders"'),
        ("topics = café".encode(), "cafÃ©"),
    ],
)
def test_a_value_is_what_java_makes_of_it(line: bytes, value: str) -> None:
    assert [(one.key, one.value) for one in load(line)] == [("topics", value)]


def test_what_java_refuses_is_refused_with_its_line() -> None:
    with pytest.raises(MalformedProperties, match="four hexadecimal digits") as refused:
        load(b"a=1\npath=C:\\users")
    assert refused.value.line == 2


def test_java_reads_back_what_was_written_even_with_odd_characters() -> None:
    odd = {
        "a": "C:\\x",
        "b": " leading",
        "c": "Zürich 𝄞",
        "east->west.topics": r"a\.b,!(c) = # : d ",
        " key=of: #some": "",
        "#no comment": "x",
    }
    content = render(odd)

    assert {one.key: one.value for one in load(content.encode("ascii"))} == odd
    assert content.startswith("a=C:\\\\x\nb=\\ leading\nc=Z\\u00fcrich \\ud834\\udd1e\n")
    assert "\neast->west.topics=a\\\\.b,!(c) = # : d \n" in content
