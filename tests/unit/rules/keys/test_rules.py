"""The rules of the linter about keys."""

from __future__ import annotations

import re

from mirrorstack.rules.keys.rules import KeyRule
from mirrorstack.rules.registry import LINT_RULES, TITLES


def test_the_value_of_a_rule_is_its_id() -> None:
    assert str(KeyRule.UNKNOWN_KEY) == "unknown-key"


def test_every_rule_is_described_in_sentences() -> None:
    assert [rule for rule in KeyRule if not re.fullmatch(r"[A-Z].*\.", rule.description)] == []


def test_no_id_is_that_of_another_rule() -> None:
    ids = [*(rule.value for rule in KeyRule), *(rule.id for rule in LINT_RULES)]

    assert len(TITLES) == len(set(ids)) == len(ids)
