"""The files of a sandbox, and its lock.

<home>/sandbox/<name>/
    sandbox.json                 the settings, kept between runs
    passwords.json               0600, one password per cluster and principal
    wanted-up                    exists while the sandbox should be running
    seed.json                    what was seeded
    tls/                         CA, and one key and certificate per node
    client-<cluster>-<principal>.properties     0600, for Kafka's own tools
    <cluster>/<node>/            server.properties (0600) and data/
    logs/                        one rolling log per node
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from mirrorstack.console import Console
from mirrorstack.findings import UserError
from mirrorstack.local.files import private_directory
from mirrorstack.local.lock import file_lock
from mirrorstack.sandbox.names import Cluster, Principal

NAME_RULE = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
LOCK_TIMEOUT_SECONDS = 120.0


@dataclass(frozen=True)
class Layout:
    """The paths of one sandbox. Nothing is created here."""

    home: Path
    name: str

    def __post_init__(self) -> None:
        if not NAME_RULE.fullmatch(self.name):
            raise UserError(
                f"--name is {self.name!r}; a sandbox's name has 1 to 40 characters of a-z, 0-9 "
                "and -, and does not start with -",
                "choose a valid name, for example `--name trial-2`",
            )

    @property
    def all_sandboxes(self) -> Path:
        return self.home / "sandbox"

    @property
    def directory(self) -> Path:
        return self.all_sandboxes / self.name

    @property
    def lock(self) -> Path:
        """Beside the directory, so that it survives the directory's deletion."""
        return self.all_sandboxes / f".lock-{self.name}"

    @property
    def settings(self) -> Path:
        return self.directory / "sandbox.json"

    @property
    def passwords(self) -> Path:
        return self.directory / "passwords.json"

    @property
    def wanted_up(self) -> Path:
        return self.directory / "wanted-up"

    @property
    def seed(self) -> Path:
        return self.directory / "seed.json"

    @property
    def tls(self) -> Path:
        return self.directory / "tls"

    @property
    def ca(self) -> Path:
        return self.tls / "ca.pem"

    @property
    def logs(self) -> Path:
        return self.directory / "logs"

    @property
    def logging(self) -> Path:
        return self.directory / "log4j2.xml"

    def cluster(self, cluster: Cluster) -> Path:
        return self.directory / cluster

    def client_properties(self, cluster: Cluster, principal: Principal) -> Path:
        return self.directory / f"client-{cluster}-{principal}.properties"


def existing_layouts(home: Path) -> list[Layout]:
    """Every sandbox that has a directory below this home, by name."""
    parent = home / "sandbox"
    if not parent.is_dir():
        return []
    names = sorted(path.name for path in parent.iterdir() if path.is_dir())
    return [Layout(home, name) for name in names if NAME_RULE.fullmatch(name)]


@contextmanager
def exclusive(layout: Layout, console: Console) -> Iterator[None]:
    """Hold the sandbox for one command; wait while another command holds it.

    Started brokers do not inherit the lock.
    """
    private_directory(layout.all_sandboxes)

    def timed_out() -> UserError:
        return UserError(
            f"another command has used the sandbox {layout.name!r} for more than "
            f"{LOCK_TIMEOUT_SECONDS:.0f} s (it holds {layout.lock})",
            "wait for it to end, or interrupt it, and retry",
        )

    with file_lock(
        layout.lock,
        waiting=lambda: console.step(f"waiting for another command on the sandbox {layout.name!r}"),
        timeout=LOCK_TIMEOUT_SECONDS,
        on_timeout=timed_out,
    ):
        yield
