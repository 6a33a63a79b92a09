"""TCP ports of this machine: whether one is free, which process holds it, a free one."""

from __future__ import annotations

import random
import socket
import time
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress

import psutil

from mirrorstack.local.polling import poll_until

ADDRESS = "127.0.0.1"
RELEASE_SECONDS = 3.0
POLL_SECONDS = 0.05


def is_free(port: int) -> bool:
    """Whether Kafka could listen on it now; connections that are closing do not count."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((ADDRESS, port))
            probe.listen(1)
        except OSError:
            return False
    return True


def becomes_free(
    port: int,
    *,
    seconds: float = RELEASE_SECONDS,
    holder: Callable[[int], psutil.Process | None] | None = None,
) -> bool:
    """Whether the port is free, or is released soon.

    A killed process leaves the process table a moment before its ports are released: only a port
    without a holder is waited for.
    """
    holder_of = holder or port_holder
    with suppress(TimeoutError):
        poll_until(
            lambda: is_free(port) or holder_of(port) is not None,
            deadline=time.monotonic() + seconds,
            on_timeout=TimeoutError,
            interval=POLL_SECONDS,
        )
    return is_free(port)


def accepts_connections(port: int, timeout: float = 0.5) -> bool:
    try:
        with socket.create_connection((ADDRESS, port), timeout=timeout):
            return True
    except OSError:
        return False


def port_holder(port: int) -> psutil.Process | None:
    """The process that listens on the port, if the system shows it."""
    try:
        connections = psutil.net_connections(kind="tcp")
    except psutil.AccessDenied:  # macOS shows other users' connections to root only
        return None
    for connection in connections:
        if connection.status != psutil.CONN_LISTEN or not connection.laddr:
            continue
        if connection.laddr.port == port and connection.pid is not None:
            try:
                return psutil.Process(connection.pid)
            except psutil.NoSuchProcess:
                return None
    return None


def pick_free(
    candidates: Iterable[int],
    ports_of: Callable[[int], Collection[int]],
    *,
    avoid: Collection[int] = frozenset(),
) -> int | None:
    """A candidate whose ports are all free now and not in `avoid`; None if there is none.

    At random, because others may pick at the same time, before either of them listens.
    """
    shuffled = list(candidates)
    random.shuffle(shuffled)
    for candidate in shuffled:
        ports = ports_of(candidate)
        if not any(port in avoid for port in ports) and all(is_free(port) for port in ports):
            return candidate
    return None
