"""The settings of a sandbox: kept in sandbox.json, changed by the options of `up`."""

from __future__ import annotations

import base64
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from mirrorstack.findings import UserError
from mirrorstack.local.files import write_private
from mirrorstack.sandbox.layout import Layout, existing_layouts
from mirrorstack.sandbox.names import Cluster, command
from mirrorstack.sandbox.ports import PortUse, check_plan, pick_base_port, port_uses

DEFAULT_BROKERS = 1
MAX_BROKERS = 9
DEFAULT_PORTS = {Cluster.EAST: 19092, Cluster.WEST: 29092}
FREE_PORT = 0


class SandboxClusterSettings(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    cluster_id: str
    """Kafka's cluster id. A cluster that `reset` has emptied is a new one with a new id."""
    port: int
    """The first broker's port."""


class Settings(BaseModel):
    """The content of sandbox.json."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    version: Literal[1] = 1
    brokers: int = Field(ge=1, le=MAX_BROKERS)
    east: SandboxClusterSettings
    west: SandboxClusterSettings
    authorizer: bool = True
    """Whether the brokers check ACLs."""

    def cluster(self, cluster: Cluster) -> SandboxClusterSettings:
        return self.east if cluster is Cluster.EAST else self.west

    def port_uses(self) -> list[PortUse]:
        return [
            use
            for cluster in Cluster
            for use in port_uses(cluster, self.cluster(cluster).port, self.brokers)
        ]


@dataclass(frozen=True, kw_only=True)
class SandboxOptions:
    """The options of `up` and `reset`; None: as stored, else the default."""

    brokers: int | None = None
    east_port: int | None = None
    west_port: int | None = None
    authorizer: bool | None = None

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
            f"{layout.settings} is invalid: {where}: {first['msg']}",
            f"`{command('down', layout.name, '--delete')}` removes this sandbox and its data",
        ) from error


def save(layout: Layout, settings: Settings) -> None:
    write_private(layout.settings, settings.model_dump_json(indent=2) + "\n")


def resolve(
    layout: Layout,
    stored: Settings | None,
    options: SandboxOptions,
    *,
    has_data: bool,
    is_running: bool,
    usable: Callable[[int], bool],
) -> Settings:
    """Combine options, stored settings and defaults.

    Refuses changes that do not fit existing data or running brokers. `usable`: whether a stored
    port is free or held by this sandbox.
    """
    brokers = _brokers(layout.name, stored, options, has_data=has_data)
    ports: dict[Cluster, int] = {}
    to_pick: list[Cluster] = []
    for cluster in Cluster:
        stored_port = stored.cluster(cluster).port if stored else None
        option = options.port(cluster)
        if option is None:
            ports[cluster] = DEFAULT_PORTS[cluster] if stored_port is None else stored_port
        elif option != FREE_PORT:
            ports[cluster] = option
        elif stored_port is not None and _all(usable, cluster, stored_port, brokers):
            ports[cluster] = stored_port
        else:
            to_pick.append(cluster)
    for cluster in to_pick:
        own_ports = {use.port for c, base in ports.items() for use in port_uses(c, base, brokers)}
        ports[cluster] = pick_base_port(cluster, brokers, _ports_of_others(layout) | own_ports)
    _refuse_moving_while_running(layout.name, stored, ports, is_running=is_running)
    settings = Settings(
        authorizer=_authorizer(layout.name, stored, options, is_running=is_running),
        brokers=brokers,
        east=_cluster(Cluster.EAST, stored, ports),
        west=_cluster(Cluster.WEST, stored, ports),
    )
    check_plan(settings.port_uses())
    return settings


def _brokers(name: str, stored: Settings | None, options: SandboxOptions, *, has_data: bool) -> int:
    if options.brokers is None:
        return stored.brokers if stored else DEFAULT_BROKERS
    if not 1 <= options.brokers <= MAX_BROKERS:
        raise UserError(
            f"--brokers is {options.brokers}; a cluster has 1 to {MAX_BROKERS} brokers",
            "use --brokers 1, or 3 to test replication factors",
        )
    if stored and has_data and options.brokers != stored.brokers:
        # The replicas of internal topics are assigned for the number of brokers at creation.
        raise UserError(
            f"--brokers is {options.brokers}, but the data of the sandbox {name!r} was created "
            f"with {stored.brokers}",
            f"`{command('reset', name, '--brokers', str(options.brokers))}` starts empty clusters "
            f"of that size; or omit --brokers",
        )
    return options.brokers


def _authorizer(
    name: str, stored: Settings | None, options: SandboxOptions, *, is_running: bool
) -> bool:
    before = stored.authorizer if stored else True
    wanted = before if options.authorizer is None else options.authorizer
    if wanted != before and is_running:
        raise UserError(
            f"the sandbox {name!r} is running {'with' if before else 'without'} an authorizer",
            f"run `{command('down', name)}` first; it keeps the data",
        )
    return wanted


def _all(usable: Callable[[int], bool], cluster: Cluster, base: int, brokers: int) -> bool:
    return all(usable(use.port) for use in port_uses(cluster, base, brokers))


def _refuse_moving_while_running(
    name: str, stored: Settings | None, ports: dict[Cluster, int], *, is_running: bool
) -> None:
    if not (is_running and stored):
        return
    for cluster in Cluster:
        stored_port = stored.cluster(cluster).port
        if ports[cluster] != stored_port:
            raise UserError(
                f"--{cluster}-port is {ports[cluster]}, but the sandbox {name!r} is running with "
                f"{stored_port}",
                f"run `{command('down', name)}` first; it keeps the data",
            )


def _cluster(
    cluster: Cluster, stored: Settings | None, ports: dict[Cluster, int]
) -> SandboxClusterSettings:
    cluster_id = stored.cluster(cluster).cluster_id if stored else new_cluster_id()
    return SandboxClusterSettings(cluster_id=cluster_id, port=ports[cluster])


def with_new_cluster_ids(settings: Settings) -> Settings:
    """The same settings for new, empty clusters."""
    return settings.model_copy(
        update={
            cluster: settings.cluster(cluster).model_copy(update={"cluster_id": new_cluster_id()})
            for cluster in Cluster
        }
    )


def new_cluster_id() -> str:
    """A UUID in Kafka's encoding; not with a leading -, which its tools read as an option."""
    while True:
        text = base64.urlsafe_b64encode(uuid.uuid4().bytes).decode().rstrip("=")
        if not text.startswith("-"):
            return text


def _ports_of_others(layout: Layout) -> frozenset[int]:
    ports: set[int] = set()
    for other in existing_layouts(layout.home):
        if other.name == layout.name:
            continue
        try:
            settings = load(other)
        except UserError:  # an unreadable sandbox.json of another sandbox is no error here
            continue
        if settings:
            ports.update(use.port for use in settings.port_uses())
    return frozenset(ports)
