"""The links of the documents lead somewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCUMENTS = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]
LINK = re.compile(r"\[([^\]]*)\]\(([^)\s]+)\)")
TEST = re.compile(r"`(test_\w+)`")


def links(document: Path) -> Iterator[tuple[str, str]]:
    for text, target in LINK.findall(document.read_text("utf-8")):
        if "://" not in target:
            yield text, target


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda file: file.name)
def test_every_relative_link_leads_to_a_file_and_a_heading(document: Path) -> None:
    missing = []
    for _, target in links(document):
        name, _, heading = target.partition("#")
        file = document.parent / name if name else document
        if not file.exists() or (heading and heading not in _headings(file)):
            missing.append(target)

    assert missing == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda file: file.name)
def test_every_named_test_is_where_its_link_leads(document: Path) -> None:
    missing = []
    for text, target in links(document):
        place = document.parent / target
        files = place.rglob("*.py") if place.is_dir() else [place]
        names = TEST.findall(text)
        content = "".join(file.read_text("utf-8") for file in files) if names else ""
        missing += [name for name in names if f"def {name}(" not in content]

    assert missing == []


def _headings(document: Path) -> set[str]:
    """As GitHub makes their anchors."""
    titles = re.findall(r"^#+ (.*)$", document.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}
