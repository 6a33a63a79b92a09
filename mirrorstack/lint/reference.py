"""Generates the tables of rules in docs/lint.md."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from mirrorstack.rules.registry import LINT_FAMILIES
from mirrorstack.rules.rule import RuleInfo

BEGIN = "<!-- The rules are generated: `make docs`. -->\n"
END = "<!-- End of the rules. -->\n"


def with_rules(page: str) -> str:
    """The page with current tables between its markers."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    tables = "\n".join(_family(title, rules) for title, rules in LINT_FAMILIES.items())
    return f"{before}{BEGIN}\n{tables}\n{END}{after}"


def _family(title: str, rules: Sequence[RuleInfo]) -> str:
    rows = [f"| `{one.id}` | {one.title} | {one.reason} | {one.severity} |" for one in rules]
    head = ["| rule | what must hold | otherwise | severity |", "|---|---|---|---|"]
    return "\n".join([f"## {title}", "", *head, *rows, ""])


if __name__ == "__main__":
    sys.stdout.write(with_rules(Path(sys.argv[1]).read_text("utf-8")))
