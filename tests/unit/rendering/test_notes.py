"""Notes as findings, comments and JSON."""

from __future__ import annotations

from mirrorstack.findings import Severity
from mirrorstack.rendering.notes import as_comments, as_document, note


def test_a_note_starts_with_its_subject() -> None:
    one = note("is left out", flow="east->west")

    assert (one.message, one.flow, one.severity) == (
        "flow east->west: is left out",
        "east->west",
        Severity.NOTE,
    )
    assert note("is left out").message == "is left out"


def test_a_line_break_does_not_end_a_comment() -> None:
    comments = as_comments([note("a\nb", "c\n\nd", cluster="east"), note("e")])

    assert comments == "#   - cluster east: a b\n#     fix: c d\n#   - e\n"


def test_json_has_the_subject_the_message_and_the_fix() -> None:
    (document,) = as_document([note("a", "b", connector="x")])

    assert document == {
        "flow": None,
        "cluster": None,
        "connector": "x",
        "message": "connector x: a",
        "fix": "b",
    }


def test_control_characters_are_escaped_in_comments() -> None:
    assert as_comments([note("the key x\x07")]) == "#   - the key x\\x07\n"
