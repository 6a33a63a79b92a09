"""The set-up with the real Java, Ivy, uv and Pulumi, in copies of this clone.

A server on loopback stands in for Maven Central and has Spark's Kafka jars; everything else comes
from the user's cache.
"""

from __future__ import annotations

import errno
import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from mirrorstack.console import Console
from mirrorstack.findings import UserError
from tests.loopback import PATIENCE_SECONDS, Site, refused_connections, serving
from tests.unit.toolchain.machine import ROOT, UNPRIVILEGED, fake_java
from toolchain import receipt, versions
from toolchain.cache import Cache
from toolchain.jars import HERE, Jars, differences, locked, spark_jars
from toolchain.part import ensure

PARTS = (
    "Python",
    "Java",
    "uv",
    "Python packages",
    "Pulumi",
    "Python language host",
    "Pulumi's Kafka plugin",
    "Kafka jars",
    "Spark's Kafka jars",
    "Stack local",
    "Chromium",
)
LOCKED = locked(HERE / "spark.lock")
# Not the one of `.venv`: the set-up runs with the Python of the machine.
PYTHON = str(Path(sys.executable).resolve())
SET_UP = (PYTHON, "-m", "toolchain", "setup")
ACTIVATE = f"source {shlex.quote(str(ROOT / 'activate'))}"
TIMEOUT_SECONDS = 120.0


def outside(**more: str | Path) -> dict[str, str]:
    """The environment before `source ./activate`, with the variables of a test."""
    ours = ("PULUMI_", "MIRRORSTACK_", "VIRTUAL_ENV")
    environ = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    cache = Cache.of_user().root
    path = [
        entry
        for entry in environ["PATH"].split(os.pathsep)
        if not any(Path(entry).is_relative_to(own) for own in (ROOT / ".venv", cache))
    ]
    return {
        **environ,
        "PATH": os.pathsep.join(path),
        "MIRRORSTACK_CACHE": str(cache),
        **{name: str(value) for name, value in more.items()},
    }


def run(
    *command: str | Path, cwd: Path = ROOT, env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        cwd=cwd,
        env=env or outside(),
        capture_output=True,
        text=True,
        check=False,
        timeout=TIMEOUT_SECONDS,
    )


def in_bash(script: str, cwd: Path, **more: str | Path) -> subprocess.CompletedProcess[str]:
    return run("bash", "-c", script, cwd=cwd, env=outside(**more))


def error_message(ended: subprocess.CompletedProcess[str]) -> str:
    """The error of a command that exited with 2; its steps are printed before it."""
    assert ended.returncode == 2, ended.stderr
    assert ended.stderr.count("fix: ") == 1
    assert "Traceback" not in ended.stderr
    return ended.stderr.partition("\n\n")[2]


@pytest.fixture
def clone(tmp_path: Path) -> Iterator[Path]:
    """A copy of this clone, in a directory whose name has a space."""
    with copy_of_this_clone(tmp_path / "first clone") as directory:
        yield directory


@contextmanager
def copy_of_this_clone(directory: Path) -> Iterator[Path]:
    """Removed at the end, because its `.venv` is large where files cannot be linked."""
    listed = run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    assert listed.returncode == 0, listed.stderr
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            (directory / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, directory / name)
    yield directory
    shutil.rmtree(directory)


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    """A copy of the user's cache by hard links, without the entries that change in place."""
    full = Cache.of_user().root
    assert full.is_dir(), "run `make setup`"
    for entry in full.iterdir():
        in_place = entry.name in ("ivy", "locks", "scratch") or entry.suffix == ".partial"
        kept = entry / "plugins" if entry.name == "pulumi-home" else entry
        if kept.is_dir() and not in_place:
            target = tmp_path / "cache" / kept.relative_to(full)
            shutil.copytree(kept, target, symlinks=True, copy_function=_link)
    return Cache(tmp_path / "cache")


def _link(source: str, target: str) -> None:
    try:
        os.link(source, target)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        shutil.copy2(source, target)


@pytest.fixture
def jars(cache: Cache) -> Path:
    """The cache entry of Spark's Kafka jars, removed."""
    directory = spark_jars(cache, Path(), Path()).entry
    shutil.rmtree(directory)
    return directory


@pytest.fixture
def maven() -> Iterator[Site]:
    """A Maven repository with Spark's Kafka jars."""
    real = receipt.read(ROOT / ".mirrorstack")["spark-jars"].path
    with serving() as site:
        for jar, pom in published().items():
            site.files[jar] = (real / Path(jar).name).read_bytes()
            site.files[str(Path(jar).with_suffix(".pom"))] = pom
        yield site


def published() -> dict[str, bytes]:
    """Path of each jar -> a minimal pom."""
    tree = ElementTree.parse(HERE / "spark.xml")  # noqa: S314 - our own file
    found = {}
    for jar in tree.iter("dependency"):
        org, name, rev = jar.attrib["org"], jar.attrib["name"], jar.attrib["rev"]
        found[f"/{org.replace('.', '/')}/{name}/{rev}/{name}-{rev}.jar"] = (
            "<project><modelVersion>4.0.0</modelVersion>"
            f"<groupId>{org}</groupId><artifactId>{name}</artifactId><version>{rev}</version>"
            "</project>"
        ).encode()
    return found


