"""Ports: which ones, whether they are free, and who holds them."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Iterator

import pytest

from mirrorstack.findings import UserError
from mirrorstack.sandbox import ports
from mirrorstack.sandbox.names import Cluster
from mirrorstack.sandbox.ports import (
    PortUse,
    accepts,
    check_free,
    check_plan,
    is_free,
    pick,
    port_uses,
)


@pytest.fixture
def taken() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener.getsockname()[1]


def test_controllers_sit_a_thousand_above_their_brokers() -> None:
    uses = port_uses(Cluster.EAST, 19092, 2)
    assert [(use.purpose, use.port) for use in uses] == [
        ("broker 1", 19092),
        ("broker 2", 19093),
        ("controller 1", 20092),
        ("controller 2", 20093),
    ]


def test_a_taken_port_is_one_problem_with_port_cluster_process_and_option(taken: int) -> None:
    with pytest.raises(UserError) as raised:
        check_free([PortUse(Cluster.WEST, "broker 1", taken)], "trial")
    assert f"port {taken} (west broker 1)" in raised.value.message
    assert f"pid {os.getpid()}" in raised.value.message
    assert "`mirrorstack sandbox up --name trial --west-port 0`" in raised.value.fix


def test_a_port_that_nobody_holds_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ports, "_holder", lambda _: None)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        threading.Timer(0.2, listener.close).start()
        check_free([PortUse(Cluster.WEST, "broker 1", port)], "trial")


def test_a_port_that_somebody_holds_unseen_is_a_problem_in_the_end(
    taken: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ports, "_holder", lambda _: None)
    monkeypatch.setattr(ports, "LETTING_GO_SECONDS", 0.1)
    with pytest.raises(UserError, match="is taken by another process"):
        check_free([PortUse(Cluster.WEST, "broker 1", taken)], "trial")


def test_a_wildcard_listener_takes_the_port_too() -> None:
    with socket.create_server(("0.0.0.0", 0)) as listener:  # noqa: S104 - the point of the test
        assert not is_free(listener.getsockname()[1])


def test_a_port_with_a_listener_accepts_and_a_closed_one_is_free(taken: int) -> None:
    assert accepts(taken)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        closed = listener.getsockname()[1]
    assert is_free(closed)
    assert not accepts(closed)


@pytest.mark.parametrize(("base", "bad"), [(80, 80), (64536, 65536), (70000, 70000)])
def test_ports_outside_the_range_are_refused_controllers_included(base: int, bad: int) -> None:
    with pytest.raises(UserError) as raised:
        check_plan(port_uses(Cluster.EAST, base, 1))
    assert f"port {bad}" in raised.value.message
    assert "1024-65535" in raised.value.message
    assert "--east-port" in raised.value.fix


def test_clusters_that_overlap_are_refused() -> None:
    overlapping = [*port_uses(Cluster.EAST, 19092, 1), *port_uses(Cluster.WEST, 20092, 1)]
    with pytest.raises(UserError) as raised:
        check_plan(overlapping)
    assert "east controller 1" in raised.value.message
    assert "west broker 1" in raised.value.message


def test_picked_ports_are_free_and_avoid_those_of_other_sandboxes() -> None:
    avoid = frozenset(range(20000, 30000))
    base = pick(Cluster.EAST, 3, avoid)
    ports = [use.port for use in port_uses(Cluster.EAST, base, 3)]
    assert avoid.isdisjoint(ports)
    assert all(is_free(port) for port in ports)
