"""Reports are written atomically, and the next run reports one that it cannot use."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from mirrorstack.console import Console
from mirrorstack.local.files import atomic_write
from mirrorstack.verify.report.files import (
    HTML,
    JSON,
    PreviousRun,
    prepare,
    read_previous_run,
    write,
)
from mirrorstack.verify.report.report import VERSION
from tests import reports


def previous_run(directory: Path) -> tuple[PreviousRun, str]:
    """With the messages about it."""
    output = io.StringIO()
    return read_previous_run(directory, Console(output)), output.getvalue()


def test_the_next_run_knows_the_topic_ids_of_the_previous_one(tmp_path: Path) -> None:
    write(reports.equal(), tmp_path)

    found, output = previous_run(tmp_path)

    assert {flow: sorted(topics) for flow, topics in found.topic_ids.items()} == {
        "east-to-west": ["audit", "orders"]
    }
    assert output == ""


def test_the_first_run_prints_nothing(tmp_path: Path) -> None:
    assert previous_run(tmp_path) == (PreviousRun(), "")


@pytest.mark.parametrize("content", ["", '{"flows": [{"na', "[]", '{"flows": null}', '{"a": 1}'])
def test_a_broken_report_is_reported_and_ignored(content: str, tmp_path: Path) -> None:
    (tmp_path / JSON).write_text(content)

    found, output = previous_run(tmp_path)

    assert found == PreviousRun()
    assert str(tmp_path / JSON) in output
    assert "cannot be read" in output
    assert "cannot detect topics that were recreated" in output


def test_after_a_report_of_another_version_everything_is_read(tmp_path: Path) -> None:
    write(reports.equal(), tmp_path)
    content = json.loads((tmp_path / JSON).read_text())
    (tmp_path / JSON).write_text(json.dumps({**content, "version": VERSION - 1}))

    found, output = previous_run(tmp_path)

    assert found == PreviousRun()
    assert f"has version {VERSION - 1}, and this release uses version {VERSION}" in output
    assert "This run reads everything" in output


def test_an_interrupted_write_leaves_the_previous_files(tmp_path: Path) -> None:
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


def test_a_directory_is_created_before_the_comparison(tmp_path: Path) -> None:
    prepare(tmp_path / "new" / "directory")

    assert (tmp_path / "new" / "directory").is_dir()
