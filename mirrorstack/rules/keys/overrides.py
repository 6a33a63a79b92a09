"""The keys of MirrorMaker that a stack file sets itself, judged where they stand in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mirrorstack.config.settings import StackSettings
from mirrorstack.findings import Finding, Severity, UserError
from mirrorstack.mm2.connector_configs import ConnectorKind
from mirrorstack.rules.keys.connector import CLASS, findings_of
from mirrorstack.rules.registry import Rule

Path = tuple[str | int, ...]

# Topics, grants and what counts as healthy follow from these; a connector that has others would do
# what nothing was made for.
OF_THE_FLOW = {
    "topics": "topics",
    "topics.exclude": "exclude",
    "groups": "groups",
    "groups.exclude": "exclude-groups",
    "source.cluster.alias": "from",
    "target.cluster.alias": "to",
}


def override_findings(flows: Sequence[Mapping[str, Any]]) -> Iterator[tuple[Path, Finding]]:
    """From the flows as a stack file declares them: where each key stands, and what is wrong."""
    for number, flow in enumerate(flows):
        for kind in ConnectorKind:
            given = (flow.get("override") or {}).get(kind.value) or {}
            of_the_flow = [_of_the_flow(key) for key in given if key in OF_THE_FLOW]
            found = findings_of({CLASS: kind.java_class, **given}, complete=False)
            for one in (*of_the_flow, *found):
                yield ("flows", number, "override", kind.value, one.key), one


def _of_the_flow(key: str) -> Finding:
    word = OF_THE_FLOW[key]
    return Finding(
        f"{key} is what the flow says with `{word}`, and topics, grants and checks follow from it",
        f"take it off, and say it with the flow's `{word}`",
        rule=Rule.CONFLICT,
        path=(key,),
    )


def check_overrides(settings: StackSettings, where: str) -> None:
    """The first error, by its place in the file; warnings are for the linter."""
    every = override_findings(settings.declared()["flows"])
    errors = [(path, one) for path, one in every if one.severity is Severity.ERROR]
    for path, one in errors[:1]:
        place = ".".join(map(str, path[:-1]))
        left = len(errors) - 1
        more = f"; {left} more to correct: `mirrorstack lint {where}`" if left else ""
        raise UserError(f"{where}: mirrorstack:{place}: {one.message}.", one.fix + more)
