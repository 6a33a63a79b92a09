"""A stack as mm2.properties, the file of dedicated mode (`connect-mirror-maker`).

It needs only the settings: patterns stay patterns, and a replication factor that depends on the
number of brokers is left to the brokers' default.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations

from mirrorstack.config.clusters import ClusterSettings
from mirrorstack.config.settings import StackSettings
from mirrorstack.config.workers import WorkerSettings
from mirrorstack.findings import Finding
from mirrorstack.kafka.java_client import ClientAccess, prefixed
from mirrorstack.local.java_properties import render
from mirrorstack.mm2.dedicated.config import HEARTBEATS, arrow_name
from mirrorstack.mm2.worker_configs import FILE_PROVIDER, shared_worker_keys
from mirrorstack.mm2.worker_group import WorkerGroup
from mirrorstack.rendering.clusters import cluster_notes, used_clusters
from mirrorstack.rendering.flows import arrow, rendered_flow
from mirrorstack.rendering.notes import as_comments, note
from mirrorstack.rules.keys.overrides import require_valid_overrides

HEAD = "# Rendered from {origin}. Edit that file and render again.\n# Differences:\n"
REST_PORT = 8083
SCRIPT_HEAP_MB = 2048
"""The heap that connect-mirror-maker.sh sets unless KAFKA_HEAP_OPTS is set."""
BROKER_DEFAULT = -1
"""Kafka's value for the brokers' default.replication.factor."""
# The part of the worker config that the stack sets; dedicated mode names groups and topics itself.
WORKER_KEYS = (
    "exactly.once.source.support",
    "offset.flush.interval.ms",
    "config.storage.replication.factor",
    "offset.storage.replication.factor",
    "status.storage.replication.factor",
)


@dataclass(frozen=True)
class RenderedProperties:
    sections: Mapping[str, Mapping[str, str]]
    """Keys and values, by heading."""
    notes: Sequence[Finding]

    @property
    def properties(self) -> dict[str, str]:
        return {key: value for keys in self.sections.values() for key, value in keys.items()}

    def content(self, origin: str) -> str:
        """The content of the file, with the notes as comments at the top."""
        head = f"{HEAD.format(origin=origin)}{as_comments(self.notes)}"
        parts = (f"\n# {title}\n{render(keys)}" for title, keys in self.sections.items())
        return f"{_ascii(head)}{''.join(parts)}"


def render_stack(settings: StackSettings, access: dict[str, ClientAccess]) -> RenderedProperties:
    """`access` has the clusters that flows use, with references for passwords."""
    require_valid_overrides(settings)
    aliases = used_clusters(settings)
    factors = {alias: _factor(settings.clusters[alias]) for alias in aliases}
    targets = dict.fromkeys(flow.target for flow in settings.flows)
    groups = {target: settings.worker_group(target) for target in targets}
    notes = [*cluster_notes(settings, access), *_worker_notes(settings, groups, factors)]
    sections = {"All clusters and flows": _shared_keys(settings, groups, access)}
    for alias in aliases:
        keys = access[alias].client_properties()
        if alias in groups:
            worker = shared_worker_keys(groups[alias], factors[alias])
            keys |= {key: worker[key] for key in WORKER_KEYS}
        sections[f"Cluster {alias}"] = prefixed(f"{alias}.", keys)
    for flow in settings.flows:
        keys = rendered_flow(flow, factors, notes)
        sections[f"Flow {arrow(flow)}"] = prefixed(f"{arrow(flow)}.", keys)
    flows = {arrow(flow) for flow in settings.flows}
    unused = [name for pair in permutations(aliases, 2) if (name := arrow_name(*pair)) not in flows]
    if unused:
        # MirrorMaker starts workers for every pair of clusters with heartbeats, flow or not. They
        # would create topics on a source that must not be written.
        title = "No flows. Heartbeats are on by default, and would be written here"
        sections[title] = {f"{pair}.{HEARTBEATS}": "false" for pair in unused}
    return RenderedProperties(sections, list(dict.fromkeys(notes)))


def _ascii(comments: str) -> str:
    """Comments that are valid in every encoding."""
    return comments.encode("ascii", "backslashreplace").decode()


def _factor(cluster: ClusterSettings) -> int:
    if cluster.replication_factor or cluster.brokers:
        return cluster.factor(0)
    return BROKER_DEFAULT


def _shared_keys(
    settings: StackSettings, groups: Mapping[str, WorkerGroup], access: Mapping[str, ClientAccess]
) -> dict[str, str]:
    keys = {"clusters": ", ".join(used_clusters(settings))}
    if any(one.protocol.startswith("SASL_") for one in access.values()):
        keys |= {"config.providers": "file", "config.providers.file.class": FILE_PROVIDER}
    workers = [settings.workers_at(target) for target in groups]
    if _needs_internal_rest(workers, groups):
        port = next((one.rest_port for one in workers if one.rest_port), REST_PORT)
        keys |= {
            "dedicated.mode.enable.internal.rest": "true",
            "listeners": f"http://127.0.0.1:{port}",
        }
    return keys


def _needs_internal_rest(
    workers: Sequence[WorkerSettings], groups: Mapping[str, WorkerGroup]
) -> bool:
    """Whether the workers of a group call each other: to fence producers, or to share tasks."""
    return any(group.exactly_once for group in groups.values()) or any(
        one.count > 1 for one in workers
    )


def _worker_notes(
    settings: StackSettings, groups: Mapping[str, WorkerGroup], factors: Mapping[str, int]
) -> Iterator[Finding]:
    yield note(
        "dedicated mode has no public REST API: states and offsets cannot be queried, connectors "
        "cannot be restarted, and a config change needs a restart of the process"
    )
    most = max(settings.workers_at(target).count for target in groups)
    if most > 1:
        yield note(
            f"the stack declares {most} workers",
            f"start MirrorMaker with this file on {most} machines; set `listeners` to an address "
            "that the others can reach",
        )
    for target, group in groups.items():
        yield from _target_notes(settings, target, group, factors[target])


def _target_notes(
    settings: StackSettings, target: str, group: WorkerGroup, factor: int
) -> Iterator[Finding]:
    workers, flows = settings.workers_at(target), [f for f in settings.flows if f.target == target]
    yield note(
        "MirrorMaker creates topics here, including its internal ones; the ACLs of the stack, "
        "which creates topics itself, are not sufficient",
        "allow MirrorMaker's principal to create topics",
        cluster=target,
    )
    if workers.group:
        names = ", ".join(f"{flow.source}-mm2" for flow in flows)
        yield note(
            f"group {workers.group} is not used: dedicated mode has one group per flow, {names}",
            cluster=target,
        )
    heap_mb = settings.heap_mb(target)
    if workers.heap_mb is not None or heap_mb > SCRIPT_HEAP_MB:
        yield note(
            f"the heap ({heap_mb} MB) is not part of the file",
            f"start MirrorMaker with KAFKA_HEAP_OPTS=-Xmx{heap_mb}m",
            cluster=target,
        )
    if factor == BROKER_DEFAULT:
        yield note(
            "topics get the brokers' default.replication.factor",
            "set `brokers` or `replication-factor` in the stack file to choose another one",
            cluster=target,
        )
    if group.exactly_once:
        for flow in flows:
            if not flow.exactly_once:
                yield note(
                    f"exactly-once is on, because another flow to {target} has it",
                    flow=arrow(flow),
                )
