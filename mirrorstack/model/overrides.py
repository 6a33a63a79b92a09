"""The keys of MirrorMaker that a stack file sets itself, judged where they stand in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mirrorstack.model.connector_findings import CLASS, findings_of
from mirrorstack.model.connectors import Kind
from mirrorstack.model.key_rules import KeyFinding, Severity
from mirrorstack.model.settings import StackSettings
from mirrorstack.problem import Problem

Path = tuple[str | int, ...]


def override_findings(flows: Sequence[Mapping[str, Any]]) -> Iterator[tuple[Path, KeyFinding]]:
    """From the flows as a stack file declares them: where each key stands, and what is wrong."""
    for number, flow in enumerate(flows):
        for kind in Kind:
            given = (flow.get("override") or {}).get(kind.value) or {}
            for one in findings_of({CLASS: kind.java_class, **given}, complete=False):
                yield ("flows", number, "override", kind.value, one.key), one


def check_overrides(settings: StackSettings, where: str) -> None:
    """The first error, by its place in the file; warnings are for the linter."""
    every = override_findings(settings.declared()["flows"])
    errors = [(path, one) for path, one in every if one.severity is Severity.ERROR]
    for path, one in errors[:1]:
        place = ".".join(map(str, path[:-1]))
        left = len(errors) - 1
        more = f"; {left} more to correct: `mirrorstack lint {where}`" if left else ""
        raise Problem(f"{where}: mirrorstack:{place}: {one.what}.", one.way_out + more)