A_JAR = next(path for path in published() if "kafka-clients" in path)


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


class TestDoctor:
    def test_every_part_of_this_clone_is_listed_without_errors(self, tmp_path: Path) -> None:
        ended = in_bash(f"{ACTIVATE} && mirrorstack doctor", tmp_path)
        assert ended.returncode == 0, ended.stdout + ended.stderr
        lines = [line for line in ended.stdout.splitlines() if line.startswith("✓ ")]
        assert len(lines) == len(PARTS)
        for line, part in zip(lines, PARTS, strict=True):
            assert line.split("  ")[1] == part
            assert len([cell for cell in line.split("  ") if cell]) == 4, "version and origin"

    def test_the_report_is_available_as_json(self, tmp_path: Path) -> None:
        ended = in_bash(f"{ACTIVATE} && mirrorstack doctor --json", tmp_path)
        assert ended.returncode == 0, ended.stdout + ended.stderr
        document = json.loads(ended.stdout)
        assert document["version"] == 1
        assert [report["part"] for report in document["parts"]] == list(PARTS)
        for report in document["parts"]:
            assert report["version"]
            assert report["origin"]
            assert Path(report["location"]).exists()
            assert report["error"] == report["fix"] == ""

    def test_an_altered_jar_is_reported_with_a_fix(self, tmp_path: Path, cache: Cache) -> None:
        entry = spark_jars(cache, Path(), Path()).entry
        jar = entry / Path(A_JAR).name
        altered = tmp_path / "altered.jar"
        altered.write_bytes(jar.read_bytes()[:-1] + b"?")
        altered.replace(jar)  # a new file: the old one is linked to the user's cache
        script = f"{ACTIVATE} && mirrorstack doctor"
        ended = in_bash(script, tmp_path, MIRRORSTACK_CACHE=cache.root)
        assert ended.returncode == 1, ended.stdout + ended.stderr
        assert "✗  Spark's Kafka jars" in ended.stdout
        assert ended.stdout.count("✗") == 1, "the other parts have no errors"
        assert f"{jar.name} has another SHA-256 than the lock" in ended.stdout
        assert f"fix: remove {entry}, then run `make setup`" in ended.stdout

    def test_missing_parts_are_reported_with_a_fix(self, tmp_path: Path) -> None:
        nothing = {"PATH": tmp_path / "no", "MIRRORSTACK_JVM_DIRS": tmp_path / "no"}
        environ = outside(MIRRORSTACK_CACHE=tmp_path / "cache", **nothing)
        environ.pop("JAVA_HOME", None)
        ended = run(ROOT / ".venv" / "bin" / "mirrorstack", "doctor", env=environ)
        assert ended.returncode == 1, ended.stdout + ended.stderr
        assert ended.stderr == ""
        assert "error: Java: no Java found; version 17 or newer is required\n" in ended.stdout
        assert "fix: install a JDK 17 or 21" in ended.stdout, "the set-up does not install Java"
        missing = "Kafka jars: not installed; the sandbox's brokers and the Connect workers need"
        assert missing in ended.stdout
        assert ended.stdout.count("fix: run `make setup`") == 5
        assert not (tmp_path / "cache").exists(), "doctor creates no files"


class TestActivate:
    def test_pulumi_and_mirrorstack_work_in_another_directory(self, tmp_path: Path) -> None:
        ended = in_bash(
            f'{ACTIVATE} && pulumi version && mirrorstack --version && echo "$PWD"',
            tmp_path,
        )
        assert ended.returncode == 0, ended.stderr
        pulumi, mirrorstack, directory = ended.stdout.splitlines()
        assert pulumi.lstrip("v") == receipt.read(ROOT / ".mirrorstack")["pulumi"].version
        assert mirrorstack.startswith("mirrorstack, version ")
        assert directory == str(tmp_path), "the shell stays in its directory"

    def test_pulumi_lists_the_stack_local(self) -> None:
        ended = run("sh", "-c", ". ./activate && pulumi stack ls --json")
        assert ended.returncode == 0, ended.stderr
        assert "local" in {stack["name"] for stack in json.loads(ended.stdout)}

    def test_a_clone_that_is_not_set_up_is_an_error_and_the_shell_does_not_exit(
        self, clone: Path, tmp_path: Path
    ) -> None:
        ended = in_bash(f'source "{clone}/activate"; echo "status $?, still here"', tmp_path)
        assert ended.stdout == "status 2, still here\n"
        assert "this clone is not set up" in ended.stderr
        assert "fix: run `make setup`" in ended.stderr

    def test_the_clone_is_found_regardless_of_cdpath(self, clone: Path, tmp_path: Path) -> None:
        (tmp_path / "elsewhere" / clone.name).mkdir(parents=True)
        ended = in_bash(
            f'CDPATH={tmp_path}/elsewhere; source "{clone.name}/activate"', clone.parent
        )
        assert f"{clone}/.mirrorstack" in ended.stderr, "it reads the receipt of its own clone"


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
