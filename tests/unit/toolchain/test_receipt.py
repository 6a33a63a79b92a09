"""The receipt of a set-up, and the errors when the parts in it no longer exist."""

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


def test_a_written_receipt_is_read_back(home: Path, parts: dict[str, InstalledPart]) -> None:
    receipt.write(home, parts)
    assert receipt.read(home) == parts


def test_only_the_owner_may_read_it_and_the_write_is_atomic(
    home: Path, parts: dict[str, InstalledPart]
) -> None:
    receipt.write(home, parts)
    assert home.stat().st_mode & 0o777 == 0o700
    assert [file.name for file in home.iterdir()] == ["toolchain.json"]


def test_a_clone_that_was_never_set_up_is_an_error_with_a_fix(home: Path) -> None:
    with pytest.raises(UserError, match="this clone is not set up") as problem:
        receipt.read(home)
    assert problem.value.fix == "run `make setup`"


def test_a_part_that_no_longer_exists_is_reported(
    home: Path, parts: dict[str, InstalledPart]
) -> None:
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
def test_an_invalid_file_is_an_error_with_a_fix(home: Path, content: str) -> None:
    home.mkdir()
    (home / "toolchain.json").write_text(content)
    with pytest.raises(UserError, match="is not a file that the set-up wrote") as problem:
        receipt.read(home)
    assert problem.value.fix == "run `make setup`"
