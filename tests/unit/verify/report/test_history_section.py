"""The charts about the past of a flow."""

from __future__ import annotations

import re
from dataclasses import replace

from mirrorstack.verify.history.latency import latency
from mirrorstack.verify.history.replication_history import History
from mirrorstack.verify.report.page import history_html

NOON = 1_800_000_000_000
SAMPLES = [(NOON + 1000 + each, NOON + 1000) for each in range(1, 301)]
PAST = History(
    offset_syncs=300,
    omitted=12,
    first=NOON,
    last=NOON + 4000,
    interval=1000,
    lag=(9000, 4000, 10, 0, 0),
    rate=(5000.0, 3990.0, 10.0, 0.0),
    latency=latency(SAMPLES, NOON, deleted=0),
)


def test_the_section_shows_three_charts_and_their_origin() -> None:
    section = " ".join(history_html(PAST).split())

    assert section.count("<svg") == 3
    assert "9,000 at most, 0 at the end" in section
    assert "up to 5,000 records/s, about 9,000 in total" in section
    assert "median 150 ms, 95 % within 285 ms, maximum 300 ms" in section
    assert "From 300 offset syncs of MirrorMaker between 2027-01-15 08:00:00 UTC" in section
    assert "12 others are omitted" in section


def test_records_left_out_of_the_latency_are_counted() -> None:
    samples = [(NOON, NOON - 5), (NOON, NOON + 5)]

    section = history_html(replace(PAST, latency=latency(samples, NOON, deleted=3)))

    assert section.count("<svg") == 2
    assert "No sample is newer than the first offset sync" in section
    assert "1 older than the first offset sync" in section
    assert "1 with a timestamp later than their replication" in section
    assert "3 no longer on the source" in section


def test_a_slow_rate_is_not_rounded_to_zero() -> None:
    assert "up to 0.02 records/s" in history_html(replace(PAST, rate=(0.0, 0.02, 0.0, 0.0)))


def test_one_offset_sync_has_a_latency_but_no_lag() -> None:
    one = replace(PAST, interval=0, lag=(), rate=(), last=NOON)

    assert history_html(one).count("<svg") == 1
    assert "nothing to draw" in history_html(one)


def test_without_offset_syncs_there_are_no_charts() -> None:
    assert "<svg" not in history_html(None)
    assert "has written no offset syncs" in history_html(None)


def test_the_section_has_no_script_and_no_link() -> None:
    assert not re.search(r"<script|https?://|url\(|href|src=", history_html(PAST))
