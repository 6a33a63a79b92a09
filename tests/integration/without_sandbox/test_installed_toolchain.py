"""What the set-up has installed: `mirrorstack doctor` checks it, and `source ./activate` makes it
available in a shell."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

from tests.integration.without_sandbox.clone_copies import (
    A_JAR,
    cache,
    clone,
    in_bash,
    outside,
    run,
)
from tests.unit.toolchain.machine import ROOT
from toolchain import receipt
from toolchain.cache import Cache
from toolchain.jars import spark_jars

__all__ = ["cache", "clone"]  # fixtures

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
ACTIVATE = f"source {shlex.quote(str(ROOT / 'activate'))}"


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
