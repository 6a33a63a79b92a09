"""The rules in docs/lint.md."""

from __future__ import annotations

from mirrorstack.lint.reference import BEGIN, END, with_rules
from mirrorstack.rules.registry import LINT_RULES
from tests.unit.toolchain.machine import ROOT

PAGE = (ROOT / "docs" / "lint.md").read_text("utf-8")


def test_the_page_is_current() -> None:
    assert with_rules(PAGE) == PAGE, "run `make docs`"


def test_every_rule_has_a_row_between_the_markers() -> None:
    made = with_rules(f"before\n{BEGIN}| `old-rule` |\n{END}after\n")

    assert made.startswith(f"before\n{BEGIN}")
    assert made.endswith(f"{END}after\n")
    assert "old-rule" not in made
    for rule in LINT_RULES:
        assert f"| `{rule.id}` | {rule.title} | {rule.reason} | {rule.severity} |" in made
