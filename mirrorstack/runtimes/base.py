"""The interface of a worker runtime: where Connect workers run, and nothing else.

A runtime is two things of the same name: a `Runtime` in this package, which plans without changing
anything, and a function in `components/`, which declares the workers' resources. To add one:

1. add its name to `RuntimeName` in `mirrorstack/config/workers.py`;
2. add a module here with its `Runtime`, and register it in `runtimes/registry.py`;
3. add a file in `components/` that declares its workers; register it in `components/workers.py`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from mirrorstack.config.workers import RuntimeName, WorkerSettings
from mirrorstack.connect.rest_login import RestLogin, Secrets
from mirrorstack.findings import Finding
from mirrorstack.mm2.worker_group import ConnectorNaming


@dataclass(frozen=True)
class DeployedWorkers:
    """Workers that the previous deployment declared, from the stack's state."""

    target: str
    groups: tuple[str, ...]
    """The Connect groups."""
    rest_url: str
    runtime: str = RuntimeName.LOCAL_PROCESS
    naming: ConnectorNaming = ConnectorNaming.STACK


@dataclass(frozen=True, kw_only=True)
class WorkerPlacement:
    """Where the workers of one target run."""

    rest_urls: tuple[str, ...]
    """The REST address of each worker, `http(s)://host:port`."""
    login: RestLogin = field(default_factory=RestLogin)
    """For the REST API."""
    is_isolated: bool = False
    """Whether the platform lets nobody but itself and the workers reach their REST API."""
    options: Mapping[str, str] = field(default_factory=dict)
    """What only this runtime's component needs to know."""

    @property
    def rest_url(self) -> str:
        """The address that the connectors' provider uses."""
        return self.rest_urls[0]


@dataclass(frozen=True)
class TargetCluster:
    """What is known about the target cluster of workers, and of their group there."""

    alias: str
    cluster_id: str
    group: str
    has_members: bool
    """Whether the group has any."""
    new_connectors: frozenset[str] = frozenset()
    """The names of connectors that the stack is about to create."""
    aliases: tuple[str, ...] = ()
    """Of the clusters whose passwords the connectors need."""


class Runtime(ABC):
    """Where the workers of a stack run. Asked in previews, so it must not change anything."""

    reads_local_files = False
    """Whether workers can read files of the machine that runs Pulumi, at the same paths."""

    def __init__(self, stack: str, home: Path) -> None:
        """`home` is the directory for the files that Mirrorstack keeps on this machine."""
        self.stack = stack
        self.home = home

    @abstractmethod
    def place_workers(
        self, target: str, settings: WorkerSettings, deployed: DeployedWorkers | None
    ) -> WorkerPlacement:
        """The REST API of each worker next to a target, and the credentials for it.

        `deployed` is what runs already: it should stay where it is.
        """

    @abstractmethod
    def secret_reference(self, target: str, alias: str) -> str:
        """How a connector's config refers to the password of the mirroring principal on a cluster:
        a reference to a config provider of the worker, such as `${file:/path:key}`."""

    @abstractmethod
    def worker_properties(self, rest_url: str) -> Mapping[str, str]:
        """The properties of a worker that depend on where it runs: its listener, how its REST API
        authenticates, and the config provider that resolves `secret_reference`."""

    def check_host(
        self, _placement: WorkerPlacement, _target: str, _aliases: Sequence[str]
    ) -> Iterable[Finding]:
        """What is wrong with the place where the workers of a target are to run. `aliases`: of the
        clusters whose passwords they need."""
        return ()

    def check_workers(
        self, _placement: WorkerPlacement, _target: TargetCluster, _secret: Secrets
    ) -> Iterable[Finding]:
        """What is wrong with workers that the stack does not run itself."""
        return ()

    @classmethod  # noqa: B027 - most have nothing to stop
    def stop_workers(cls, _options: Mapping[str, str]) -> None:
        """Stop workers that were placed with these options, if the runtime has started them; those
        of another runtime take over."""

    @classmethod  # noqa: B027 - most platforms do it
    def restart_workers(cls, _options: Mapping[str, str]) -> None:
        """Restart workers that were placed with these options, unless their platform does so when a
        task has FAILED."""

    def is_deployed(self, deployed: DeployedWorkers | None) -> bool:
        """Whether the workers of a target exist already. By the stack's state, because the files
        of a worker need not be on the machine that runs Pulumi."""
        return deployed is not None


def absolute(file: str | None) -> str:
    """The path of a file that a stack file names: a provider may run in another directory."""
    return str(Path(file).expanduser().resolve()) if file else ""
