"""The rules of the linter about keys."""

from __future__ import annotations

from mirrorstack.findings import Severity
from mirrorstack.rules.keys.rules import KeyRule


def test_the_value_of_a_rule_is_its_id() -> None:
    assert str(KeyRule.UNKNOWN_KEY) == KeyRule.UNKNOWN_KEY.info.id == "unknown-key"


def test_what_may_be_intended_is_a_warning() -> None:
    warnings = {rule for rule in KeyRule if rule.info.severity is Severity.WARNING}

    assert warnings == {KeyRule.DUPLICATE_KEY, KeyRule.TRAILING_WHITESPACE}


def test_no_config_of_the_policy_pack_relaxes_them() -> None:
    assert not any(rule.info.can_be_relaxed for rule in KeyRule)
