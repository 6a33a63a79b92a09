"""Jars compared with their lock, and the errors of Ivy; a shell script stands in for Java."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from mirrorstack.console import Console
from mirrorstack.findings import UserError
from tests.unit.toolchain.machine import executable
from toolchain.cache import Cache
from toolchain.jars import HERE, Jars, differences, locked, spark_jars
from toolchain.part import ensure


def digest(content: str) -> str:
    return hashlib.sha256(content.encode()).hexdigest()


class TestLock:
    def test_a_lock_has_the_format_of_sha256sum(self, tmp_path: Path) -> None:
        lock = tmp_path / "some.lock"
        lock.write_text(f"{digest('a')}  a-1.jar\n{digest('b')}  b-2.jar\n")
        assert locked(lock) == {"a-1.jar": digest("a"), "b-2.jar": digest("b")}

    @pytest.mark.parametrize("module", ["kafka", "spark"])
    def test_the_locks_are_sorted_complete_and_without_duplicates(self, module: str) -> None:
        lines = (HERE / f"{module}.lock").read_text().splitlines()
        names = [line.split()[1] for line in lines]
        assert len(locked(HERE / f"{module}.lock")) == len(lines)
        assert names == sorted(names), "so that a new version is a small diff"
        assert all(len(line.split()[0]) == 64 for line in lines)


class TestDifferences:
    @pytest.fixture
    def jars(self, tmp_path: Path) -> Path:
        for name in ("a-1.jar", "b-2.jar"):
            (tmp_path / name).write_text(name)
        return tmp_path

    @pytest.fixture
    def expected(self) -> dict[str, str]:
        return {name: digest(name) for name in ("a-1.jar", "b-2.jar")}

    def test_matching_jars_have_no_differences(self, jars: Path, expected: dict[str, str]) -> None:
        (jars / "notes.txt").touch()
        assert differences(jars, expected) == []

    def test_every_difference_is_listed(self, jars: Path, expected: dict[str, str]) -> None:
        (jars / "a-1.jar").write_text("altered")
        (jars / "b-2.jar").rename(jars / "b-3.jar")
        assert differences(jars, expected) == [
            "b-2.jar is missing",
            "b-3.jar is not in the lock",
            "a-1.jar has another SHA-256 than the lock",
        ]


class TestErrorsOfIvy:
    @pytest.fixture
    def java(self, tmp_path: Path) -> Path:
        return tmp_path / "java"

    @pytest.fixture
    def jars(self, cache: Cache, java: Path, tmp_path: Path) -> Jars:
        pyspark = tmp_path / "venv" / "lib" / "python3.11" / "site-packages" / "pyspark" / "jars"
        pyspark.mkdir(parents=True)
        (pyspark / "ivy-2.5.3.jar").touch()
        return spark_jars(cache, java, tmp_path / "venv")

    def problem(self, jars: Jars, console: Console) -> str:
        with pytest.raises(UserError) as problem:
            ensure(jars, console)
        assert jars.find() is None
        return str(problem.value)

    def test_an_unreachable_repository_is_reported_instead_of_the_end_of_the_output(
        self, jars: Jars, java: Path, console: Console
    ) -> None:
        executable(
            java,
            "echo ':: ERRORS'; echo '\tServer access error at url http://maven.example/a.jar (x)'\n"
            "echo ':: USE VERBOSE OR DEBUG MESSAGE LEVEL FOR MORE DETAILS'; exit 1",
        )
        message = self.problem(jars, console)
        assert "resolve with Ivy: Server access error at url http://maven.example/a.jar" in message
        assert "VERBOSE" not in message
        assert "export MIRRORSTACK_MAVEN_URL=URL" in message

    def test_a_jar_that_the_repository_does_not_have_is_reported(
        self, jars: Jars, java: Path, console: Console
    ) -> None:
        executable(java, "echo '\t:: org.example#tool;1.0: not found'; echo ':::::::'; exit 1")
        assert "resolve with Ivy: org.example#tool;1.0: not found" in self.problem(jars, console)

    def test_other_failures_are_reported_with_the_end_of_the_output(
        self, jars: Jars, java: Path, console: Console
    ) -> None:
        executable(java, "echo 'Could not reserve enough space for object heap'; exit 1")
        assert "java exited with 1: Could not reserve enough" in self.problem(jars, console)

    def test_a_resolution_without_jars_is_a_broken_download_and_clears_the_cache_of_ivy(
        self, jars: Jars, java: Path, console: Console, cache: Cache
    ) -> None:
        executable(java, "exit 0")
        message = self.problem(jars, console)
        assert "broken download: commons-pool2-2.12.0.jar is missing; kafka-clients" in message
        assert not (cache.root / "ivy").exists(), "a broken file in it would be used again"
