"""Notes: what a rendered or imported file does not express as the original did."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from mirrorstack.findings import Finding, Severity, printable


def note(
    message: str,
    fix: str = "",
    *,
    flow: str | None = None,
    cluster: str | None = None,
    connector: str | None = None,
) -> Finding:
    """A note whose message starts with the flow, cluster or connector it is about."""
    subjects = (("flow", flow), ("cluster", cluster), ("connector", connector))
    prefix = "".join(f"{kind} {name}: " for kind, name in subjects if name is not None)
    return Finding(
        f"{prefix}{message}",
        fix,
        severity=Severity.NOTE,
        flow=flow,
        cluster=cluster,
        connector=connector,
    )


def as_comments(notes: Iterable[Finding]) -> str:
    """Comment lines for the top of a properties or YAML file."""
    lines = []
    for one in notes:
        lines.append(f"#   - {_one_line(one.message)}\n")
        if one.fix:
            lines.append(f"#     fix: {_one_line(one.fix)}\n")
    return "".join(lines)


def _one_line(text: str) -> str:
    """A line break would end the comment, and YAML allows no control characters in one."""
    return printable(" ".join(text.split()))


def as_document(notes: Iterable[Finding]) -> list[dict[str, Any]]:
    """For `--json`."""
    return [
        {
            "flow": one.flow,
            "cluster": one.cluster,
            "connector": one.connector,
            "message": one.message,
            "fix": one.fix,
        }
        for one in notes
    ]
