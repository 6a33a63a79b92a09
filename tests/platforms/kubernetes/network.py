"""The addresses of a node. A veth pair joins it to the host, which routes pods and services.

The node has no other route: pods reach the host's end of the pair and each other, nothing else.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import IPv4Network
from pathlib import Path

LINK = IPv4Network("10.213.0.0/30")
HOST, NODE = LINK.hosts()
PODS = IPv4Network("10.213.64.0/20")
SERVICES = IPv4Network("10.213.128.0/20")
API_SERVICE = SERVICES[1]
"""The first address of the range is the one of the Service `kubernetes`."""

HOST_INTERFACE, NODE_INTERFACE = "mirrorstack0", "eth0"


@contextmanager
def joined_to_host(pid: int) -> Iterator[None]:
    """Join the network namespace of a process to the host."""
    taken = Path("/sys/class/net", HOST_INTERFACE).exists()
    assert not taken, f"another Kubernetes node is running: {HOST_INTERFACE} exists"
    node = ("nsenter", f"--target={pid}", "--net", "ip")
    _run("ip", "link", "add", HOST_INTERFACE, "type", "veth", "peer", NODE_INTERFACE, "netns", pid)
    try:
        _run(*node, "link", "set", "lo", "up")
        _run(*node, "address", "add", f"{NODE}/{LINK.prefixlen}", "dev", NODE_INTERFACE)
        _run(*node, "link", "set", NODE_INTERFACE, "up")
        _run("ip", "address", "add", f"{HOST}/{LINK.prefixlen}", "dev", HOST_INTERFACE)
        _run("ip", "link", "set", HOST_INTERFACE, "up")
        for network in (PODS, SERVICES):
            _run("ip", "route", "add", network, "via", NODE)
        yield
    finally:
        # With its routes. It is already gone if the namespace has ended.
        subprocess.run(["ip", "link", "delete", HOST_INTERFACE], check=False, capture_output=True)


def _run(*words: object) -> None:
    ended = subprocess.run(list(map(str, words)), capture_output=True, text=True, check=False)
    assert ended.returncode == 0, f"{' '.join(map(str, words))}: {ended.stderr}"
