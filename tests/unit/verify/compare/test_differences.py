"""Kinds of differences."""

from __future__ import annotations

from mirrorstack.verify.compare.differences import MOST_SEVERE_FIRST, DifferenceKind


def test_every_kind_has_a_severity() -> None:
    assert sorted(MOST_SEVERE_FIRST) == sorted(DifferenceKind)
