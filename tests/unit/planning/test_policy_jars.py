"""The jars with replication policies."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import pytest

from mirrorstack.findings import UserError
from mirrorstack.planning.policy_jars import PolicyJar, policy_jars
from tests.unit.planning.fake_clusters import stack_settings


def jar(path: Path, *classes: str) -> Path:
    with zipfile.ZipFile(path, "w") as written:
        for name in classes or ("com/example/Own",):
            written.writestr(f"{name}.class", b"")
    return path


def jars(path: Path | str, **changes: Any) -> tuple[PolicyJar, ...]:
    own = {"class": "com.example.Own", "jar": str(path), "name": "{topic}", **changes}
    flow = {"from": "east", "to": "west", "topics": ["orders"], "naming": "custom", "policy": own}
    return policy_jars(stack_settings(flow).flows, "west")


def test_a_jar_is_known_by_its_content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (first,) = jars(jar(tmp_path / "own.jar").name)
    jar(tmp_path / "own.jar", "com/example/Own", "com/example/Other")
    (second,) = jars("own.jar")

    assert first.path == second.path == tmp_path.resolve() / "own.jar"
    assert first.sha256 != second.sha256


def test_flows_to_other_targets_need_no_jar(tmp_path: Path) -> None:
    assert policy_jars(stack_settings().flows, "west") == ()
    own = {"class": "com.example.Own", "jar": "absent.jar", "name": "{topic}"}
    flow = {"from": "east", "to": "west", "topics": ["orders"], "naming": "custom", "policy": own}
    assert policy_jars(stack_settings(flow).flows, "east") == ()


def test_a_jar_that_does_not_exist_is_an_error_with_its_path(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"absent\.jar does not exist") as raised:
        jars(tmp_path / "absent.jar")

    assert "relative to the project's directory" in raised.value.fix


def test_a_file_that_is_no_jar_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "own.jar").write_text("text")

    with pytest.raises(UserError, match="cannot be read as a jar"):
        jars(tmp_path / "own.jar")


def test_a_class_that_is_not_in_the_jar_is_an_error_with_the_nearest_one(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"does not contain the class com\.example\.Own") as raised:
        jars(jar(tmp_path / "own.jar", "com/example/Owns"))

    assert "com.example.Owns" in raised.value.fix


def test_a_path_with_the_separator_of_class_paths_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="a class path cannot name"):
        jars(jar(tmp_path / "a:b.jar"))
