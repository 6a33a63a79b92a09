"""report.html: complete, self-contained, and escaped."""

from __future__ import annotations

from mirrorstack.verify.report.page import group_rows, page, short_alias
from tests import reports


def test_names_keys_and_values_cannot_become_html() -> None:
    written = page(reports.different())

    assert reports.EVIL not in written
    assert "&lt;script&gt;" in written
    assert "<script" not in written


def test_the_page_needs_no_network() -> None:
    written = page(reports.different())

    assert "http://" not in written
    assert "https://" not in written


def test_the_page_shows_findings_with_their_fixes() -> None:
    written = page(reports.different())

    assert '<li class="error">✗ <span>orders-2: 3 records missing</span></li>' in written
    assert "<small>fix: run `pulumi up`</small>" in written
    assert '<li class="warning">!' in written


def test_safe_partitions_of_a_group_share_a_row() -> None:
    rows = list(group_rows(reports.different().flows[0].groups))

    assert [row.css_class for row in rows] == ["", "is-bad", "is-bad", "is-odd", ""]
    assert rows[0].cells[2] == "1 of 3"


def test_long_aliases_are_shortened_in_the_diagram() -> None:
    assert short_alias("frankfurt-production") == "frankfurt-pr…"
    assert short_alias("east") == "east"
