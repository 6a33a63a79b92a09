"""Checks across the keys of a stack file: what no single value shows."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace

from mirrorstack.config.clusters import ClusterSettings, check_cluster
from mirrorstack.config.flows import FlowSettings
from mirrorstack.config.replication_policies import check_policy
from mirrorstack.config.workers import WorkerMode, WorkerSettings, check_workers
from mirrorstack.connect.protocol import ConnectorState
from mirrorstack.findings import Finding, KeyPath
from mirrorstack.mm2.discovery import Discovery, patterns
from mirrorstack.text import and_more, did_you_mean


@dataclass(frozen=True)
class StackParts:
    """The parts of a stack file, as far as they are valid each by itself."""

    aliases: Collection[str]
    """The keys of `clusters`."""
    clusters: Mapping[str, ClusterSettings]
    flows: Mapping[int, FlowSettings]
    """By their index in the file."""
    workers: Collection[str]
    """The keys of `workers`."""
    worker_settings: Mapping[str, WorkerSettings] = field(default_factory=dict)


def check_parts(parts: StackParts, skipped: Collection[KeyPath] = ()) -> Iterator[Finding]:
    """`skipped` are the paths of clusters and flows with invalid values: how the values of one fit
    together is not checked."""
    for alias, cluster in parts.clusters.items():
        if ("clusters", alias) not in skipped:
            yield from check_cluster(alias, cluster)
    for index, flow in parts.flows.items():
        yield from _check_ends(("flows", index), flow, parts)
        yield from _check_synced_configs(("flows", index), flow)
        if ("flows", index) not in skipped:
            for finding in check_policy(("flows", index), flow.policy, flow.own_policy):
                yield replace(finding, flow=flow.name)
    yield from _check_names_are_unique(parts)
    yield from _check_workers(parts)
    for target, workers in parts.worker_settings.items():
        if ("workers", target) not in skipped:
            reached = _reached(parts, target)
            yield from check_workers(
                target,
                workers,
                passwords=any(_has_passwords(each) for each in reached),
                sandbox=any(each.sandbox is not None for each in reached),
            )
            if workers.mode is WorkerMode.DEDICATED:
                yield from _check_dedicated(target, parts.flows)


def _check_ends(path: KeyPath, flow: FlowSettings, parts: StackParts) -> Iterator[Finding]:
    for key, alias in (("from", flow.source), ("to", flow.target)):
        if alias not in parts.aliases:
            yield Finding.at(
                (*path, key),
                f'unknown cluster "{alias}" (clusters: {", ".join(parts.aliases)})',
                did_you_mean(alias, parts.aliases, f"declare {alias} under `clusters`"),
                flow=flow.name,
            )
    if flow.source == flow.target:
        yield Finding.at(
            (*path, "to"),
            f"the flow would replicate {flow.source} to itself",
            "set `from` and `to` to different clusters",
            flow=flow.name,
        )
        return
    if target := parts.clusters.get(flow.target):
        yield from _check_target(path, flow, target)
    source = parts.clusters.get(flow.source)
    if source and flow.offset_syncs == "source":
        yield from _check_offset_syncs(path, flow, source)


def _check_target(path: KeyPath, flow: FlowSettings, target: ClusterSettings) -> Iterator[Finding]:
    if target.read_only:
        yield Finding.at(
            (*path, "to"),
            f"{flow.name} writes to {flow.target}, which is `read-only: true`",
            "swap `from` and `to`, or remove `read-only` from the cluster",
            flow=flow.name,
            cluster=flow.target,
        )
    if not target.administer:
        yield Finding.at(
            (*path, "to"),
            f"{flow.name} creates topics on {flow.target}, which is `administer: false`",
            f"remove `administer` from {flow.target}: the stack owns topics on a target",
            flow=flow.name,
            cluster=flow.target,
        )


def _check_offset_syncs(
    path: KeyPath, flow: FlowSettings, source: ClusterSettings
) -> Iterator[Finding]:
    reasons = {
        "`administer: false`, so nothing creates the offset-syncs topic there": (
            not source.administer
        ),
        "`read-only: true`, and MirrorMaker writes offset syncs there": source.read_only,
    }
    for reason, applies in reasons.items():
        if applies:
            yield Finding.at(
                (*path, "offset-syncs"),
                f'"source" is not possible: {flow.source} is {reason}',
                "set `offset-syncs: target`",
                flow=flow.name,
                cluster=flow.source,
            )


def _check_synced_configs(path: KeyPath, flow: FlowSettings) -> Iterator[Finding]:
    live = patterns(flow.topics) if flow.discovery is Discovery.LIVE else ()
    if flow.sync_configs and live:
        yield Finding.at(
            (*path, "sync-configs"),
            f"not possible with live discovery of {and_more(live)}: MirrorMaker has one filter "
            "(`config.properties.exclude`) for the configs that it syncs and for those of topics "
            "that it creates, so a new topic would lack all others, such as cleanup.policy",
            "set `discovery: pinned`, or remove `sync-configs`",
            flow=flow.name,
        )


def _check_names_are_unique(parts: StackParts) -> Iterator[Finding]:
    indexes: dict[str, list[int]] = {}
    for index, flow in parts.flows.items():
        indexes.setdefault(flow.name, []).append(index)
    for name, (_, *others) in indexes.items():
        if others:
            yield Finding.at(
                ("flows", others[0]),
                f"there are {1 + len(others)} flows {name}, and their connectors would have the "
                "same names",
                "merge them into one flow with all the topics",
                flow=name,
            )


def _check_dedicated(target: str, flows: Mapping[int, FlowSettings]) -> Iterator[Finding]:
    """What MirrorMaker cannot do in dedicated mode."""
    for index, flow in flows.items():
        if flow.target == target and flow.state is not ConnectorState.RUNNING:
            yield Finding.at(
                ("flows", index, "state"),
                f'"{flow.state}" is not possible with `mode: dedicated` at {target}: MirrorMaker '
                "has no REST API there, so nothing can pause or stop its connectors",
                f"use `mode: connect` under `workers.{target}`; or remove the flow, which keeps "
                "its offsets",
                flow=flow.name,
            )


def _check_workers(parts: StackParts) -> Iterator[Finding]:
    targets = list(dict.fromkeys(flow.target for flow in parts.flows.values()))
    for alias in parts.workers:
        if alias not in targets and targets:
            yield Finding.at(
                ("workers", alias),
                f"no flow has {alias} as its target, so no workers run there",
                did_you_mean(alias, targets, f"use the alias of a target: {', '.join(targets)}"),
                cluster=alias,
            )


def _reached(parts: StackParts, target: str) -> list[ClusterSettings]:
    """The clusters that connectors to a target reach."""
    sources = [flow.source for flow in parts.flows.values() if flow.target == target]
    return [parts.clusters[each] for each in (target, *sources) if each in parts.clusters]


def _has_passwords(cluster: ClusterSettings) -> bool:
    return cluster.sandbox is not None or cluster.security.has_passwords
