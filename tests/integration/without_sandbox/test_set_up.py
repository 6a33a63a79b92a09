"""The set-up with the real Java, Ivy, uv and Pulumi, in copies of this clone.

A server on loopback stands in for Maven Central and has Spark's Kafka jars; everything else comes
from the user's cache.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from mirrorstack.console import Console
from mirrorstack.findings import UserError
from tests.integration.without_sandbox.clone_copies import (
    A_JAR,
    TIMEOUT_SECONDS,
    cache,
    clone,
    copy_of_this_clone,
    maven,
    outside,
    run,
)
from tests.loopback import PATIENCE_SECONDS, Site, refused_connections
from tests.unit.toolchain.machine import ROOT, UNPRIVILEGED, fake_java
from toolchain import receipt, versions
from toolchain.cache import Cache
from toolchain.jars import HERE, Jars, differences, locked, spark_jars
from toolchain.part import ensure

__all__ = ["cache", "clone", "maven"]  # fixtures

LOCKED = locked(HERE / "spark.lock")
# Not the one of `.venv`: the set-up runs with the Python of the machine.
PYTHON = str(Path(sys.executable).resolve())
SET_UP = (PYTHON, "-m", "toolchain", "setup")


def error_message(ended: subprocess.CompletedProcess[str]) -> str:
    """The error of a command that exited with 2; its steps are printed before it."""
    assert ended.returncode == 2, ended.stderr
    assert ended.stderr.count("fix: ") == 1
    assert "Traceback" not in ended.stderr
    return ended.stderr.partition("\n\n")[2]


@pytest.fixture
def jars(cache: Cache) -> Path:
    """The cache entry of Spark's Kafka jars, removed."""
    directory = spark_jars(cache, Path(), Path()).entry
    shutil.rmtree(directory)
    return directory


class TestWrongJava:
    def test_the_set_up_exits_with_one_error(self, clone: Path, tmp_path: Path) -> None:
        old = fake_java(tmp_path / "jdk-11", "11.0.22")
        ended = run(
            *SET_UP,
            cwd=clone,
            env=outside(
                JAVA_HOME=tmp_path / "jdk-11", PATH=old.parent, MIRRORSTACK_JVM_DIRS=tmp_path / "no"
            ),
        )
        message = error_message(ended)
        assert message.startswith("error: Java: not available; Kafka, Connect and Spark run on it")
        assert f"found Java 11.0.22 at {old}; version 17 or newer is required" in message
        assert "fix: install a JDK 17 or 21" in message
        assert not (clone / ".venv").exists(), "nothing is installed before Java is found"


class TestReadOnlyCache:
    def test_the_set_up_exits_with_one_error(self, clone: Path, tmp_path: Path) -> None:
        cache = tmp_path / "cache"
        cache.mkdir(mode=0o555)
        ended = run(*UNPRIVILEGED, *SET_UP, cwd=clone, env=outside(MIRRORSTACK_CACHE=cache))
        message = error_message(ended)
        assert message.startswith(f"error: the cache {cache} cannot be written: Permission denied")
        assert "export MIRRORSTACK_CACHE=DIR" in message


