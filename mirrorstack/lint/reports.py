"""Lint findings as text, JSON and SARIF."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.parse import quote

from mirrorstack.findings import Finding, Severity, printable
from mirrorstack.rules.registry import LINT_RULES

JSON_VERSION = 2
SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def as_text(
    findings: Sequence[Finding], files: Sequence[Path], _errors: Sequence[Finding] = ()
) -> str:
    """`FILE:LINE: error: message [rule]`, then the fix, for each finding; then a summary."""
    lines = []
    for one in findings:
        lines.append(
            f"{one.file}:{one.line or 1}: {one.severity}: {_inline(one.message)} [{one.rule}]"
        )
        if one.fix:
            lines.append(f"  fix: {_inline(one.fix)}")
    return printable("\n".join([*lines, _summary(findings, files)]))


def _inline(sentence: str) -> str:
    return sentence.removesuffix(".").replace("\n", r"\n")


def _summary(findings: Sequence[Finding], files: Sequence[Path]) -> str:
    counts = [
        (sum(one.severity is severity for one in findings), severity) for severity in Severity
    ]
    counted = [f"{count} {name}{'' if count == 1 else 's'}" for count, name in counts if count]
    where = f"{len(files)} file{'' if len(files) == 1 else 's'}"
    return f"{' and '.join(counted) or 'no findings'} in {where}"


def as_json(
    findings: Sequence[Finding], files: Sequence[Path], errors: Sequence[Finding] = ()
) -> str:
    """`errors`: the files that cannot be read, and why."""
    return json.dumps(
        {
            "version": JSON_VERSION,
            "files": [str(path) for path in files],
            "errors": [
                {"file": one.file, "line": one.line, "message": one.message, "fix": one.fix}
                for one in errors
            ],
            "findings": [
                {
                    "file": one.file,
                    "line": one.line or 1,
                    "severity": one.severity,
                    "rule": one.rule,
                    "key": one.key,
                    "message": one.message,
                    "fix": one.fix,
                }
                for one in findings
            ],
        },
        indent=2,
    )


def as_sarif(
    findings: Sequence[Finding], _files: Sequence[Path], _errors: Sequence[Finding] = ()
) -> str:
    """SARIF 2.1.0, for code-scanning services."""
    indexes = {rule.id: index for index, rule in enumerate(LINT_RULES)}
    driver = {
        "name": "mirrorstack lint",
        "version": version("mirrorstack"),
        "rules": [
            {
                "id": rule.id,
                "shortDescription": {"text": rule.title},
                "fullDescription": {"text": f"{rule.title} Otherwise: {rule.reason}"},
                "defaultConfiguration": {"level": rule.severity},
            }
            for rule in LINT_RULES
        ],
    }
    results = [
        {
            "ruleId": one.rule,
            "ruleIndex": indexes[one.rule],
            "level": one.severity,
            "message": {"text": _sarif_message(one)},
            "locations": [_sarif_location(one)],
        }
        for one in findings
    ]
    run = {"tool": {"driver": driver}, "results": results, "columnKind": "utf16CodeUnits"}
    return json.dumps({"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2)


def _sarif_message(finding: Finding) -> str:
    message = f"{_inline(finding.message)}."
    return f"{message} fix: {finding.fix}" if finding.fix else message


def _sarif_location(finding: Finding) -> dict[str, Any]:
    path = Path(finding.file)
    uri = path.as_uri() if path.is_absolute() else quote(os.fsencode(path.as_posix()))
    return {
        "physicalLocation": {
            "artifactLocation": {"uri": uri},
            "region": {"startLine": finding.line or 1},
        },
    }
