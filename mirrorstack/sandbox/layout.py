"""Where a sandbox keeps its things.

<home>/sandbox/<name>/
    sandbox.json                 settings that are remembered
    passwords.json               0600, one password per cluster and principal
    wanted-up                    there while the sandbox is meant to run
    seed.json                    what was seeded
    tls/                         CA, and one key and certificate per node
    client-<cluster>-<principal>.properties     0600, for Kafka's own tools
    <cluster>/<node>/            server.properties (0600) and data/
    logs/                        one rolling log per node
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from mirrorstack.findings import UserError
from mirrorstack.sandbox.names import Cluster, Principal

HOME_VARIABLE = "MIRRORSTACK_HOME"
NAME_RULE = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
REPOSITORY = Path(__file__).resolve().parents[2]


def home() -> Path:
    """Where this clone keeps what it makes: MIRRORSTACK_HOME, or .mirrorstack in the clone."""
    given = os.environ.get(HOME_VARIABLE)
    if not given and not (REPOSITORY / "pyproject.toml").is_file():
        raise UserError(
            f"{HOME_VARIABLE} is not set, and {REPOSITORY} is not a clone of the repository",
            f"export {HOME_VARIABLE}=<a directory of your own>",
        )
    # Resolved, because the path is also the mark by which running brokers are recognised.
    path = (Path(given).expanduser() if given else REPOSITORY / ".mirrorstack").resolve()
    if "," in str(path):
        # Kafka's log.dirs is a comma-separated list without any way to escape.
        raise UserError(
            f"{HOME_VARIABLE} is {path}; Kafka cannot keep data below a path with a comma",
            f"export {HOME_VARIABLE}=<a directory without a comma in its path>",
        )
    return path


@dataclass(frozen=True)
class Layout:
    """The paths of one sandbox. Nothing is created here."""

    home: Path
    name: str

    def __post_init__(self) -> None:
        if not NAME_RULE.fullmatch(self.name):
            raise UserError(
                f"--name is {self.name!r}; a sandbox's name has 1 to 40 characters of a-z, 0-9 "
                "and -, and does not begin with -",
                "choose such a name, for example `--name trial-2`",
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


def existing(home: Path) -> list[Layout]:
    """Every sandbox that has a directory under this home, by name."""
    parent = home / "sandbox"
    if not parent.is_dir():
        return []
    names = sorted(path.name for path in parent.iterdir() if path.is_dir())
    return [Layout(home, name) for name in names if NAME_RULE.fullmatch(name)]
