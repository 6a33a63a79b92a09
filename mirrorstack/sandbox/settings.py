"""What a sandbox remembers about itself, and what `up` may change."""

from __future__ import annotations

import base64
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from mirrorstack.findings import UserError
from mirrorstack.local.files import write_private
from mirrorstack.sandbox.layout import Layout, existing
from mirrorstack.sandbox.names import Cluster, command
from mirrorstack.sandbox.ports import PortUse, check_plan, pick, port_uses

DEFAULT_BROKERS = 1
MOST_BROKERS = 9
DEFAULT_PORTS = {Cluster.EAST: 19092, Cluster.WEST: 29092}
FREE_PORT = 0


class ClusterSettings(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    cluster_id: str
    """Kafka's own: a cluster that was emptied by `reset` is a new cluster with a new id."""
    port: int
    """The first broker's."""


class Settings(BaseModel):
    """The content of sandbox.json."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    version: Literal[1] = 1
    brokers: int = Field(ge=1, le=MOST_BROKERS)
    east: ClusterSettings
    west: ClusterSettings

    def cluster(self, cluster: Cluster) -> ClusterSettings:
        return self.east if cluster is Cluster.EAST else self.west

    def port_uses(self) -> list[PortUse]:
        return [
            use
            for cluster in Cluster
            for use in port_uses(cluster, self.cluster(cluster).port, self.brokers)
        ]


@dataclass(frozen=True, kw_only=True)
class SandboxOptions:
    """What the caller asked for; None means: as remembered, else the default."""

    brokers: int | None = None
    east_port: int | None = None
    west_port: int | None = None

    def port(self, cluster: Cluster) -> int | None:
        return self.east_port if cluster is Cluster.EAST else self.west_port


NO_OPTIONS = SandboxOptions()


def load(layout: Layout) -> Settings | None:
    if not layout.settings.is_file():
        return None
    try:
        return Settings.model_validate_json(layout.settings.read_text(encoding="utf-8"))
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the whole file"
        raise UserError(
            f"{layout.settings} cannot be used: {where}: {first['msg']}",
            f"`{command('down', layout.name, '--delete')}` removes this sandbox and its data",
        ) from error


def save(layout: Layout, settings: Settings) -> None:
    write_private(layout.settings, settings.model_dump_json(indent=2) + "\n")


def settle(
    layout: Layout,
    stored: Settings | None,
    wishes: SandboxOptions,
    *,
    has_data: bool,
    runs: bool,
    usable: Callable[[int], bool],
) -> Settings:
    """Join wishes, memory and defaults; refuse what would orphan data or running brokers.

    `usable` says whether a remembered port is free or held by this very sandbox.
    """
    brokers = _brokers(layout.name, stored, wishes, has_data=has_data)
    ports: dict[Cluster, int] = {}
    to_pick: list[Cluster] = []
    for cluster in Cluster:
        remembered = stored.cluster(cluster).port if stored else None
        wish = wishes.port(cluster)
        if wish is None:
            ports[cluster] = DEFAULT_PORTS[cluster] if remembered is None else remembered
        elif wish != FREE_PORT:
            ports[cluster] = wish
        elif remembered is not None and _all(usable, cluster, remembered, brokers):
            ports[cluster] = remembered
        else:
            to_pick.append(cluster)
    for cluster in to_pick:
        ours = {use.port for c, base in ports.items() for use in port_uses(c, base, brokers)}
        ports[cluster] = pick(cluster, brokers, _ports_of_others(layout) | ours)
    _refuse_moving_while_running(layout.name, stored, ports, runs=runs)
    settings = Settings(
        brokers=brokers,
        east=_cluster(Cluster.EAST, stored, ports),
        west=_cluster(Cluster.WEST, stored, ports),
    )
    check_plan(settings.port_uses())
    return settings


def _brokers(name: str, stored: Settings | None, wishes: SandboxOptions, *, has_data: bool) -> int:
    if wishes.brokers is None:
        return stored.brokers if stored else DEFAULT_BROKERS
    if not 1 <= wishes.brokers <= MOST_BROKERS:
        raise UserError(
            f"--brokers is {wishes.brokers}; a cluster has 1 to {MOST_BROKERS}",
            "give --brokers 1, or 3 to try replication factors",
        )
    if stored and has_data and wishes.brokers != stored.brokers:
        # The replicas of the internal topics are laid out for the number at the start.
        raise UserError(
            f"--brokers is {wishes.brokers}, but the data of the sandbox {name!r} was made with "
            f"{stored.brokers}",
            f"`{command('reset', name, '--brokers', str(wishes.brokers))}` starts empty clusters "
            f"of that size, or leave --brokers away",
        )
    return wishes.brokers


def _all(usable: Callable[[int], bool], cluster: Cluster, base: int, brokers: int) -> bool:
    return all(usable(use.port) for use in port_uses(cluster, base, brokers))


def _refuse_moving_while_running(
    name: str, stored: Settings | None, ports: dict[Cluster, int], *, runs: bool
) -> None:
    if not (runs and stored):
        return
    for cluster in Cluster:
        remembered = stored.cluster(cluster).port
        if ports[cluster] != remembered:
            raise UserError(
                f"--{cluster}-port is {ports[cluster]}, but the sandbox {name!r} runs with "
                f"{remembered}",
                f"`{command('down', name)}` first; the data stays",
            )


def _cluster(
    cluster: Cluster, stored: Settings | None, ports: dict[Cluster, int]
) -> ClusterSettings:
    cluster_id = stored.cluster(cluster).cluster_id if stored else new_cluster_id()
    return ClusterSettings(cluster_id=cluster_id, port=ports[cluster])


def with_new_clusters(settings: Settings) -> Settings:
    """The same sandbox with clusters that never existed before."""
    return settings.model_copy(
        update={
            cluster: settings.cluster(cluster).model_copy(update={"cluster_id": new_cluster_id()})
            for cluster in Cluster
        }
    )


def new_cluster_id() -> str:
    """A UUID as Kafka writes it. Not with a leading -, which its tools take for an option."""
    while True:
        text = base64.urlsafe_b64encode(uuid.uuid4().bytes).decode().rstrip("=")
        if not text.startswith("-"):
            return text


def _ports_of_others(layout: Layout) -> frozenset[int]:
    ports: set[int] = set()
    for other in existing(layout.home):
        if other.name == layout.name:
            continue
        try:
            settings = load(other)
        except UserError:  # their sandbox.json is their trouble, not a reason to stop here
            continue
        if settings:
            ports.update(use.port for use in settings.port_uses())
    return frozenset(ports)
