"""The page about policies and the schema of the pack's config, written from the rules."""

from __future__ import annotations

import json
import sys
from typing import Any

from policies.pack import FAMILIES, RULES
from policies.rules import DeclaredRule, ResourceRule, Rule

OPENING = """\
# Policies

`pulumi preview -s <stack> --policy-pack policies` judges what the engine is about to make, and
`pulumi up` with the same option makes nothing of a stack that breaks a mandatory rule. Each message
names the resource, the value, why it hurts, and the way out. The rules for production are silent
until the stack file says `mirrorstack:production: true`; `mirrorstack:peers` names the stack files
that are looked at together with it.

Levels are set in a file of their own, one line for each rule:

```json
{"heartbeats-are-emitted": "mandatory", "sources-do-not-merge": "advisory"}
```

`pulumi preview -s <stack> --policy-pack policies --policy-pack-config levels.json` reads it, and
`policies/config.schema.json` is its schema. Rules that are marked *always* stay mandatory, whatever
the file says. What is not known before a deployment is not guessed: the engine says that the rule
could not run, and judges again while it deploys.

"Judged on" tells when: a **stack file** before anything is made; a **resource** before it is made;
a **stack** when all resources are known, which is in the preview. So `pulumi up --skip-preview`
would find out about the last kind after the fact: keep the preview.

This page is generated: `make docs`.
"""


def policies_page() -> str:
    return "\n".join([OPENING, *(_family(title, rules) for title, rules in FAMILIES.items())])


def config_schema() -> dict[str, Any]:
    """Which levels the pack's config may set."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Levels of Mirrorstack's policies",
        "type": "object",
        "properties": {
            "all": _level(["disabled", "advisory", "mandatory"], "Every rule that is not named."),
            **{rule.id: _level(rule.levels, rule.title) for rule in RULES if not rule.locked},
        },
        "additionalProperties": False,
    }


def _level(levels: list[str], about: str) -> dict[str, Any]:
    choice = {"enum": levels}
    nested = {
        "type": "object",
        "properties": {"enforcementLevel": choice},
        "additionalProperties": False,
    }
    return {"description": about, "anyOf": [choice, nested]}


def _family(title: str, rules: list[Rule]) -> str:
    rows = [
        f"| `{rule.id}` | {rule.title} {rule.why} | {_judged_on(rule)} | {rule.level.value}"
        f"{', always' if rule.locked else ''} | {rule.severity.value} |"
        for rule in rules
    ]
    head = ["| rule | what and why | judged on | level | severity |", "|---|---|---|---|---|"]
    return "\n".join([f"## {title}", "", *head, *rows, ""])


def _judged_on(rule: Rule) -> str:
    if isinstance(rule, DeclaredRule):
        return "stack file"
    return "resource" if isinstance(rule, ResourceRule) else "stack"


if __name__ == "__main__":
    wanted = sys.argv[1] if len(sys.argv) > 1 else "page"
    text = json.dumps(config_schema(), indent=2) if wanted == "schema" else policies_page().rstrip()
    sys.stdout.write(f"{text}\n")
