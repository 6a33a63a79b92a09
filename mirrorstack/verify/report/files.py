"""What a run leaves behind: reports for people and programs, and what the next run remembers."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mirrorstack.console import Console
from mirrorstack.findings import UserError
from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.local.files import atomic_write
from mirrorstack.verify.compare.proofs import read_proofs, write_proofs
from mirrorstack.verify.report.page import page
from mirrorstack.verify.report.report import Report, read_topic_ids
from mirrorstack.verify.verification import PreviousRun

JSON, HTML = "report.json", "report.html"


def read_previous_run(directory: Path, console: Console, *, full: bool = False) -> PreviousRun:
    """What the last run knew; `full`: everything is read again."""
    try:
        ids = read_topic_ids(directory / JSON)
    except ValueError as error:
        ids = {}
        console.say(
            f"! The last report, {directory / JSON}, cannot be read: {error}. Whether topics were "
            "made again since then is not known this time; it is written anew."
        )
    return PreviousRun(ids, {} if full else read_proofs(directory))


def prepare(directory: Path) -> None:
    """Whether anything can be written there is known before anything is compared."""
    with _writing(directory):
        directory.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=directory):
            pass


@contextmanager
def _writing(directory: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise UserError(
            f"The report cannot be written to {directory}: {error.strerror}.",
            "make room there, or name another directory with --report",
        ) from error


def write(report: Report, directory: Path) -> Path:
    """All files; the page's path."""
    with _writing(directory):
        return _write(report, directory)


def _write(report: Report, directory: Path) -> Path:
    directory.mkdir(parents=True, exist_ok=True)
    write_proofs(
        {
            flow.name: {
                TopicPartition(topic.topic, each.partition): each.proven
                for topic in flow.topics
                for each in topic.partitions
                if each.proven
            }
            for flow in report.flows
        },
        directory,
    )
    for name, text in ((JSON, report.to_json() + "\n"), (HTML, page(report))):
        with atomic_write(directory / name) as written:
            written.write_text(text)
    return directory / HTML
