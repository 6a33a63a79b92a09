"""A Docker daemon of our own: unpacked from Debian's packages, with its own socket and data."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from docker import DockerClient
from docker.errors import DockerException

from mirrorstack.local.polling import poll_until

PACKAGES = ("docker.io", "containerd", "runc")
PROGRAMS = ("dockerd", "containerd", "runc")
READY_SECONDS, STOP_SECONDS = 60.0, 60.0


def unpacked(directory: Path) -> str:
    """The PATH with dockerd and what it starts; nothing is installed on this machine."""
    path = [directory / "usr" / name for name in ("sbin", "bin")]
    if not all(any((place / name).exists() for place in path) for name in PROGRAMS):
        downloaded = directory / "packages"
        downloaded.mkdir(parents=True, exist_ok=True)
        subprocess.run(
            ["apt-get", "download", *PACKAGES], cwd=downloaded, check=True, capture_output=True
        )
        for package in downloaded.glob("*.deb"):
            subprocess.run(["dpkg-deb", "-x", package, directory], check=True)
    return os.pathsep.join([*map(str, path), "/usr/sbin", "/usr/bin", "/sbin", "/bin"])


@contextmanager
def docker_daemon(packages: Path, home: Path) -> Iterator[str]:
    """The address of its socket. It has no network of its own: containers use the host's."""
    socket, log = home / "docker.sock", home / "dockerd.log"
    path = unpacked(packages)
    home.mkdir(parents=True, exist_ok=True)
    address = f"unix://{socket}"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [
                shutil.which("dockerd", path=path) or "dockerd",
                f"--host={address}",
                f"--data-root={home / 'data'}",
                f"--exec-root={home / 'exec'}",
                f"--pidfile={home / 'dockerd.pid'}",
                *("--bridge=none", "--iptables=false", "--ip6tables=false"),
            ],
            env={"PATH": path},
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    try:
        poll_until(
            lambda: process.poll() is None and _answers(address),
            deadline=time.monotonic() + READY_SECONDS,
            on_timeout=lambda: AssertionError(log.read_text()[-3000:]),
        )
        yield address
    finally:
        process.terminate()
        process.wait(STOP_SECONDS)
        _unmount_below(home)


def _unmount_below(directory: Path) -> None:
    """What the daemon leaves behind when containers still run."""
    mounts = [line.split()[1] for line in Path("/proc/mounts").read_text().splitlines()]
    for mount in reversed([each for each in mounts if each.startswith(f"{directory}/")]):
        subprocess.run(["umount", "--lazy", mount], check=False)


def _answers(address: str) -> bool:
    try:
        with closing(DockerClient(base_url=address, timeout=5)) as client:
            return bool(client.ping())
    except DockerException:
        return False
