"""Every code has an effect on the verdict."""

from __future__ import annotations

import pytest

from mirrorstack.findings import Severity
from mirrorstack.verify.compare.differences import DifferenceKind
from mirrorstack.verify.report.codes import (
    DIFFERENCE_CODES,
    INCONCLUSIVE,
    WARNINGS,
    Verdict,
    VerifyCode,
    effect,
    finding,
    most_severe,
)


@pytest.mark.parametrize("code", VerifyCode)
def test_errors_make_the_verdict_different_and_nothing_else_does(code: VerifyCode) -> None:
    found = finding(code, "east-to-west", "anything")

    assert (effect(found) is Verdict.DIFFERENT) == (found.severity is Severity.ERROR)


def test_a_code_is_either_inconclusive_or_a_warning() -> None:
    assert not INCONCLUSIVE & WARNINGS


def test_the_most_severe_verdict_wins() -> None:
    assert most_severe([]) is Verdict.EQUAL
    assert most_severe([Verdict.EQUAL, Verdict.INCONCLUSIVE]) is Verdict.INCONCLUSIVE
    assert most_severe([Verdict.INCONCLUSIVE, Verdict.DIFFERENT]) is Verdict.DIFFERENT


def test_every_kind_of_difference_has_a_code() -> None:
    assert set(DIFFERENCE_CODES) == set(DifferenceKind)


def test_exit_statuses_are_0_1_and_2() -> None:
    assert [verdict.exit_status for verdict in Verdict] == [0, 1, 2]
