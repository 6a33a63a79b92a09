"""Mutated files end in findings or a user error; `bench/fuzz_lint.py` tries many more."""

from __future__ import annotations

from pathlib import Path

from bench.fuzz_files import FILES
from bench.fuzz_lint import fuzz, lint


def test_the_original_files_are_linted(tmp_path: Path) -> None:
    for name, content in FILES.items():
        (tmp_path / name).write_text(content)
        lint(tmp_path / name)


def test_no_mutated_file_ends_in_another_exception(tmp_path: Path) -> None:
    failures = [f"{one.report}\n{one.content!r}" for one in fuzz(20261118, 200, tmp_path)]

    assert failures == []
