"""Ports of this machine."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Iterator

import psutil
import pytest

from mirrorstack.local.ports import (
    accepts_connections,
    becomes_free,
    is_free,
    pick_free,
    port_holder,
)


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener


def port_of(listener: socket.socket) -> int:
    return int(listener.getsockname()[1])


def no_visible_holder(_port: int) -> psutil.Process | None:
    """As on macOS, where other users' sockets are visible to root only."""
    return None


def test_a_port_with_a_listener_accepts_connections_and_is_not_free(
    listener: socket.socket,
) -> None:
    assert accepts_connections(port_of(listener))
    assert not is_free(port_of(listener))


def test_a_closed_port_is_free_and_accepts_no_connections(listener: socket.socket) -> None:
    port = port_of(listener)
    listener.close()
    assert is_free(port)
    assert not accepts_connections(port)


def test_a_wildcard_listener_uses_the_port_too() -> None:
    with socket.create_server(("0.0.0.0", 0)) as listener:  # noqa: S104 - the point of the test
        assert not is_free(port_of(listener))


def test_the_holder_of_a_port_is_the_listening_process(listener: socket.socket) -> None:
    holder = port_holder(port_of(listener))
    assert holder is not None
    assert holder.pid == os.getpid()


def test_a_free_port_has_no_holder(listener: socket.socket) -> None:
    port = port_of(listener)
    listener.close()
    assert port_holder(port) is None


def test_a_port_without_a_visible_holder_is_waited_for(listener: socket.socket) -> None:
    """The listener closes while the port is waited for, as a killed process does."""
    waiting = threading.Event()

    def holder(_port: int) -> psutil.Process | None:
        waiting.set()
        return None

    def close_when_waited_for() -> None:
        waiting.wait(10)
        listener.close()

    threading.Thread(target=close_when_waited_for).start()
    assert becomes_free(port_of(listener), seconds=10, holder=holder)


def test_a_port_with_a_holder_is_not_waited_for(listener: socket.socket) -> None:
    assert not becomes_free(port_of(listener), seconds=float("inf"))


def test_waiting_for_a_port_ends_at_its_deadline(listener: socket.socket) -> None:
    assert not becomes_free(port_of(listener), seconds=0, holder=no_visible_holder)


def test_a_picked_port_is_free_and_not_to_be_avoided(listener: socket.socket) -> None:
    used = port_of(listener)
    candidates = range(used - 2, used + 3)
    picked = pick_free(candidates, lambda port: [port], avoid={used - 2, used - 1, used + 1})
    assert picked in (used + 2, None), "None only if another process uses that port just now"


def test_all_ports_of_a_candidate_must_be_free(listener: socket.socket) -> None:
    used = port_of(listener)
    assert pick_free([used - 1], lambda port: [port, port + 1]) is None


def test_without_a_free_candidate_there_is_none() -> None:
    assert pick_free([], lambda port: [port]) is None
    assert pick_free([20000], lambda port: [port], avoid={20000}) is None
