"""Which processes count as a sandbox's, and what is read from their logs."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from mirrorstack.local.kafka_installation import KafkaInstallation
from mirrorstack.local.processes import stop_processes
from mirrorstack.sandbox.launcher import broker_command, format_command
from mirrorstack.sandbox.layout import Layout
from mirrorstack.sandbox.nodes import Node, nodes_of
from mirrorstack.sandbox.processes import node_mark, node_processes
from tests.unit.sandbox.conftest import settings_of

SLEEP = "import time; time.sleep(60)"
STUBBORN = (
    "import signal, time; signal.signal(15, signal.SIG_IGN); print(1, flush=True); time.sleep(60)"
)


@pytest.fixture
def node(layout: Layout) -> Node:
    return nodes_of(layout, settings_of(1))[0]


@pytest.fixture
def java(tmp_path: Path) -> Path:
    """A Python under the name of java: what counts is the command line."""
    link = tmp_path / "bin" / "java"
    link.parent.mkdir()
    link.symlink_to(sys.executable)
    return link


@pytest.fixture
def children() -> Iterator[list[subprocess.Popen[bytes]]]:
    started: list[subprocess.Popen[bytes]] = []
    yield started
    for child in started:
        child.kill()
        child.communicate()


def test_a_marked_java_is_found_and_ended(
    layout: Layout, node: Node, java: Path, children: list[subprocess.Popen[bytes]]
) -> None:
    children.append(subprocess.Popen([java, "-c", SLEEP, node_mark(node.directory)]))
    found = node_processes(layout.directory)
    assert [(each.pid, each.sandbox) for each in found] == [(children[0].pid, "trial")]
    assert stop_processes(found) == 1
    assert not psutil.pid_exists(children[0].pid)
    assert node_processes(layout.directory) == []


def test_one_that_ignores_sigterm_is_killed(
    layout: Layout, node: Node, java: Path, children: list[subprocess.Popen[bytes]]
) -> None:
    child = subprocess.Popen(
        [java, "-c", STUBBORN, node_mark(node.directory)], stdout=subprocess.PIPE
    )
    children.append(child)
    assert child.stdout
    child.stdout.readline()
    stop_processes(node_processes(layout.directory), grace=0.2)
    assert not psutil.pid_exists(child.pid)


def test_others_are_left_alone(
    layout: Layout, node: Node, java: Path, children: list[subprocess.Popen[bytes]]
) -> None:
    """A grep for the mark, another sandbox whose name begins alike, a java without the mark."""
    longer = Layout(layout.home, f"{layout.name}-2")
    theirs = nodes_of(longer, settings_of(1))[0]
    children += [
        subprocess.Popen([sys.executable, "-c", SLEEP, node_mark(node.directory)]),
        subprocess.Popen([java, "-c", SLEEP, node_mark(theirs.directory)]),
        subprocess.Popen([java, "-c", SLEEP]),
    ]
    assert node_processes(layout.directory) == []


def test_no_password_can_be_on_a_command_line(node: Node, tmp_path: Path) -> None:
    runtime = KafkaInstallation(java=Path("java"), jars=tmp_path)
    arguments = format_command(runtime, node, tmp_path / "format.args")
    assert arguments[-2:] == ["kafka.tools.StorageTool", f"@{tmp_path}/format.args"]
    assert node_mark(node.directory) in arguments
    assert node_mark(node.directory) in broker_command(runtime, node, tmp_path / "log4j2.xml")


def test_of_a_log_the_lines_that_tell_the_cause_are_shown(node: Node) -> None:
    node.log.parent.mkdir(parents=True)
    node.log.write_text(
        "2026-01-01 INFO  starting (kafka)\n"
        "2026-01-01 ERROR Exiting Kafka due to fatal exception (kafka.Kafka$)\n"
        "java.lang.RuntimeException: no\n"
        "\tat kafka.Kafka.main(Kafka.scala)\n"
        "Caused by: java.io.IOException: disk full\n"
        "2026-01-01 INFO  bye (kafka)\n"
    )
    node.output.write_text("Error: Could not find or load main class kafka.Kafka\n")
    assert node.errors() == (
        "2026-01-01 ERROR Exiting Kafka due to fatal exception (kafka.Kafka$)",
        "java.lang.RuntimeException: no",
        "Caused by: java.io.IOException: disk full",
        "Error: Could not find or load main class kafka.Kafka",
    )


def test_a_node_without_a_log_has_no_errors(node: Node) -> None:
    assert node.errors() == ()
