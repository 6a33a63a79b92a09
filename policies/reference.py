"""Generates docs/policies.md and the schema of the pack's config from the rules."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Any

from mirrorstack.rules.rule import Rule
from policies.adapter import levels, resource_types
from policies.pack import FAMILIES, RULES
from policies.resources import MIRROR_STACK

OPENING = """\
# Policies

`pulumi preview -s <stack> --policy-pack policies` checks the resources that the engine is about to
create. `pulumi up` with the same option refuses to deploy a stack that violates a mandatory rule.
Each violation names the resource and the value, says why it matters, and how to fix it. The rules
for production apply when the stack file has `mirrorstack:production: true`. `mirrorstack:peers`
names the stack files that are checked together with it. Without `--policy-pack`, a deployment only
warns about replication cycles and does not check intents.

A file of its own sets the levels, one line per rule:

```json
{"emit-heartbeats": "mandatory", "no-merged-sources": "advisory"}
```

Pass it with `pulumi preview -s <stack> --policy-pack policies --policy-pack-config levels.json`;
`policies/config.schema.json` is its schema. Rules with the level *mandatory, always* cannot be
relaxed. A value that is not known before the deployment is not guessed: the engine reports that the
rule could not run, and checks it during the deployment.

"Checked on" says when: a **stack file** before any resource is created, a **resource** before it is
created, a **stack** when all resources are known, which is in the preview. `pulumi up
--skip-preview` therefore reports rules of the last kind after the deployment: keep the preview.

The linter (`mirrorstack lint`) reports the rules that apply to files under the same ids.

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
            **{rule.id: _level(levels(rule), rule.title) for rule in RULES if rule.can_be_relaxed},
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


def _family(title: str, rules: Sequence[Rule[Any]]) -> str:
    rows = [
        f"| `{rule.id}` | {rule.title} | {rule.reason} | {_checked_on(rule)} | {rule.level.value}"
        f"{'' if rule.can_be_relaxed else ', always'} | {rule.risk.value} |"
        for rule in rules
    ]
    head = [
        "| rule | what must hold | otherwise | checked on | level | severity |",
        "|---|---|---|---|---|---|",
    ]
    return "\n".join([f"## {title}", "", *head, *rows, ""])


def _checked_on(rule: Rule[Any]) -> str:
    kind = next(iter(resource_types(rule)), None)
    if kind == MIRROR_STACK:
        return "stack file"
    return "resource" if kind else "stack"


if __name__ == "__main__":
    wanted = sys.argv[1] if len(sys.argv) > 1 else "page"
    text = json.dumps(config_schema(), indent=2) if wanted == "schema" else policies_page().rstrip()
    sys.stdout.write(f"{text}\n")
