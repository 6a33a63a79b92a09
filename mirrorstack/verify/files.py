"""Where reports are kept: the last one of each stack, which the next run remembers."""

from __future__ import annotations

from pathlib import Path

from mirrorstack.verify.page import page
from mirrorstack.verify.report import Report, remembered_ids

JSON, HTML = "report.json", "report.html"


def read_ids(directory: Path) -> dict[str, dict[str, str]]:
    """The topics' ids as the last report has them, by flow."""
    return remembered_ids(directory / JSON)


def write(report: Report, directory: Path) -> Path:
    """Both files; the page's path."""
    directory.mkdir(parents=True, exist_ok=True)
    (directory / JSON).write_text(report.to_json() + "\n")
    (directory / HTML).write_text(page(report))
    return directory / HTML
