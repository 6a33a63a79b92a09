"""Findings as people, programs and code-scanning services read them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.parse import quote

from mirrorstack.findings import Severity
from mirrorstack.lint.entries import Placed
from mirrorstack.rules.registry import ABOUT, Rule

Findings = Mapping[Path, Sequence[Placed]]
"""By file, in the order they were given."""

SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def as_text(findings: Findings) -> str:
    lines = [
        f"{path}:{one.line}: {one.finding.severity}: {one.finding.message} [{one.finding.rule}]\n"
        f"  fix: {one.finding.fix}"
        for path, found in findings.items()
        for one in found
    ]
    return "\n".join([*lines, _summary(findings)])


def _summary(findings: Findings) -> str:
    counts = {
        severity: sum(one.finding.severity is severity for f in findings.values() for one in f)
        for severity in Severity
    }
    told = [f"{n} {name}{'' if n == 1 else 's'}" for name, n in counts.items() if n]
    files = f"{len(findings)} file{'' if len(findings) == 1 else 's'}"
    return f"{' and '.join(told) or 'nothing found'} in {files}"


def as_json(findings: Findings) -> str:
    return json.dumps(
        {
            "files": [str(path) for path in findings],
            "findings": [
                {
                    "file": str(path),
                    "line": one.line,
                    "severity": one.finding.severity,
                    "rule": one.finding.rule,
                    "key": one.finding.key,
                    "message": one.finding.message,
                    "fix": one.finding.fix,
                }
                for path, found in findings.items()
                for one in found
            ],
        },
        indent=2,
    )


def as_sarif(findings: Findings) -> str:
    """SARIF 2.1.0, for GitHub's code scanning and the like."""
    rules = list(ABOUT)
    driver = {
        "name": "mirrorstack lint",
        "version": version("mirrorstack"),
        "rules": [{"id": rule, "shortDescription": {"text": ABOUT[rule]}} for rule in rules],
    }
    results = [
        {
            "ruleId": one.finding.rule,
            "ruleIndex": rules.index(Rule(one.finding.rule)),
            "level": one.finding.severity,
            "message": {"text": f"{one.finding.message}. Fix: {one.finding.fix}"},
            "locations": [_location(path, one.line)],
        }
        for path, found in findings.items()
        for one in found
    ]
    run = {"tool": {"driver": driver}, "results": results, "columnKind": "utf16CodeUnits"}
    return json.dumps({"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2)


def _location(path: Path, line: int) -> dict[str, Any]:
    uri = path.as_uri() if path.is_absolute() else quote(path.as_posix())
    return {
        "physicalLocation": {"artifactLocation": {"uri": uri}, "region": {"startLine": line}},
    }
