"""The commands of the README, in a copy of the repository."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import IO

import psutil
import pytest
from confluent_kafka import Producer
from confluent_kafka.admin import AdminClient

from mirrorstack.sandbox.connection import connection
from tests.browser import DESK, PHONE, Browser

ROOT = Path(__file__).parents[2]
MINUTES = 60.0


@dataclass(frozen=True)
class Running:
    """A command that runs in the background, and what it has printed."""

    process: subprocess.Popen[bytes]
    output: IO[bytes]

    def wait_until(self, condition: Callable[[], object], what: str, seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while not condition():
            assert self.process.poll() is None, f"ended before {what}:\n{self.printed()}"
            late = time.monotonic() >= deadline
            assert not late, f"not within {seconds:.0f} s: {what}:\n{self.printed()}"
            time.sleep(0.01)

    def printed(self) -> str:
        return os.pread(self.output.fileno(), 1_000_000, 0).decode(errors="replace")


class Clone:
    """The tracked files, as they are in the working tree, with nothing set up."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        listed = subprocess.run(
            ["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True
        )
        for name in filter(None, listed.stdout.split("\0")):
            (directory / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, directory / name)
        # The environment of a shell that was not activated and not started by make; with free
        # ports.
        ours = ("PULUMI_", "MIRRORSTACK_HOME", "VIRTUAL_ENV", "JAVA_HOME", "MAKE", "MFLAGS")
        self.environ = {
            **{key: value for key, value in os.environ.items() if not key.startswith(ours)},
            "MIRRORSTACK_EAST_PORT": "0",
            "MIRRORSTACK_WEST_PORT": "0",
        }

    def run(self, command: str, *, fails: bool = False) -> str:
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=self.directory,
            env=self.environ,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=10 * MINUTES,
            check=False,
        )
        assert (done.returncode != 0) == fails, done.stdout
        return done.stdout

    @contextmanager
    def running(self, command: str) -> Iterator[Running]:
        """A command in the background, killed with its process group at the end."""
        with tempfile.TemporaryFile() as output:
            process = subprocess.Popen(
                ["bash", "-c", command],
                cwd=self.directory,
                env=self.environ,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            try:
                yield Running(process, output)
            finally:
                # The group outlives its leader: `make` may be dead while `pulumi` runs.
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()

    def interrupted_creations(self) -> list[str]:
        """The pending operations in the state."""
        file = self.directory / ".mirrorstack/state/.pulumi/stacks/mirrorstack/local.json"
        try:
            deployment = json.loads(file.read_text())["checkpoint"].get("latest") or {}
        except (FileNotFoundError, ValueError):
            return []
        operations = deployment.get("pending_operations") or []
        return [operation["resource"]["urn"] for operation in operations]

    @cached_property
    def west(self) -> AdminClient:
        """Of the sandbox, once it is started."""
        home = self.directory / ".mirrorstack"
        return AdminClient(
            connection("default", "west", "admin", home_directory=home).client_config()
        )

    def topics_on_west(self) -> list[str]:
        topics = self.west.list_topics(timeout=10).topics
        return [name for name in topics if name.startswith("east.")]

    def processes(self) -> list[str]:
        """The command lines of everything that runs from this clone or in it."""
        found = []
        for process in psutil.process_iter():
            try:
                line, directory = " ".join(process.cmdline()), process.cwd()
            except psutil.Error:
                continue
            if str(self.directory) in line or str(self.directory) in directory:
                found.append(line)
        return found


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Clone]:
    clone = Clone(tmp_path_factory.mktemp("clone").resolve())
    yield clone
    clone.run("make down")


def test_a_demo_that_was_killed_resumes_when_run_again(clone: Clone) -> None:
    with clone.running("make demo") as demo:
        demo.wait_until(clone.interrupted_creations, "Pulumi creates resources", 10 * MINUTES)
        # The worst moment: the topic exists, and Pulumi has not recorded it yet.
        demo.wait_until(clone.topics_on_west, "the first topic is on the cluster", 2 * MINUTES)
    assert clone.interrupted_creations(), "the kill came too late to interrupt anything"

    said = clone.run("make demo")

    assert "the stack `local` replicates east to west" in said
    assert clone.interrupted_creations() == []
    assert "Source and target are equal." in said
    page = Path(said.splitlines()[-1].strip())
    assert page == clone.directory / ".mirrorstack/verify/local/report.html"
    assert page.read_text().count('<svg class="chart"') == 3


def test_the_report_of_the_demo_renders_in_a_browser(clone: Clone, tmp_path: Path) -> None:
    page = (clone.directory / ".mirrorstack/verify/local/report.html").read_text()
    parts = ("header.verdict.equal", ".diagram", ".heat", ".chart", "table.groups")

    for look in Browser(tmp_path).look(page, DESK, PHONE, at=parts):
        assert look.faults == {}
        assert [len(look.selectors[part]) for part in parts] == [1, 1, 1, 3, 1]
        assert all(box.height > 30 for boxes in look.selectors.values() for box in boxes)


def test_the_report_has_the_replication_latency(clone: Clone) -> None:
    report = json.loads((clone.directory / ".mirrorstack/verify/local/report.json").read_text())

    history = report["flows"][0]["history"]

    assert history["latency"]["samples"] > 0, "records that were written during replication"
    assert history["latency"]["deleted"] == 0
    assert 0 < history["latency"]["median"] < MINUTES * 1000
    assert history["lag"][-1] == 0
    assert sum(history["rate"]) > 0


def test_running_the_demo_again_changes_nothing(clone: Clone) -> None:
    said = clone.run("make demo")

    assert "unchanged" in said
    assert not re.search(r"^ +[-+~]+ ?\d+ ", said, re.MULTILINE), said
    assert "Source and target are equal." in said


@pytest.mark.slow
def test_a_demo_with_differences_fails_with_the_table(clone: Clone) -> None:
    west = connection("default", "west", "admin", home_directory=clone.directory / ".mirrorstack")
    producer = Producer(west.client_config() | {"log_level": 0})
    producer.produce("east.audit", b"forged", key=b"who")
    assert producer.flush(15) == 0

    said = clone.run("make demo", fails=True)

    assert "audit-0: 1 record unexpected" in said
    assert "Next:" not in said


def test_an_activated_shell_previews_with_plain_pulumi(clone: Clone) -> None:
    clone.run("source ./activate && pulumi preview -s local --expect-no-changes")
    assert "running" in clone.run("source ./activate && mirrorstack sandbox status")


def test_down_leaves_nothing_running(clone: Clone) -> None:
    assert any("kafka.Kafka" in line for line in clone.processes()), "the brokers should run"

    clone.run("make down")

    assert clone.processes() == []


@pytest.mark.slow
def test_a_deleted_sandbox_is_recreated_and_deployed_again(clone: Clone) -> None:
    clone.run("source ./activate && mirrorstack sandbox down --delete")

    said = clone.run("make demo")
    clone.run("make down")

    assert "the stack `local` replicates east to west" in said
    assert clone.processes() == []


def test_a_used_port_is_reported_with_a_fix(clone: Clone) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]

        said = clone.run(f"MIRRORSTACK_EAST_PORT={port} make demo", fails=True)

    assert f"port {port} (east broker 1) is used" in said
    assert "--east-port" in said
    assert "Traceback" not in said
    assert clone.processes() == []
