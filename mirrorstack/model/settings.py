"""The stack file, parsed once into frozen settings. Unknown keys are errors."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, ValidationError

from mirrorstack.model.catalogue import Section, keys_in
from mirrorstack.model.clusters import ClusterSettings, check_cluster
from mirrorstack.model.explain import explain
from mirrorstack.model.java_regex import InvalidPattern, compile_java
from mirrorstack.model.leaving import Intent
from mirrorstack.model.naming import Naming, ReplicationPolicy
from mirrorstack.model.strict import Alias, Strict, Text
from mirrorstack.model.topics import NOT_CARRIED_OVER
from mirrorstack.problem import Problem


def _java_regex(pattern: str) -> str:
    if "," in pattern:
        raise ValueError(
            "MirrorMaker splits its lists at every comma, so a pattern cannot hold one"
        )
    try:
        compile_java(pattern)
    except InvalidPattern as reason:
        raise ValueError(f"Java cannot read this pattern: {reason}") from None
    return pattern


def _topic_config(name: str) -> str:
    known = keys_in(Section.TOPIC)
    if name not in known:
        near = difflib.get_close_matches(name, known, n=1)
        hint = f"did you mean {near[0]}" if near else "one is retention.ms"
        raise ValueError(f"topics have no such config; {hint}")
    if name in NOT_CARRIED_OVER:
        raise ValueError("it belongs to the brokers of one cluster, and is never carried over")
    return name


def _as_text(value: Any) -> Any:
    """`2` and `true` are what people write; Kafka reads texts."""
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, int | float) else value


Value = Annotated[str, BeforeValidator(_as_text)]
"""A value of Kafka's."""
ConfigName = Annotated[Text, AfterValidator(_topic_config)]
"""A topic's config, by its name."""
Pattern = Annotated[Text, AfterValidator(_java_regex)]
"""A name or a Java regular expression, matched against whole names."""


class FlowState(StrEnum):
    """What a flow's connectors are to be doing."""

    RUNNING = "running"
    PAUSED = "paused"
    """They keep their place in the worker group, and move nothing."""
    STOPPED = "stopped"
    """They give up their tasks; their offsets can be changed."""


class WorkerSettings(Strict):
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


class OverrideSettings(Strict):
    """Keys of MirrorMaker or its clients that this flow sets itself, per connector."""

    source: dict[Text, Value] = Field(default_factory=dict)
    """Of the connector that moves records."""
    checkpoint: dict[Text, Value] = Field(default_factory=dict)
    """Of the connector that translates the groups' offsets."""
    heartbeat: dict[Text, Value] = Field(default_factory=dict)
    """Of the connector that emits heartbeats."""


class FlowSettings(Strict):
    """Records move from one cluster to another."""

    source: Alias = Field(alias="from")
    """The alias of the cluster that is mirrored."""
    target: Alias = Field(alias="to")
    """The alias of the cluster that it is mirrored to; the workers run next to it."""
    naming: Naming = Naming.PREFIXED
    """`prefixed`: `east.orders`, which shows its origin and ends cycles; `identity`: `orders`."""
    topics: Annotated[tuple[Pattern, ...], Field(min_length=1)]
    """Names or Java regular expressions, matched against whole names."""
    exclude: tuple[Pattern, ...] = ()
    """What of them is left out; internal topics always are."""
    groups: tuple[Pattern, ...] = ()
    """Consumer groups whose offsets are translated, by name or expression."""
    exclude_groups: tuple[Pattern, ...] = Field((), alias="exclude-groups")
    """What of them is left out."""
    sync_configs: tuple[ConfigName, ...] = Field((), alias="sync-configs")
    """Topic configs, such as `retention.ms`, that MirrorMaker keeps as they are on the source. All
    others are this stack's: made as on the source, then changed only by a deployment."""
    offset_syncs: Literal["source", "target"] = Field("target", alias="offset-syncs")
    """Where MirrorMaker notes which offset is which. On the target, the source is never written."""
    offset_lag: Annotated[int, Field(ge=0)] = Field(100, alias="offset-lag")
    """After how many records at the latest the next one is noted: the fewer, the fewer records a
    group reads again on the target."""
    checkpoint_seconds: Annotated[int, Field(ge=1)] = Field(60, alias="checkpoint-seconds")
    """How often the groups' offsets are translated."""
    sync_group_offsets: bool = Field(True, alias="sync-group-offsets")
    """Whether they are also committed on the target, so that consumers can simply start there."""
    heartbeats: bool = True
    """Whether the workers prove every second that they can write to the target."""
    exactly_once: bool = Field(True, alias="exactly-once")
    """Whether a restart may write no record twice; it costs transactions on the target."""
    state: FlowState = FlowState.RUNNING
    """`running`, `paused` or `stopped`."""
    tasks: Annotated[int, Field(ge=1, le=1000)] = 2
    """At most so many threads move records."""
    profile: Literal["default", "throughput"] = "default"
    """`throughput`: larger batches and fetches, for long lines and much data."""
    override: OverrideSettings = OverrideSettings()
    """Keys of MirrorMaker or its clients, per connector."""

    @property
    def name(self) -> str:
        return f"{self.source}-to-{self.target}"

    @property
    def policy(self) -> ReplicationPolicy:
        return ReplicationPolicy(self.naming, self.source, self.target)


