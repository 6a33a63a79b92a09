"""One registry: every rule is there, once."""

from __future__ import annotations

import re

import pytest

from mirrorstack.changes import rules as change_rules
from mirrorstack.findings import Severity
from mirrorstack.rules.keys.rules import KeyRule
from mirrorstack.rules.registry import LINT_RULES, RULES
from mirrorstack.rules.rule import Level, RuleInfo

EVERY: list[RuleInfo] = list(dict.fromkeys([*RULES, *LINT_RULES, *change_rules.RULES]))


def test_every_id_is_used_once() -> None:
    ids = [rule.id for rule in EVERY]

    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("rule", EVERY, ids=lambda rule: rule.id)
def test_a_rule_says_in_sentences_what_must_hold_and_why(rule: RuleInfo) -> None:
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", rule.id)
    assert rule.title.endswith(".")
    assert rule.reason.endswith(".")


def test_what_the_pack_only_advises_is_a_warning_of_the_linter() -> None:
    advisory = [rule for rule in EVERY if rule.level is Level.ADVISORY]

    assert advisory == [rule for rule in EVERY if rule.severity is Severity.WARNING]


def test_the_rules_about_keys_are_among_those_of_the_linter() -> None:
    ids = [rule.id for rule in LINT_RULES]

    assert set(KeyRule) < set(ids)
    assert len(ids) == len(set(ids))
