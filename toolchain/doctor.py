"""Every part, its version, where it came from, and what is wrong with it.

It must work where nothing else does, so it needs no set-up: `python3 -m toolchain doctor`.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from mirrorstack.console import Console, table
from toolchain.chromium import Chromium
from toolchain.language_host_part import EXECUTABLE
from toolchain.part import Found, Part
from toolchain.pulumi import Pulumi
from toolchain.setup import walk


@dataclass(frozen=True)
class Finding:
    part: str
    version: str
    source: str
    path: str
    wrong: str = ""
    fix: str = ""
    note: str = ""


def examine(root: Path) -> list[Finding]:
    version = ".".join(str(number) for number in sys.version_info[:3])
    findings = [Finding("Python", version, "running this command", sys.executable)]

    def visit(part: Part) -> Found:
        found = part.have()
        if found is None:
            wrong = part.wrong() or f"it is not there; {part.why}"
            fix = "type `make setup`" if part.ways() else part.fix
            findings.append(Finding(part.name, "-", "-", "-", wrong, fix))
            return Found(Path("missing"), "-", "-")
        wrong = part.examine(found)
        remove = " and ".join(map(str, part.to_remove(found)))
        fix = f"remove {remove}, then type `make setup`" if wrong else ""
        findings.append(
            Finding(
                part.name,
                found.version,
                found.source,
                str(found.path),
                wrong,
                fix,
                found.warning,
            )
        )
        if isinstance(part, Pulumi):
            findings.append(_language_host(found))
        return found

    walk(root, Console(), visit)
    findings.append(_browser())
    return findings


def _browser() -> Finding:
    """Nothing is wrong where it is not there: who runs no tests needs none."""
    part = Chromium()
    if found := part.have():
        return Finding(part.name, found.version, f"{found.source}, only for tests", str(found.path))
    way = "`make test` gets it" if part.ways() else part.fix
    note = f"it is not there, and only tests need it: {way}"
    return Finding(part.name, "-", "only for tests", "-", note=note)


def _language_host(pulumi: Found) -> Finding:
    """The host that the CLI will take: the one beside its own file."""
    host = pulumi.path.resolve().parent / EXECUTABLE
    name = "Python language host"
    if not host.exists():
        return Finding(name, "-", "-", "-", "it is not beside Pulumi", "type `make setup`")
    ours = host.is_symlink() and "language-host-" in str(host.resolve())
    source = "written in Python, from this repository" if ours else "came with Pulumi"
    return Finding(name, pulumi.version, source, str(host.resolve()))


def _mark(finding: Finding) -> str:
    return "✗" if finding.wrong else "✓" if finding.version != "-" else "·"


def page(findings: list[Finding]) -> str:
    rows = [[_mark(finding), finding.part, finding.version, finding.source] for finding in findings]
    lines = [table(["", "part", "version", "where it came from"], rows)]
    for finding in findings:
        if finding.wrong:
            lines.append(f"\n{finding.part}: {finding.wrong}\nfix: {finding.fix}")
        elif finding.note:
            lines.append(f"\n{finding.part}: note: {finding.note}")
    return "\n".join(lines)
