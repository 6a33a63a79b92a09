"""The stack file, parsed once into frozen settings. Unknown keys are errors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError

from mirrorstack.config.clusters import ClusterSettings, check_cluster
from mirrorstack.config.flows import FlowSettings, Value
from mirrorstack.config.intents import Intent
from mirrorstack.config.spark import SparkSetting
from mirrorstack.config.strict import Alias, SettingsModel, Text
from mirrorstack.config.validation import explain
from mirrorstack.findings import UserError
from mirrorstack.mm2.worker_configs import WorkerGroup


class WorkerSettings(SettingsModel):
    """The Connect workers next to a target cluster."""

    runtime: Literal["local-process"] = "local-process"
    """Where they run."""
    count: Annotated[int, Field(ge=1, le=16)] = 1
    """How many."""
    group: Text | None = None
    """The Connect group; its three internal topics are named after it."""
    rest_port: Annotated[int, Field(ge=1024, le=65000)] | None = Field(None, alias="rest-port")
    """Of the first worker; the others follow. Not given: a free one, chosen once."""
    heap_mb: Annotated[int, Field(ge=128)] = Field(512, alias="heap-mb")
    """The memory of each, in MB."""


class SmokeTestSettings(SettingsModel):
    """After every change of a flow, both clusters are compared record by record, on Spark. Here and
    by `mirrorstack verify`, whose options go before what is said here."""

    wait_seconds: Annotated[float, Field(ge=0)] = Field(60.0, alias="wait-seconds")
    """How long the target may take to catch up."""
    master: Text | None = None
    """Spark's master, such as `spark://host:7077`; not given: this machine."""
    spark: dict[SparkSetting, Value] = Field(default_factory=dict)
    """Spark's own settings, such as `spark.executor.memory: 4g`."""
    run: Text | None = None
    """Any text; change it, and the next `pulumi up` verifies again."""


class StackSettings(SettingsModel):
    """What a stack declares."""

    clusters: Annotated[dict[Alias, ClusterSettings], Field(min_length=2)]
    """By alias."""
    flows: Annotated[tuple[FlowSettings, ...], Field(min_length=1)]
    """What is mirrored where."""
    workers: dict[Alias, WorkerSettings] = Field(default_factory=dict)
    """By the alias of the target cluster; a target that is not named gets the defaults."""
    delete_topics: bool = Field(False, alias="delete-topics")
    """The explicit word: topics go when they leave the stack, with their records. It has to be
    deployed before they leave."""
    production: bool = False
    """Whether the policies ask for what production needs, such as encrypted transport."""
    smoke_test: SmokeTestSettings | None = Field(None, alias="smoke-test")
    """Whether `pulumi up` ends with a comparison of both clusters, and fails when they differ."""
    peers: tuple[Text, ...] = ()
    """Other stacks' files in the same directory, such as `Pulumi.dr.yaml`: together with this
    stack's, their flows must not form a ring, nor share worker groups."""
    intent: dict[Text, Intent] = Field(default_factory=dict)
    """By connector, such as `east-to-west-source`: that it is meant to leave this stack (`resume`
    if it comes back, else `discard`), or to begin anew with other workers or another `naming`
    (`restart`); heartbeat connectors need none. By topic, such as `west/east.orders`: that
    `delete-topics` may delete it (`discard`), or make it anew with fewer partitions (`restart`).
    Each is good for one deployment: take it off afterwards."""

    @property
    def is_sandboxed(self) -> bool:
        """Whether all of its clusters are on this machine, for people who try or test something."""
        return all(cluster.sandbox is not None for cluster in self.clusters.values())

    @property
    def comparison(self) -> SmokeTestSettings:
        """How both clusters are compared, whether or not `pulumi up` ends with it."""
        return self.smoke_test or SmokeTestSettings()

    def workers_at(self, alias: str) -> WorkerSettings:
        return self.workers.get(alias, WorkerSettings())

    def worker_group(self, target: str) -> WorkerGroup:
        """The Connect group next to a target."""
        return WorkerGroup.of(target, self.flows, self.workers_at(target).group)

    def declared(self) -> dict[str, Any]:
        """As a stack file would say it; `parse` makes the same settings from it."""
        return self.model_dump(mode="json", by_alias=True, exclude_none=True)


def parse(values: Mapping[str, Any], where: str) -> StackSettings:
    """Settings from the stack file's keys; `where` names the file in messages."""
    try:
        settings = StackSettings.model_validate(values)
    except ValidationError as error:
        raise explain(error, StackSettings, where) from None
    for alias, cluster in settings.clusters.items():
        check_cluster(alias, cluster, where)
    for flow in settings.flows:
        _check_ends(flow, settings, where)
    _check_names_are_unique(settings, where)
    _check_workers(settings, where)
    return settings


def _check_workers(settings: StackSettings, where: str) -> None:
    targets = list(dict.fromkeys(flow.target for flow in settings.flows))
    for alias in settings.workers.keys() - set(targets):
        raise UserError(
            f"{where}: mirrorstack:workers.{alias}: no flow leads to {alias}, so no workers run "
            "there.",
            f"name a target: {', '.join(targets)}",
        )


def _check_ends(flow: FlowSettings, settings: StackSettings, where: str) -> None:
    known = ", ".join(settings.clusters)
    for end, alias in (("from", flow.source), ("to", flow.target)):
        if alias not in settings.clusters:
            raise UserError(
                f"{where}: flows: `{end}: {alias}` names no cluster; there are {known}.",
                f"use one of them, or declare {alias} under mirrorstack:clusters",
            )
    if flow.source == flow.target:
        raise UserError(
            f"{where}: flows: a flow from {flow.source} to {flow.target} copies onto itself.",
            "name two clusters",
        )
    if settings.clusters[flow.target].read_only:
        raise UserError(
            f"{where}: flows: {flow.name} writes to {flow.target}, which is `read-only: true`.",
            "turn the flow round, or take `read-only` off the cluster",
        )
    if not settings.clusters[flow.target].administer:
        raise UserError(
            f"{where}: flows: {flow.name} needs topics on {flow.target}, which is "
            "`administer: false`.",
            f"take `administer` off {flow.target}: a target is where this stack owns topics",
        )
    if flow.offset_syncs == "source" and not settings.clusters[flow.source].administer:
        raise UserError(
            f"{where}: flows: {flow.name} has `offset-syncs: source`, and {flow.source} is "
            "`administer: false`: nobody would create its offset-syncs topic there.",
            "use `offset-syncs: target`",
        )
    if flow.offset_syncs == "source" and settings.clusters[flow.source].read_only:
        raise UserError(
            f"{where}: flows: {flow.name} has `offset-syncs: source`, and {flow.source} is "
            "`read-only: true`: MirrorMaker would write its offset-syncs topic there.",
            "use `offset-syncs: target`",
        )


def _check_names_are_unique(settings: StackSettings, where: str) -> None:
    names = [flow.name for flow in settings.flows]
    for name in names:
        if names.count(name) > 1:
            raise UserError(
                f"{where}: flows: there are {names.count(name)} flows {name}; their connectors "
                "would have the same names.",
                "make one flow of them, with all their topics",
            )
