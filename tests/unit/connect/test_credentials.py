"""Credentials files for Connect's REST API."""

from __future__ import annotations

from pathlib import Path

import pytest

from mirrorstack.connect.credentials import Credentials, load
from mirrorstack.findings import UserError


def written(tmp_path: Path, content: str | bytes, mode: int = 0o600) -> Path:
    file = tmp_path / "rest"
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    file.chmod(mode)
    return file


@pytest.mark.parametrize(
    ("content", "password"),
    [
        ('{"username": "operator", "password": "p=w"}', "p=w"),
        ("# comment\nusername = operator\npassword = p=w\n", "p=w"),
        ("username=operator\r\npassword=pässword\r\n", "pässword"),
        ("username: operator\npassword: a\\\\b", "a\\b"),
    ],
)
def test_json_and_java_properties_are_read(tmp_path: Path, content: str, password: str) -> None:
    assert load(written(tmp_path, content)) == Credentials("operator", password)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("username=operator", "has no password"),
        ("", "has no username and no password"),
        ('{"username": "hunter2",', "neither JSON nor properties"),
        ("username=\\uhunter2", "neither JSON nor properties"),
        (b"password=\xff\xfe", "neither JSON nor properties"),
    ],
)
def test_a_malformed_file_is_named_and_not_quoted(
    tmp_path: Path, content: str | bytes, expected: str
) -> None:
    with pytest.raises(UserError, match=expected) as raised:
        load(written(tmp_path, content))

    assert "hunter2" not in str(raised.value)


def test_a_file_that_others_can_read_is_rejected(tmp_path: Path) -> None:
    file = written(tmp_path, "username=a\npassword=b", mode=0o644)

    with pytest.raises(UserError, match="its mode is 0644") as raised:
        load(file)

    assert raised.value.fix == f"`chmod 600 {file}`"


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot be read: No such file"):
        load(tmp_path / "none")


def test_the_password_is_not_in_the_repr() -> None:
    assert "hunter2" not in repr(Credentials("operator", "hunter2"))
