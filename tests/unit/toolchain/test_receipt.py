"""What the set-up remembers of a clone, and what it says when that is not so any more."""

from __future__ import annotations

from pathlib import Path

import pytest

from mirrorstack.findings import UserError
from toolchain import receipt
from toolchain.part import InstalledPart


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / ".mirrorstack"


@pytest.fixture
def parts(tmp_path: Path) -> dict[str, InstalledPart]:
    for name in ("java", "pulumi"):
        (tmp_path / name).touch()
    return {
        "java": InstalledPart(tmp_path / "java", "17", "found", "a warning"),
        "pulumi": InstalledPart(tmp_path / "pulumi", "3", "official download"),
    }


def test_what_was_written_is_read(home: Path, parts: dict[str, InstalledPart]) -> None:
    receipt.write(home, parts)
    assert receipt.read(home) == parts


def test_it_is_the_owners_alone_and_written_in_one_piece(
    home: Path, parts: dict[str, InstalledPart]
) -> None:
    receipt.write(home, parts)
    assert home.stat().st_mode & 0o777 == 0o700
    assert [file.name for file in home.iterdir()] == ["toolchain.json"]


def test_a_clone_that_was_never_set_up_says_what_to_type(home: Path) -> None:
    with pytest.raises(UserError, match="this clone is not set up") as problem:
        receipt.read(home)
    assert problem.value.fix == "run `make setup`"


def test_a_part_that_is_gone_is_named(home: Path, parts: dict[str, InstalledPart]) -> None:
    receipt.write(home, parts)
    parts["pulumi"].path.unlink()
    with pytest.raises(
        UserError, match=f"no longer exist: pulumi at {parts['pulumi'].path}"
    ) as problem:
        receipt.read(home)
    assert problem.value.fix == "run `make setup`"


@pytest.mark.parametrize(
    "content",
    ["", "{", "[]", '{"java": {}}', '{"java": 17}', '{"java": {"path": "/", "colour": "red"}}'],
)
def test_something_else_in_its_place_says_what_to_type(home: Path, content: str) -> None:
    home.mkdir()
    (home / "toolchain.json").write_text(content)
    with pytest.raises(UserError, match="is not a file that the set-up wrote") as problem:
        receipt.read(home)
    assert problem.value.fix == "run `make setup`"