class TestMaven:
    @pytest.fixture
    def part(self, tmp_path: Path) -> Jars:
        """Spark's Kafka jars, in an empty cache."""
        parts = receipt.read(ROOT / ".mirrorstack")
        return spark_jars(Cache(tmp_path), parts["java"].path, parts["packages"].path)

    def test_an_unreachable_repository_is_one_error(
        self, part: Jars, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with refused_connections() as url:
            monkeypatch.setenv("MIRRORSTACK_MAVEN_URL", url)
            with pytest.raises(UserError) as problem:
                ensure(part, Console())
        message = str(problem.value)
        assert message.startswith(
            "Spark's Kafka jars: not available; verification and the smoke test read"
        )
        assert f"Server access error at url {url}" in message
        assert "Connection refused" in message
        assert "export MIRRORSTACK_MAVEN_URL=URL" in message
        assert part.find() is None

    def test_jars_are_resolved_from_a_mirror(
        self, part: Jars, maven: Site, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("MIRRORSTACK_MAVEN_URL", maven.url)
        found = ensure(part, Console())
        assert sorted(file.name for file in found.path.iterdir()) == sorted(LOCKED)
        assert part.check(found) == ""

    def test_a_broken_download_is_reported_and_not_used_and_a_retry_works(
        self, part: Jars, maven: Site, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("MIRRORSTACK_MAVEN_URL", maven.url)
        whole = maven.files[A_JAR]
        maven.files[A_JAR] = whole[:-1] + b"?"
        with pytest.raises(UserError) as problem:
            ensure(part, Console())
        name = Path(A_JAR).name
        assert f"broken download: {name} has another SHA-256 than the lock" in str(problem.value)
        assert part.find() is None
        maven.files[A_JAR] = whole
        assert part.check(ensure(part, Console())) == ""


class SetUp:
    """A running set-up in its own process group, as in a terminal."""

    def __init__(self, clone: Path, cache: Cache, maven: Site) -> None:
        self.process = subprocess.Popen(
            SET_UP,
            cwd=clone,
            env=outside(MIRRORSTACK_CACHE=cache.root, MIRRORSTACK_MAVEN_URL=maven.url),
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            # Background jobs ignore SIGINT, and their children inherit that.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )

    def read_line(self) -> str:
        assert self.process.stderr is not None
        return self.process.stderr.readline()

    def wait(self, status: int = 0) -> str:
        """Wait for its end; returns its output."""
        output: str = self.process.communicate(timeout=TIMEOUT_SECONDS)[1]
        assert self.process.returncode == status, output
        return output


class TestRepeatedSetUp:
    @pytest.fixture
    def set_up(self, cache: Cache, maven: Site) -> Iterator[Callable[[Path], SetUp]]:
        started: list[SetUp] = []

        def start(clone: Path) -> SetUp:
            started.append(SetUp(clone, cache, maven))
            return started[-1]

        yield start
        for one in started:
            with suppress(ProcessLookupError):  # it has ended
                os.killpg(one.process.pid, signal.SIGKILL)
            one.process.communicate()

    def assert_complete(self, clone: Path, jars: Path) -> None:
        """The clone is set up, and the cache has no partial entries."""
        assert receipt.read(clone / ".mirrorstack")["spark-jars"].path == jars
        assert differences(jars, LOCKED) == []
        assert not list(jars.parent.glob("*.partial"))

    def test_a_killed_set_up_is_resumed_and_no_partial_entry_is_used(
        self, clone: Path, jars: Path, maven: Site, set_up: Callable[[Path], SetUp]
    ) -> None:
        with maven.holding(A_JAR) as begun:
            killed = set_up(clone)
            assert begun.wait(PATIENCE_SECONDS), "the set-up downloads the jars"
            killed.process.kill()
            killed.wait(-signal.SIGKILL)
            assert not jars.exists()
            with pytest.raises(UserError, match="this clone is not set up"):
                receipt.read(clone / ".mirrorstack")
            # Ivy outlives its killed set-up; the next set-up must wait for it.
            again = set_up(clone)
            assert "waiting for another set-up" in again.read_line()
        again.wait()
        self.assert_complete(clone, jars)
        assert maven.ranges(A_JAR) == [""], "the jar was not downloaded twice"

    def test_an_interrupted_set_up_is_resumed(
        self, clone: Path, jars: Path, maven: Site, set_up: Callable[[Path], SetUp]
    ) -> None:
        with maven.holding(A_JAR) as begun:
            stopped = set_up(clone)
            assert begun.wait(PATIENCE_SECONDS), "the set-up downloads the jars"
            os.killpg(stopped.process.pid, signal.SIGINT)
            output = stopped.wait(130)
        assert output.endswith("Interrupted; run the command again to resume.\n")
        assert "Traceback" not in output
        assert not jars.exists()
        set_up(clone).wait()
        self.assert_complete(clone, jars)

    def test_concurrent_set_ups_share_one_download(
        self,
        clone: Path,
        jars: Path,
        maven: Site,
        tmp_path: Path,
        set_up: Callable[[Path], SetUp],
    ) -> None:
        jars_line = f"✓ Spark's Kafka jars: {versions.SPARK_KAFKA}, {len(LOCKED)} jars from Maven"
        with copy_of_this_clone(tmp_path / "second clone") as second_clone:
            both = [set_up(clone), set_up(second_clone)]
            assert all(jars_line in one.wait() for one in both)
            self.assert_complete(clone, jars)
            self.assert_complete(second_clone, jars)
        assert maven.ranges(A_JAR) == [""], "the second waited for the first"
