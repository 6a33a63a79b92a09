"""The settings of a stack: a stack file's keys in, typed and frozen settings or findings out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, Field, ValidationError

from mirrorstack.config.base import Alias, SettingsModel, Text
from mirrorstack.config.checks import StackParts, check_parts
from mirrorstack.config.clusters import ClusterSettings
from mirrorstack.config.flows import FlowSettings
from mirrorstack.config.intents import Intent
from mirrorstack.config.smoke_test import SmokeTestSettings
from mirrorstack.config.validation import explain
from mirrorstack.config.worker_heaps import check_heaps, memory_at
from mirrorstack.config.workers import RuntimeName, WorkerSettings
from mirrorstack.findings import Finding, UserError
from mirrorstack.mm2.worker_group import WorkerGroup

Model = TypeVar("Model", bound=BaseModel)


class StackSettings(SettingsModel):
    """Everything that a stack declares."""

    clusters: Annotated[dict[Alias, ClusterSettings], Field(min_length=2)]
    """Clusters by alias."""
    flows: Annotated[tuple[FlowSettings, ...], Field(min_length=1)]
    """Directions of replication."""
    workers: dict[Alias, WorkerSettings] = Field(default_factory=dict)
    """Connect workers by the alias of their target cluster. Default: one worker for each target."""
    delete_topics: bool = Field(False, alias="delete-topics")
    """Delete topics, with their records, when they are removed from the stack. It takes effect for
    topics that are removed after it is deployed. On a cluster with `acls: shared`, offset-syncs,
    checkpoints and heartbeats topics stay, because another stack may use them."""
    production: bool = False
    """Whether the policies for production apply, such as encrypted connections."""
    smoke_test: SmokeTestSettings | None = Field(None, alias="smoke-test")
    """If set, `pulumi up` ends with a comparison of source and target, and fails if they differ."""
    peers: tuple[Text, ...] = ()
    """Stack files of other stacks in the same directory, such as `Pulumi.dr.yaml`. Their flows are
    checked together with this stack's for cycles and shared worker groups."""
    intent: dict[Text, Intent] = Field(default_factory=dict)
    """Acknowledged effects of the next deployment. For a connector, such as
    `east-to-west-source`: that it is removed (`resume` if it returns later, else `discard`), or
    that it restarts from earliest with other workers or another `naming` (`restart`); heartbeat
    connectors need none. For a topic, such as `west/east.orders`: that `delete-topics` deletes it
    (`discard`) or recreates it with fewer partitions (`restart`). Each applies to one deployment;
    remove it afterwards."""

    @property
    def is_sandboxed(self) -> bool:
        """Whether all clusters are sandbox clusters on this machine."""
        return all(cluster.sandbox is not None for cluster in self.clusters.values())

    @property
    def comparison(self) -> SmokeTestSettings:
        """How source and target are compared, whether or not `pulumi up` ends with it."""
        return self.smoke_test or SmokeTestSettings()

    def workers_at(self, alias: str) -> WorkerSettings:
        return self.workers.get(alias, WorkerSettings())

    def reached_from(self, target: str) -> list[str]:
        """The aliases of the clusters that the workers next to a target connect to."""
        sources = [flow.source for flow in self.flows if flow.target == target]
        return list(dict.fromkeys([target, *sources]))

    def heap_mb(self, target: str) -> int:
        """The heap of each worker next to a target, as declared or derived."""
        declared = self.workers_at(target).heap_mb
        return declared or memory_at(target, self.flows, self.clusters).heap_mb

    def worker_group(self, target: str) -> WorkerGroup:
        """The Connect group next to a target."""
        workers = self.workers_at(target)
        return WorkerGroup.of(
            target,
            self.flows,
            workers.group,
            is_managed=workers.runtime is not RuntimeName.EXISTING,
            naming=workers.connector_naming,
            separate_heartbeats=workers.has_separate_heartbeats,
        )

    def declared(self) -> dict[str, Any]:
        """The keys of an equivalent stack file: `parse` returns equal settings for them."""
        return self.model_dump(mode="json", by_alias=True, exclude_none=True)


def parse(values: Mapping[str, Any], file: str) -> StackSettings:
    """Settings from the keys of a stack file, or an error with everything that is wrong."""
    settings, findings = check(values)
    if settings is None or findings:
        raise UserError.of(findings, file=file)
    return settings


def check(values: Mapping[str, Any]) -> tuple[StackSettings | None, list[Finding]]:
    """The settings, and everything that is wrong with them. No settings: a value is invalid.

    Passwords and `override` are not checked here: see `config.passwords` and `rules`.
    """
    try:
        settings = StackSettings.model_validate(values)
    except ValidationError as error:
        findings = explain(error, StackSettings)
        invalid = {each.path[:2] for each in findings}
        return None, [*findings, *check_parts(_usable_parts(values), skipped=invalid)]
    flows = dict(enumerate(settings.flows))
    parts = StackParts(
        settings.clusters, settings.clusters, flows, settings.workers, settings.workers
    )
    findings = list(check_parts(parts))
    if not findings:
        heaps = {target: workers.heap_mb for target, workers in settings.workers.items()}
        findings += check_heaps(heaps, settings.flows, settings.clusters)
    return settings, findings


def _usable_parts(values: Mapping[str, Any]) -> StackParts:
    """What can be checked across keys although some values are invalid."""
    clusters, flows = _mapping(values.get("clusters")), values.get("flows")
    usable_clusters = {
        str(alias): cluster
        for alias, value in clusters.items()
        if (cluster := _without_invalid_keys(ClusterSettings, value))
    }
    workers = _mapping(values.get("workers"))
    listed = flows if isinstance(flows, list | tuple) else ()
    usable_flows = {
        index: flow
        for index, value in enumerate(listed)
        if (flow := _without_invalid_keys(FlowSettings, value, {"topics": ("orders",)}))
    }
    return StackParts(
        aliases=[str(alias) for alias in clusters],
        clusters=usable_clusters,
        flows=usable_flows,
        # A flow that cannot be read may lead to any target.
        workers=workers if len(usable_flows) == len(listed) else (),
        worker_settings={
            str(target): usable
            for target, value in workers.items()
            if (usable := _without_invalid_keys(WorkerSettings, value))
        },
    )


def _mapping(value: Any) -> Mapping[Any, Any]:
    return value if isinstance(value, Mapping) else {}


def _without_invalid_keys(
    model: type[Model], value: Any, substitutes: Mapping[str, Any] | None = None
) -> Model | None:
    """The model with defaults, or the substitutes, in place of keys that are invalid or missing."""
    kept = value
    for _ in range(2):
        try:
            return model.model_validate(kept)
        except ValidationError as error:
            invalid = {each["loc"][0] for each in error.errors(include_url=False) if each["loc"]}
        if not isinstance(value, Mapping):
            return None
        kept = {
            **(substitutes or {}),
            **{key: each for key, each in value.items() if key not in invalid},
        }
    return None
