"""Atomic writes and private files."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from mirrorstack.findings import UserError
from mirrorstack.local.files import (
    atomic_write,
    private_directory,
    remove_leftovers,
    write_private,
    write_private_once,
)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@contextmanager
def umask(mask: int) -> Iterator[None]:
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)


def test_a_private_file_is_private_under_any_umask(tmp_path: Path) -> None:
    with umask(0):
        write_private(tmp_path / "secret", "x")
        private_directory(tmp_path / "a" / "b")
    assert mode(tmp_path / "secret") == 0o600
    assert [mode(tmp_path / "a"), mode(tmp_path / "a" / "b")] == [0o700, 0o700]


def test_a_private_file_is_private_while_it_is_written(tmp_path: Path) -> None:
    with umask(0), atomic_write(tmp_path / "secret", mode=0o600) as temporary:
        assert mode(temporary) == 0o600


def test_other_files_have_the_mode_of_the_umask(tmp_path: Path) -> None:
    with umask(0o022), atomic_write(tmp_path / "report") as temporary:
        temporary.write_text("x")
    assert mode(tmp_path / "report") == 0o644


def test_a_file_is_replaced_without_leftovers(tmp_path: Path) -> None:
    write_private(tmp_path / "secret", "old")
    write_private(tmp_path / "secret", "new")
    assert [path.name for path in tmp_path.iterdir()] == ["secret"]
    assert (tmp_path / "secret").read_text() == "new"


def test_a_reader_sees_the_old_file_until_the_new_one_is_complete(tmp_path: Path) -> None:
    file = tmp_path / "report"
    file.write_text("old")
    with atomic_write(file) as temporary:
        temporary.write_text("half")
        assert file.read_text() == "old"
    assert file.read_text() == "half"


def test_an_interrupted_writer_leaves_the_old_file(tmp_path: Path) -> None:
    file = tmp_path / "report"
    file.write_text("old")

    def interrupted() -> None:
        with atomic_write(file) as temporary:
            temporary.write_text("half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert file.read_text() == "old"
    assert list(tmp_path.iterdir()) == [file]


def test_the_temporary_files_of_killed_writers_are_removed(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / ".tmp-abc").write_text("half a secret")
    (tmp_path / "kept").write_text("")
    remove_leftovers(tmp_path)
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["deep", "kept"]


def test_a_directory_that_cannot_be_created_is_named_in_the_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(UserError) as raised:
        private_directory(tmp_path / "file" / "sandbox")
    assert str(tmp_path / "file") in raised.value.message
    assert "MIRRORSTACK_HOME" in raised.value.fix


def test_the_first_of_many_writers_wins_and_all_read_its_content(tmp_path: Path) -> None:
    file = tmp_path / "once"
    with ThreadPoolExecutor(8) as pool:
        read = list(pool.map(lambda number: write_private_once(file, str(number)), range(8)))

    assert set(read) == {file.read_text()}
    assert mode(file) == 0o600
    assert list(tmp_path.iterdir()) == [file]
