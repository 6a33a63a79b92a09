"""The ports that a sandbox needs."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from mirrorstack.findings import UserError
from mirrorstack.local.ports import is_free
from mirrorstack.sandbox.names import Cluster
from mirrorstack.sandbox.ports import (
    PICK_FROM,
    PICK_TO,
    PortUse,
    check_free,
    check_plan,
    pick_base_port,
    port_uses,
)
from mirrorstack.sandbox.processes import node_mark

LISTEN = (
    "import socket, time; s = socket.create_server(('127.0.0.1', 0));"
    "print(s.getsockname()[1], flush=True); time.sleep(60)"
)


@pytest.fixture
def used() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener.getsockname()[1]


def test_controllers_listen_a_thousand_ports_above_their_brokers() -> None:
    uses = port_uses(Cluster.EAST, 19092, 2)
    assert [(use.purpose, use.port) for use in uses] == [
        ("broker 1", 19092),
        ("broker 2", 19093),
        ("controller 1", 20092),
        ("controller 2", 20093),
    ]


def test_a_used_port_is_reported_with_cluster_process_and_option(used: int) -> None:
    with pytest.raises(UserError) as raised:
        check_free([PortUse(Cluster.WEST, "broker 1", used)], "trial")
    assert f"port {used} (west broker 1)" in raised.value.message
    assert f"pid {os.getpid()}" in raised.value.message
    assert "`mirrorstack sandbox up --name trial --west-port 0`" in raised.value.fix


def test_a_port_of_another_sandbox_is_reported_with_the_command_that_stops_it(
    tmp_path: Path,
) -> None:
    java = tmp_path / "java"
    java.symlink_to(sys.executable)
    node = tmp_path / "sandbox" / "other" / "east" / "east-1"
    with subprocess.Popen(
        [java, "-c", LISTEN, node_mark(node)], stdout=subprocess.PIPE, text=True
    ) as broker:
        try:
            assert broker.stdout
            port = int(broker.stdout.readline())
            with pytest.raises(UserError) as raised:
                check_free([PortUse(Cluster.EAST, "broker 1", port)], "trial")
        finally:
            broker.kill()
    assert "the broker east-1 of the sandbox 'other'" in raised.value.message
    assert f"MIRRORSTACK_HOME={tmp_path} mirrorstack sandbox down --name other" in raised.value.fix
    assert "--east-port 0 --west-port 0" in raised.value.fix


def test_free_ports_are_no_error(used: int) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        free = listener.getsockname()[1]
    check_free([PortUse(Cluster.WEST, "broker 1", free)], "trial")


@pytest.mark.parametrize(("base", "bad"), [(80, 80), (64536, 65536), (70000, 70000)])
def test_ports_outside_the_range_are_refused_for_brokers_and_controllers(
    base: int, bad: int
) -> None:
    with pytest.raises(UserError) as raised:
        check_plan(port_uses(Cluster.EAST, base, 1))
    assert f"port {bad}" in raised.value.message
    assert "1024-65535" in raised.value.message
    assert "--east-port" in raised.value.fix


def test_overlapping_ports_of_the_clusters_are_refused() -> None:
    overlapping = [*port_uses(Cluster.EAST, 19092, 1), *port_uses(Cluster.WEST, 20092, 1)]
    with pytest.raises(UserError) as raised:
        check_plan(overlapping)
    assert "east controller 1" in raised.value.message
    assert "west broker 1" in raised.value.message


def test_picked_ports_are_free_and_avoid_those_of_other_sandboxes() -> None:
    avoid = frozenset(range(20000, 30000))
    base = pick_base_port(Cluster.EAST, 3, avoid)
    ports = [use.port for use in port_uses(Cluster.EAST, base, 3)]
    assert avoid.isdisjoint(ports)
    assert all(is_free(port) for port in ports)


def test_a_full_port_range_is_an_error_that_names_the_option() -> None:
    full = frozenset(range(PICK_FROM, PICK_TO + 2000))
    with pytest.raises(UserError) as raised:
        pick_base_port(Cluster.WEST, 3, full)
    assert raised.value.message == "no 3 consecutive free ports for west between 20000 and 31000"
    assert "--west-port" in raised.value.fix
