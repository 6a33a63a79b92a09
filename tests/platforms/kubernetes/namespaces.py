"""Linux namespaces of our own: killing their first process ends every process and mount in them."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import psutil

from mirrorstack.local.polling import poll_until

READY_SECONDS, STOP_SECONDS = 10.0, 30.0
KINDS = ("--mount", "--net", "--pid", "--uts", "--ipc")
CGROUPS, PREFIX = Path("/sys/fs/cgroup"), "mirrorstack-"
# The kubelet sets these for the whole machine unless they have these values already.
SYSCTLS = {
    "kernel/keys/root_maxbytes": 25_000_000,
    "kernel/keys/root_maxkeys": 1_000_000,
    "kernel/panic": 10,
    "kernel/panic_on_oops": 1,
    "vm/overcommit_memory": 1,
    "vm/panic_on_oom": 0,
}
# Bash also reaps the orphans of the namespace.
FIRST_PROCESS = """\
set -e
cd "$1"
mount --make-rshared /
for directory in /run /var/lib /var/log; do mount -t tmpfs tmpfs $directory; done
(cd sysctls && find . -type f -exec mount --bind {} /proc/sys/{} \\;)
echo 1 > /proc/sys/net/ipv4/ip_forward
hostname "$2"
touch started
sleep infinity & wait
"""


@dataclass(frozen=True)
class Namespaces:
    pid: int
    """Of the first process, as the host sees it."""

    @property
    def root(self) -> Path:
        """Their file system, as the host sees it."""
        return Path(f"/proc/{self.pid}/root")

    def command(self, *words: str | Path) -> list[str]:
        """The command line that runs a program in these namespaces."""
        return ["nsenter", f"--target={self.pid}", *KINDS, "--", *map(str, words)]


@contextmanager
def namespaces(home: Path, hostname: str) -> Iterator[Namespaces]:
    for name, value in SYSCTLS.items():
        file = home / "sysctls" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"{value}\n")
    log, started = home / "namespaces.log", home / "started"
    # They also end when this process is killed.
    command = ["setpriv", "--pdeathsig=KILL", "unshare", *KINDS, "--fork", "--kill-child"]
    command += ["--mount-proc", "bash", "-c", FIRST_PROCESS, "bash", str(home), hostname]
    with log.open("wb") as output:
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT)
    try:
        poll_until(
            lambda: started.exists() or process.poll() is not None,
            deadline=time.monotonic() + READY_SECONDS,
            on_timeout=lambda: AssertionError(f"namespaces did not start: {log.read_text()}"),
            interval=0.05,
        )
        assert process.poll() is None, f"namespaces did not start: {log.read_text()}"
        (first,) = psutil.Process(process.pid).children()
        yield Namespaces(first.pid)
    finally:
        process.kill()
        process.wait(STOP_SECONDS)


@contextmanager
def cgroup() -> Iterator[str]:
    """The name of a control group in every hierarchy; it is removed with all groups in it."""
    hierarchies = [CGROUPS] if (CGROUPS / "cgroup.controllers").exists() else _hierarchies()
    for left in (each for hierarchy in hierarchies for each in hierarchy.glob(f"{PREFIX}*")):
        if not psutil.pid_exists(int(left.name.removeprefix(PREFIX))):  # it was killed
            _removed(left)
    name = f"{PREFIX}{os.getpid()}"
    for hierarchy in hierarchies:
        (hierarchy / name).mkdir()
    try:
        yield name
    finally:
        for hierarchy in hierarchies:
            poll_until(
                partial(_removed, hierarchy / name),
                deadline=time.monotonic() + STOP_SECONDS,
                on_timeout=partial(AssertionError, f"{hierarchy / name} is in use"),
                interval=0.1,
            )


def _hierarchies() -> list[Path]:
    """Of cgroups v1. Some may be links to others."""
    mounted = [each for each in CGROUPS.iterdir() if os.path.ismount(each)]
    return [each for each in mounted if each.is_dir() and not each.is_symlink()]


def _removed(group: Path) -> bool:
    """Groups are removed from the innermost on; the kernel refuses while a process is in one."""
    try:
        for directory, _, _ in os.walk(group, topdown=False):
            Path(directory).rmdir()
    except OSError:
        return False
    return True
