"""A report on every part: version, origin, location, error and fix.

It works without a set-up: `python3 -m toolchain doctor`.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from mirrorstack.console import Console, table
from mirrorstack.findings import Finding
from toolchain.cache import Cache
from toolchain.chromium import Chromium
from toolchain.fallback.language_host_part import EXECUTABLE
from toolchain.part import InstalledPart, Part
from toolchain.pulumi import Pulumi
from toolchain.setup import PLATFORM_PLUGINS, visit_parts
from toolchain.shell import pulumi_home

JSON_VERSION = 1
TEST_PLATFORMS = {
    "Docker daemon": "docker-packages",
    "Kubernetes node": "kubernetes-1",
    "Strimzi's API": "strimzi-definitions",
}
"""Real parts of the tests: how the names of their entries in the cache begin."""


@dataclass(frozen=True)
class PartReport:
    part: str
    version: str = ""
    """Empty if it is not installed."""
    origin: str = ""
    location: str = ""
    error: str = ""
    fix: str = ""
    note: str = ""

    @property
    def mark(self) -> str:
        return "✗" if self.error else "✓" if self.version else "·"


def report_parts(root: Path) -> list[PartReport]:
    version = ".".join(str(number) for number in sys.version_info[:3])
    reports = [PartReport("Python", version, "runs this command", sys.executable)]

    def visit(part: Part) -> InstalledPart:
        found = part.find()
        if found is None:
            error = part.why_missing() or f"not installed; {part.why}"
            fix = "run `make setup`" if part.methods() else part.fix
            reports.append(PartReport(part.name, error=error, fix=fix))
            return InstalledPart(Path("missing"), "", "")
        error = part.check(found)
        remove = " and ".join(map(str, part.paths_to_remove(found)))
        reports.append(
            PartReport(
                part.name,
                found.version,
                found.origin,
                str(found.path),
                error,
                f"remove {remove}, then run `make setup`" if error else "",
                found.warning,
            )
        )
        if isinstance(part, Pulumi):
            reports.append(_language_host(found))
        return found

    visit_parts(root, Console(), visit)
    reports.append(_browser())
    return reports


def report_platforms() -> list[PartReport]:
    """What only some runtimes need, and what only the tests of these runtimes need. Nothing of it
    is an error if it is missing."""
    cache, nowhere = Cache.of_user(), Path("missing")
    reports = []
    for runtime, plugin in PLATFORM_PLUGINS.items():
        part = plugin(cache, nowhere, nowhere, pulumi_home(), Console())
        only = f"only for `runtime: {runtime}`"
        if found := part.find():
            error = part.check(found)
            fix = f"remove {found.path.parent}, then run `make {runtime}`" if error else ""
            origin = f"{found.origin}, {only}"
            report = PartReport(part.name, found.version, origin, str(found.path), error, fix)
        else:
            note = f"not installed; {only}: run `make {runtime}`"
            report = PartReport(part.name, origin=only, note=note)
        reports.append(report)
    only = "only for `make test-platforms`"
    for name, entry in TEST_PLATFORMS.items():
        entries = sorted(cache.root.glob(f"{entry}*"))
        reports.append(
            PartReport(name, "cached", only, str(entries[-1]))
            if entries
            else PartReport(name, origin=only, note=f"not installed; {only}, which installs it")
        )
    return reports


def _browser() -> PartReport:
    """Not an error if it is missing: only the tests need it."""
    part = Chromium()
    if found := part.find():
        return PartReport(
            part.name, found.version, f"{found.origin}, only for tests", str(found.path)
        )
    how = "`make test` installs it" if part.methods() else part.fix
    note = f"not installed; only the tests need it: {how}"
    return PartReport(part.name, origin="only for tests", note=note)


def _language_host(pulumi: InstalledPart) -> PartReport:
    """The language host that the CLI runs: the one in its own directory."""
    host = pulumi.path.resolve().parent / EXECUTABLE
    name = "Python language host"
    if not host.exists():
        error = f"not in Pulumi's directory {host.parent}"
        return PartReport(name, error=error, fix="run `make setup`")
    is_fallback = host.is_symlink() and "language-host-" in str(host.resolve())
    origin = "from this repository" if is_fallback else "installed with Pulumi"
    return PartReport(name, pulumi.version, origin, str(host.resolve()))


def text_report(reports: Sequence[PartReport]) -> str:
    rows = [
        [report.mark, report.part, report.version or "-", report.origin or "-"]
        for report in reports
    ]
    lines = [table(["", "part", "version", "origin"], rows)]
    for report in reports:
        if report.error:
            lines.append(f"\nerror: {Finding(f'{report.part}: {report.error}', report.fix)}")
        elif report.note:
            lines.append(f"\nnote: {report.part}: {report.note}")
    return "\n".join(lines)


def json_document(reports: Sequence[PartReport]) -> dict[str, Any]:
    return {"version": JSON_VERSION, "parts": [asdict(report) for report in reports]}
