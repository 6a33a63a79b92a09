"""What a run leaves behind is whole, and the next run says so when it is not."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from mirrorstack.console import Console
from mirrorstack.local.files import atomic_write
from mirrorstack.verify.report.files import HTML, JSON, read_previous_run, write
from tests import reports


def remembered(directory: Path) -> tuple[dict[str, list[str]], str]:
    """The topics that are known, by flow, and what people are told."""
    said = io.StringIO()
    ids = read_previous_run(directory, Console(said)).ids
    return {flow: sorted(topics) for flow, topics in ids.items()}, said.getvalue()


def test_the_next_run_knows_the_topics_of_the_last_one(tmp_path: Path) -> None:
    write(reports.equal(), tmp_path)

    assert remembered(tmp_path) == ({"east-to-west": ["audit", "orders"]}, "")


def test_the_first_run_has_nothing_to_say(tmp_path: Path) -> None:
    assert remembered(tmp_path) == ({}, "")


@pytest.mark.parametrize("content", ["", '{"flows": [{"na', "[]", '{"flows": null}', '{"a": 1}'])
def test_a_broken_report_is_named_and_believed_in_nothing(content: str, tmp_path: Path) -> None:
    (tmp_path / JSON).write_text(content)

    known, said = remembered(tmp_path)

    assert known == {}
    assert str(tmp_path / JSON) in said
    assert "made again" in said, "what is not known for once"


def test_what_is_interrupted_leaves_the_files_of_before(tmp_path: Path) -> None:
    write(reports.equal(), tmp_path)
    before = (tmp_path / JSON).read_text()

    with pytest.raises(KeyboardInterrupt):
        _interrupted(tmp_path / JSON)

    assert (tmp_path / JSON).read_text() == before
    assert {each.name for each in tmp_path.iterdir()} == {JSON, HTML, "proven.parquet"}


def _interrupted(file: Path) -> None:
    with atomic_write(file) as written:
        written.write_text("half")
        raise KeyboardInterrupt
