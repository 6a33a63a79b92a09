"""Rules about what a deployment takes away."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pulumi_policy import Severity

from mirrorstack.model.leaving import Leaving, unmeant
from mirrorstack.problem import Problem
from policies.rules import ResourceRule, Rule
from policies.view import LEDGER, plain


def _unmeant(props: Mapping[str, Any]) -> Iterator[Problem]:
    intents = plain(props.get("intent") or {})
    for each in plain(props.get("leaving") or []):
        count = each.get("mirrored")
        left = Leaving(**{**each, "mirrored": None if count is None else int(count)})
        yield from unmeant(left, intents)


CHANGE_RULES: list[Rule] = [
    ResourceRule(
        id="connectors-leave-on-purpose",
        title="A connector must not go away or lose its offsets unless the stack file says so.",
        why="Records are skipped, or all of them are mirrored again.",
        severity=Severity.CRITICAL,
        type=LEDGER,
        judge=_unmeant,
    ),
]
