"""The processes of a sandbox's nodes."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from mirrorstack.local.processes import stop_processes
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
    """A Python interpreter named java: processes are recognised by their command line."""
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


def test_a_process_with_the_mark_is_found_and_stopped(
    layout: Layout, node: Node, java: Path, children: list[subprocess.Popen[bytes]]
) -> None:
    children.append(subprocess.Popen([java, "-c", SLEEP, node_mark(node.directory)]))
    found = node_processes(layout.directory)
    assert [(each.pid, each.sandbox) for each in found] == [(children[0].pid, "trial")]
    assert stop_processes(found) == 1
    assert not psutil.pid_exists(children[0].pid)
    assert node_processes(layout.directory) == []


def test_a_process_that_ignores_sigterm_is_killed(
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


def test_other_processes_are_not_found(
    layout: Layout, node: Node, java: Path, children: list[subprocess.Popen[bytes]]
) -> None:
    """A grep for the mark, a sandbox whose name has this one as its prefix, a java without it."""
    longer = Layout(layout.home, f"{layout.name}-2")
    other = nodes_of(longer, settings_of(1))[0]
    children += [
        subprocess.Popen([sys.executable, "-c", SLEEP, node_mark(node.directory)]),
        subprocess.Popen([java, "-c", SLEEP, node_mark(other.directory)]),
        subprocess.Popen([java, "-c", SLEEP]),
    ]
    assert node_processes(layout.directory) == []
