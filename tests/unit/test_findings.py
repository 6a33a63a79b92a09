"""Findings, and the errors that carry them."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from mirrorstack.findings import Finding, Severity, UserError


class TestFinding:
    def test_the_key_is_the_path_in_the_notation_of_messages(self) -> None:
        assert (
            Finding("m", path=("flows", 0, "override", "source")).key == "flows[0].override.source"
        )

    def test_a_key_with_dots_stays_as_it_is(self) -> None:
        assert Finding("m", path=("offset-syncs.topic.location",)).key == (
            "offset-syncs.topic.location"
        )

    @pytest.mark.parametrize(
        ("fields", "text"),
        [
            ({}, "unknown cluster"),
            ({"file": "Pulumi.dr.yaml"}, "Pulumi.dr.yaml: unknown cluster"),
            ({"file": "Pulumi.dr.yaml", "line": 7}, "Pulumi.dr.yaml:7: unknown cluster"),
            ({"line": 7}, "unknown cluster"),
        ],
    )
    def test_the_text_begins_with_the_location(self, fields: dict[str, Any], text: str) -> None:
        assert Finding("unknown cluster", **fields).text == text

    def test_the_fix_is_on_a_line_of_its_own(self) -> None:
        assert str(Finding("unknown cluster", "use west")) == "unknown cluster\nfix: use west"

    def test_without_a_fix_there_is_only_the_message(self) -> None:
        assert str(Finding("unknown cluster")) == "unknown cluster"

    def test_control_characters_are_escaped_where_it_is_printed(self) -> None:
        found = Finding("key \x1b[2J\n    \ud800 é", "remove \x07", file="a\x00.yaml")

        assert str(found) == "a\\x00.yaml: key \\x1b[2J\n    \\ud800 é\nfix: remove \\x07"
        assert "\x1b" in found.message


class TestUserError:
    def test_one_message_is_one_finding(self) -> None:
        error = UserError("unknown cluster", "use west", path=("flows", 0, "to"))

        assert error.findings == (Finding("unknown cluster", "use west", path=("flows", 0, "to")),)
        assert (error.message, error.fix) == ("unknown cluster", "use west")

    def test_it_carries_several_findings(self) -> None:
        found = [Finding("first", "a"), Finding("second", "b")]

        assert UserError.of(found).findings == tuple(found)

    def test_the_report_has_an_error_and_a_fix_for_each_finding(self) -> None:
        error = UserError.of([Finding("first", "a"), Finding("second")])

        assert error.report() == "error: first\nfix: a\nerror: second"

    def test_the_report_names_the_severity(self) -> None:
        error = UserError.of([Finding("first", severity=Severity.WARNING)])

        assert error.report() == "warning: first"

    def test_it_can_cross_a_process_boundary(self) -> None:
        error = UserError("unknown cluster", "use west")

        assert pickle.loads(pickle.dumps(error)).findings == error.findings  # noqa: S301 - our own
