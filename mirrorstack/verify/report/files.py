"""The files of a run: report.json, report.html and proven.parquet, written and read again."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mirrorstack.console import Console
from mirrorstack.findings import UserError
from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.local.files import atomic_write
from mirrorstack.verify.compare.proofs import ProofsByFlow, read_proofs, write_proofs
from mirrorstack.verify.report.page import page
from mirrorstack.verify.report.report import VERSION, Report

JSON, HTML = "report.json", "report.html"


@dataclass(frozen=True)
class PreviousRun:
    """What is known from the previous run, by flow."""

    topic_ids: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    proofs: ProofsByFlow = field(default_factory=dict)
    """What need not be read again."""


class UnreadableReportError(ValueError):
    """The previous report cannot be used."""


def read_previous_run(directory: Path, console: Console, *, full: bool = False) -> PreviousRun:
    """`full`: everything is read again."""
    try:
        topic_ids = _read_topic_ids(directory / JSON)
    except UnreadableReportError as error:
        console.say(
            f"! The previous report, {directory / JSON}, {error}. This run reads everything, "
            "cannot detect topics that were recreated since, and writes a new report."
        )
        return PreviousRun()
    return PreviousRun(topic_ids, {} if full else read_proofs(directory))


def _read_topic_ids(file: Path) -> dict[str, dict[str, str]]:
    """By flow; empty if there is no report."""
    try:
        content = json.loads(file.read_text())
        _check_version(content)
        return {
            flow["name"]: {topic["topic"]: topic["id"] for topic in flow["topics"]}
            for flow in content["flows"]
        }
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise UnreadableReportError(f"cannot be read: {error.strerror}") from error
    except UnreadableReportError:
        raise
    except ValueError as error:
        raise UnreadableReportError(f"cannot be read: {error}") from error
    except (KeyError, TypeError) as error:
        raise UnreadableReportError("cannot be read: it is not a report") from error


def _check_version(content: dict[str, Any]) -> None:
    version = content["version"]
    if version != VERSION:
        raise UnreadableReportError(
            f"has version {version}, and this release uses version {VERSION}"
        )


def prepare(directory: Path) -> None:
    """Creates the directory and checks that it is writable, before anything is compared."""
    with _writing(directory):
        directory.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=directory):
            pass


@contextmanager
def _writing(directory: Path) -> Iterator[None]:
    try:
        yield
    except (FileExistsError, NotADirectoryError) as error:
        raise UserError(
            f"the report cannot be written to {directory}: it is a file, or below a file",
            "name a directory with --report",
        ) from error
    except OSError as error:
        raise UserError(
            f"the report cannot be written to {directory}: {error.strerror}",
            "free space or correct its permissions, or select another directory with --report",
        ) from error


def write(report: Report, directory: Path) -> Path:
    """Writes all files; returns the path of the page."""
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
