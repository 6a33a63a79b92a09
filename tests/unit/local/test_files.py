"""Files that only their owner may read."""

from __future__ import annotations

import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from mirrorstack.findings import UserError
from mirrorstack.local.files import (
    private_directory,
    remove_leftovers,
    write_private,
    write_private_once,
)
from mirrorstack.sandbox.layout import Layout, home


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_private_file_is_private_under_any_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        write_private(tmp_path / "secret", "x")
        private_directory(tmp_path / "a" / "b")
    finally:
        os.umask(before)
    assert mode(tmp_path / "secret") == 0o600
    assert [mode(tmp_path / "a"), mode(tmp_path / "a" / "b")] == [0o700, 0o700]


def test_a_file_is_replaced_whole_and_leaves_nothing_beside_it(tmp_path: Path) -> None:
    write_private(tmp_path / "secret", "old")
    write_private(tmp_path / "secret", "new")
    assert [path.name for path in tmp_path.iterdir()] == ["secret"]
    assert (tmp_path / "secret").read_text() == "new"


def test_what_a_killed_writer_left_is_removed(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / ".tmp-abc").write_text("half a secret")
    (tmp_path / "kept").write_text("")
    remove_leftovers(tmp_path)
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["deep", "kept"]


def test_a_directory_that_cannot_be_made_is_a_problem_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(UserError) as raised:
        private_directory(tmp_path / "file" / "sandbox")
    assert str(tmp_path / "file") in raised.value.message
    assert "MIRRORSTACK_HOME" in raised.value.fix


@pytest.mark.parametrize("name", ["", "-x", "Upper", "a/b", "..", "a" * 41])
def test_a_name_that_could_leave_the_directory_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(UserError, match="--name"):
        Layout(tmp_path, name)


def test_home_is_resolved_because_brokers_are_recognised_by_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    monkeypatch.setenv("MIRRORSTACK_HOME", str(tmp_path / "link"))
    assert home() == (tmp_path / "real").resolve()


def test_a_home_with_a_comma_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MIRRORSTACK_HOME", "/somewhere/a,b")
    with pytest.raises(UserError, match="comma"):
        home()


def test_the_first_of_many_writers_wins_and_all_of_them_learn_what_is_there(tmp_path: Path) -> None:
    file = tmp_path / "once"
    with ThreadPoolExecutor(8) as pool:
        read = list(pool.map(lambda number: write_private_once(file, str(number)), range(8)))

    assert set(read) == {file.read_text()}
    assert mode(file) == 0o600
    assert list(tmp_path.iterdir()) == [file]
