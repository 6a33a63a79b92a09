"""Finding Java; fake programs print only their version."""

from __future__ import annotations

from pathlib import Path

import pytest

from mirrorstack.console import Console
from mirrorstack.findings import UserError
from tests.unit.toolchain.machine import executable, fake_java
from toolchain.java import Java, major, version_in
from toolchain.part import ensure


@pytest.fixture
def jvms(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The directory of installed JDKs; `path` hides those of this machine."""
    monkeypatch.setenv("MIRRORSTACK_JVM_DIRS", f"{tmp_path / 'jvm'}:{tmp_path / 'none'}")
    return tmp_path / "jvm"


@pytest.mark.parametrize(
    ("output", "version", "number"),
    [
        ('openjdk version "17.0.15" 2025-04-15', "17.0.15", 17),
        ('java version "1.8.0_402"', "1.8.0_402", 8),
        ('openjdk version "21" 2023-09-19\nOpenJDK Runtime …', "21", 21),
        ('openjdk version "26-ea" 2026-03-17', "26-ea", 26),
    ],
)
def test_the_version_is_read_from_the_output_of_java(
    output: str, version: str, number: int
) -> None:
    assert version_in(output) == version
    assert major(version) == number


def test_other_output_has_no_version() -> None:
    assert version_in("The operation couldn't be completed. Unable to locate a Java") == ""


class TestChoosing:
    def test_java_home_precedes_path_and_path_precedes_installed_jdks(
        self, jvms: Path, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        installed = fake_java(jvms / "openjdk-17", "17.0.1")
        assert found_at() == installed
        on_path = fake_java(path.parent, "17.0.2")
        assert found_at() == on_path
        home = fake_java(tmp_path / "home", "17.0.3")
        monkeypatch.setenv("JAVA_HOME", str(tmp_path / "home"))
        assert found_at() == home

    def test_a_java_that_spark_supports_is_preferred(self, jvms: Path, path: Path) -> None:
        fake_java(path.parent, "25")
        older = fake_java(jvms / "openjdk-21", "21.0.2")
        found = Java().find()
        assert found is not None
        assert (found.path, found.version, found.warning) == (older, "21.0.2", "")

    def test_a_java_that_only_kafka_supports_is_used_with_a_warning(
        self, jvms: Path, path: Path
    ) -> None:
        fake_java(path.parent, "25.0.1")
        found = Java().find()
        assert found is not None
        assert found.version == "25.0.1"
        assert "Spark supports 17 to 21" in found.warning

    def test_a_jdk_of_macos_is_found(self, jvms: Path) -> None:
        java = fake_java(jvms / "temurin-17.jdk" / "Contents" / "Home", "17.0.9")
        assert found_at() == java

    def test_a_java_that_does_not_run_is_skipped(self, jvms: Path, path: Path) -> None:
        executable(path / "java", "echo 'Unable to locate a Java Runtime.' >&2; exit 1")
        (jvms / "a" / "bin").mkdir(parents=True)
        (jvms / "a" / "bin" / "java").write_text("not executable")
        good = fake_java(jvms / "b", "17")
        assert found_at() == good


class TestError:
    def test_every_java_that_is_too_old_is_listed(
        self, jvms: Path, path: Path, monkeypatch: pytest.MonkeyPatch, console: Console
    ) -> None:
        old = fake_java(path.parent, "11.0.22")
        older = fake_java(jvms / "jdk8", "1.8.0_402")
        with pytest.raises(UserError) as problem:
            ensure(Java(), console)
        message = str(problem.value)
        assert "Java: not available; Kafka, Connect and Spark run on it" in message
        assert f"found Java 11.0.22 at {old}, 1.8.0_402 at {older}" in message
        assert "version 17 or newer is required" in message
        assert "install a JDK 17 or 21" in message
        assert "set JAVA_HOME to one" in message

    def test_a_machine_without_java_is_an_error(self, jvms: Path, console: Console) -> None:
        with pytest.raises(UserError, match="no Java found; version 17 or newer is required"):
            ensure(Java(), console)

    def test_a_java_that_is_found_twice_is_listed_once(self, jvms: Path, path: Path) -> None:
        java = fake_java(jvms / "jdk11", "11")
        (path / "java").symlink_to(java)
        assert Java().why_missing().count("found Java 11 at") == 1
        assert Java().why_missing().count(" at ") == 1


def found_at() -> Path:
    found = Java().find()
    assert found is not None
    return found.path