class SmokeTestSettings(Strict):
    """After every change of a flow, both clusters are compared record by record, on Spark."""

    wait_seconds: Annotated[float, Field(ge=0)] = Field(60.0, alias="wait-seconds")
    """How long the target may take to catch up."""
    rpo_seconds: Annotated[float, Field(ge=0)] | None = Field(None, alias="rpo-seconds")
    """How old a record that has not arrived may be; not given: all must have arrived."""
    master: Text | None = None
    """Spark's master, such as `spark://host:7077`; not given: this machine."""
    run: Text | None = None
    """Any text; change it, and the next `pulumi up` verifies again."""


class StackSettings(Strict):
    """What a stack declares."""

    clusters: Annotated[dict[Alias, ClusterSettings], Field(min_length=2)]
    """By alias."""
    flows: Annotated[tuple[FlowSettings, ...], Field(min_length=1)]
    """What is mirrored where."""
    workers: dict[Alias, WorkerSettings] = Field(default_factory=dict)
    """By the alias of the target cluster; a target that is not named gets the defaults."""
    delete_topics: bool = Field(False, alias="delete-topics")
    """The explicit word: topics go when they leave the stack, with their records."""
    production: bool = False
    """Whether the policies ask for what production needs, such as encrypted transport."""
    smoke_test: SmokeTestSettings | None = Field(None, alias="smoke-test")
    """Whether `pulumi up` ends with a comparison of both clusters, and fails when they differ."""
    peers: tuple[Text, ...] = ()
    """Other stacks' files in the same directory, such as `Pulumi.dr.yaml`: together with this
    stack's, their flows must not form a ring, nor share worker groups."""
    intent: dict[Text, Intent] = Field(default_factory=dict)
    """By connector, such as `east-to-west-source`: that it is meant to leave this stack (`resume`
    if it comes back, else `discard`), or to begin anew with other workers (`restart`)."""

    def workers_at(self, alias: str) -> WorkerSettings:
        return self.workers.get(alias, WorkerSettings())

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
        raise Problem(
            f"{where}: mirrorstack:workers.{alias}: no flow leads to {alias}, so no workers run "
            "there.",
            f"name a target: {', '.join(targets)}",
        )


def _check_ends(flow: FlowSettings, settings: StackSettings, where: str) -> None:
    known = ", ".join(settings.clusters)
    for end, alias in (("from", flow.source), ("to", flow.target)):
        if alias not in settings.clusters:
            raise Problem(
                f"{where}: flows: `{end}: {alias}` names no cluster; there are {known}.",
                f"use one of them, or declare {alias} under mirrorstack:clusters",
            )
    if flow.source == flow.target:
        raise Problem(
            f"{where}: flows: a flow from {flow.source} to {flow.target} copies onto itself.",
            "name two clusters",
        )
    if settings.clusters[flow.target].read_only:
        raise Problem(
            f"{where}: flows: {flow.name} writes to {flow.target}, which is `read-only: true`.",
            "turn the flow round, or take `read-only` off the cluster",
        )
    if not settings.clusters[flow.target].administer:
        raise Problem(
            f"{where}: flows: {flow.name} needs topics on {flow.target}, which is "
            "`administer: false`.",
            f"take `administer` off {flow.target}: a target is where this stack owns topics",
        )
    if flow.offset_syncs == "source" and not settings.clusters[flow.source].administer:
        raise Problem(
            f"{where}: flows: {flow.name} has `offset-syncs: source`, and {flow.source} is "
            "`administer: false`: nobody would create its offset-syncs topic there.",
            "use `offset-syncs: target`",
        )
    if flow.offset_syncs == "source" and settings.clusters[flow.source].read_only:
        raise Problem(
            f"{where}: flows: {flow.name} has `offset-syncs: source`, and {flow.source} is "
            "`read-only: true`: MirrorMaker would write its offset-syncs topic there.",
            "use `offset-syncs: target`",
        )


def _check_names_are_unique(settings: StackSettings, where: str) -> None:
    names = [flow.name for flow in settings.flows]
    for name in names:
        if names.count(name) > 1:
            raise Problem(
                f"{where}: flows: there are {names.count(name)} flows {name}; their connectors "
                "would have the same names.",
                "make one flow of them, with all their topics",
            )
