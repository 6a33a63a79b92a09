"""report.html in a real Chromium: desktop, phone and print, light and dark, without a network."""

from __future__ import annotations

import re
import struct
from dataclasses import replace
from pathlib import Path

import pytest

from mirrorstack.verify.history.latency import BUCKETS, Latency, LatencyBucket
from mirrorstack.verify.report.page import STYLE, history_html, page
from tests import reports
from tests.browser import DESK, PAPER, PHONE, Browser, Look, as_printed, main

VERDICT = "header.verdict h1"
PARTS = {
    "section": 2,
    ".diagram": 2,
    ".findings li": 5,
    ".tile": 8,
    ".chart": 3,
    ".heat .topic": 5,
    ".heat .cell": 139,
    "table.groups tbody tr": 5,
    "table.records tr:not(.payloads) td:first-child": 6,
    ".payload": 3,
    "footer": 1,
}
"""Selectors, and how many matches each has on the page with differences."""
Looks = dict[tuple[str, str], list[Look]]
"""By page and color scheme: desktop and phone."""
PAGES = {"equal": page(reports.equal()), "different": page(reports.different())}


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Browser:
    return Browser(tmp_path_factory.mktemp("browser"))


@pytest.fixture(scope="module")
def looks(browser: Browser) -> Looks:
    return {
        (name, scheme): browser.look(PAGES[name], DESK, PHONE, scheme=scheme, at=[VERDICT, *PARTS])
        for name in PAGES
        for scheme in ("light", "dark")
    }


def test_no_screen_has_errors_requests_cut_faint_or_overlapping_text(looks: Looks) -> None:
    for (name, scheme), (desk, phone) in looks.items():
        assert desk.faults == {}, f"{name}, {scheme}, desktop"
        assert phone.faults == {}, f"{name}, {scheme}, phone"


def test_the_verdict_is_at_the_top(looks: Looks) -> None:
    for (name, _), seen in looks.items():
        for look, (width, height) in zip(seen, (DESK, PHONE), strict=True):
            (verdict,) = look.selectors[VERDICT]
            assert verdict.on_top
            assert 0 <= verdict.top < verdict.top + verdict.height < height / 4
            assert verdict.width > width / 2
            words = "are equal" if name == "equal" else "differ"
            assert look.text.startswith(f"Source and target {words}.")


def test_every_section_is_displayed(looks: Looks) -> None:
    for look in looks["different", "light"]:
        assert {at: len(look.selectors[at]) for at in PARTS} == PARTS
        for at in PARTS:
            assert all(box.width > 10 and box.height > 10 for box in look.selectors[at]), at


def test_an_equal_report_has_all_sections_except_differences(looks: Looks) -> None:
    for look in looks["equal", "light"]:
        absent = {at for at in PARTS if not look.selectors[at]}
        assert absent == {".findings li", ".payload", *(at for at in PARTS if "records" in at)}


def test_texts_in_charts_are_readable_on_a_phone(looks: Looks) -> None:
    _, phone = looks["different", "light"]
    assert all(box.width > 0.9 * PHONE[0] for box in phone.selectors[".diagram"])
    assert all(box.width > 0.8 * PHONE[0] for box in phone.selectors[".chart"])


def test_the_page_follows_light_and_dark(looks: Looks) -> None:
    for name in PAGES:
        light, dark = (looks[name, scheme][0].background for scheme in ("light", "dark"))
        assert min(channels(light)) > 200
        assert max(channels(dark)) < 60


def channels(colour: str) -> list[int]:
    return [int(each) for each in re.findall(r"\d+", colour)[:3]]


def test_names_that_are_html_are_displayed_as_text(looks: Looks) -> None:
    for look in looks["different", "light"]:
        assert look.scripts == 1, "the script of the test"
        assert look.title == f"{reports.EVIL}: different"
        assert look.text.count(reports.EVIL) >= 7, (
            "stack, finding, topic, group, record, key, value"
        )


def test_a_print_is_complete_and_white_even_in_dark_mode(
    browser: Browser,
) -> None:
    (paper,) = browser.look(
        as_printed(PAGES["different"]), PAPER, scheme="dark", at=[VERDICT, *PARTS]
    )

    assert paper.faults == {}
    assert paper.background == "rgb(255, 255, 255)"
    assert {at: len(paper.selectors[at]) for at in PARTS} == PARTS
    for at in PARTS:
        assert all(box.width > 10 and box.height > 10 for box in paper.selectors[at]), at


def test_screenshots_show_the_whole_page_and_the_pdf_has_pages(tmp_path: Path) -> None:
    (tmp_path / "report.html").write_text(PAGES["equal"])

    main(tmp_path / "report.html", tmp_path / "pictures")

    light, dark, pdf = (
        (tmp_path / "pictures" / name).read_bytes()
        for name in ("report-light.png", "report-dark.png", "report.pdf")
    )
    assert light.startswith(b"\x89PNG")
    assert light != dark
    width, height = struct.unpack(">II", light[16:24])
    assert width == DESK[0] + PHONE[0]
    assert height > 1000
    assert pdf.startswith(b"%PDF-")
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) in (1, 2)


def test_texts_of_charts_never_overlap(browser: Browser) -> None:
    bounds = (*BUCKETS, None)
    spans = [(low, high) for high in range(len(bounds)) for low in range(high + 1)]
    buckets = [
        tuple(LatencyBucket(up_to, at in span) for at, up_to in enumerate(bounds)) for span in spans
    ]
    charts = [
        history_html(replace(reports.PAST, latency=Latency(2, 1, 1, 1, each))) for each in buckets
    ]
    styled = f"<html><head><style>{STYLE.read_text()}</style></head>"

    seen = browser.look(
        f"<!doctype html>{styled}<body>{''.join(charts)}</body></html>", DESK, PHONE
    )

    assert [look.overlapping for look in seen] == [[], []]


def test_faults_of_a_page_are_detected(browser: Browser) -> None:
    """Otherwise the tests above would prove nothing."""
    wrong = """<!doctype html><html><head></head><body>
        <script>nowhere()</script><img src="http://nowhere.example/picture.png">
        <p style="color: #aaa">faint</p><p style="width: 1200px">wide</p>
        <svg viewBox="0 0 90 20"><text y="9">one</text><text y="9" x="9">two</text></svg>
        </body></html>"""

    (look,) = browser.look(wrong, DESK)

    assert any("nowhere is not defined" in each for each in look.troubles)
    assert any("picture.png" in each for each in look.troubles)
    assert look.addresses == look.fetched == ["http://nowhere.example/picture.png"]
    assert [each for each in look.faint if "faint" in each]
    assert [each for each in look.cut if "wide" in each]
    assert look.overlapping == ["one / two"]
    assert look.scripts == 2
