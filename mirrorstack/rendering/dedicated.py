"""A stack as mm2.properties, the file of dedicated mode (`connect-mirror-maker`).

It needs the settings and nothing else: patterns stay patterns, and where a number would have to be
asked of a cluster, it is left to the cluster's brokers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations

from mirrorstack.config.clusters import ClusterSettings
from mirrorstack.config.settings import StackSettings, WorkerSettings
from mirrorstack.kafka.java_client import ClientAccess, prefixed
from mirrorstack.local.java_properties import render
from mirrorstack.mm2.worker_configs import FILE_PROVIDER, WorkerGroup, worker_config
from mirrorstack.notes import Note
from mirrorstack.rendering.clusters import about_clusters, used
from mirrorstack.rendering.flows import HEARTBEATS, flow_keys, pair

HEAD = "# Rendered from {origin}: change that, and render again.\n# Not said as there:\n"
REST_PORT = 8083
BROKERS_DECIDE = -1  # Kafka's word for their default.replication.factor
# What of a worker's config is the stack's to say; dedicated mode names groups and topics by itself.
OF_WORKERS = (
    "exactly.once.source.support",
    "offset.flush.interval.ms",
    "config.storage.replication.factor",
    "offset.storage.replication.factor",
    "status.storage.replication.factor",
)


@dataclass(frozen=True)
class Rendered:
    sections: Mapping[str, Mapping[str, str]]
    """Keys and values, by a heading for people."""
    notes: Sequence[Note]

    @property
    def properties(self) -> dict[str, str]:
        return {key: value for keys in self.sections.values() for key, value in keys.items()}

    def page(self, origin: str) -> str:
        """The file, with all notes at its top."""
        notes = "".join(f"#   - {_ascii(str(note))}\n" for note in self.notes)
        parts = (f"\n# {title}\n{render(keys)}" for title, keys in self.sections.items())
        return f"{HEAD.format(origin=_ascii(origin))}{notes}{''.join(parts)}"


def rendered(settings: StackSettings, access: dict[str, ClientAccess]) -> Rendered:
    """`access` has the clusters that flows leave or reach, with references for passwords."""
    aliases = used(settings)
    factors = {alias: _factor(settings.clusters[alias]) for alias in aliases}
    targets = dict.fromkeys(flow.target for flow in settings.flows)
    groups = {target: settings.worker_group(target) for target in targets}
    notes = [*about_clusters(settings, access), *_about_workers(settings, groups, factors)]
    sections = {"The whole": _whole(settings, groups, access)}
    for alias in aliases:
        keys = access[alias].client_properties()
        if alias in groups:
            made = worker_config(groups[alias], access[alias], "", factors[alias])
            keys |= {key: made[key] for key in OF_WORKERS}
        sections[f"The cluster {alias}"] = prefixed(f"{alias}.", keys)
    for flow in settings.flows:
        keys = flow_keys(flow, factors, notes)
        sections[f"From {flow.source} to {flow.target}"] = prefixed(f"{pair(flow)}.", keys)
    flows = {pair(flow) for flow in settings.flows}
    idle = [f"{a}->{b}" for a, b in permutations(aliases, 2) if f"{a}->{b}" not in flows]
    if idle:
        # MirrorMaker starts workers for every pair that is to have heartbeats, flow or not. They
        # would make topics on a source that is never to be written.
        title = "No flows: without a word about heartbeats, MirrorMaker writes there all the same"
        sections[title] = {f"{each}.{HEARTBEATS}": "false" for each in idle}
    return Rendered(sections, list(dict.fromkeys(notes)))


def _ascii(text: str) -> str:
    """For comments, which nothing reads: one line, in every encoding."""
    return text.encode("ascii", "backslashreplace").decode().replace("\n", " ")


def _factor(cluster: ClusterSettings) -> int:
    if cluster.replication_factor or cluster.brokers:
        return cluster.factor(0)
    return BROKERS_DECIDE


def _whole(
    settings: StackSettings, groups: Mapping[str, WorkerGroup], access: Mapping[str, ClientAccess]
) -> dict[str, str]:
    keys = {"clusters": ", ".join(used(settings))}
    if any(one.protocol.startswith("SASL_") for one in access.values()):
        keys |= {"config.providers": "file", "config.providers.file.class": FILE_PROVIDER}
    workers = [settings.workers_at(target) for target in groups]
    if _talks(workers, groups):
        port = next((one.rest_port for one in workers if one.rest_port), REST_PORT)
        keys |= {
            "dedicated.mode.enable.internal.rest": "true",
            "listeners": f"http://127.0.0.1:{port}",
        }
    return keys


def _talks(workers: Sequence[WorkerSettings], groups: Mapping[str, WorkerGroup]) -> bool:
    """Whether the workers of a group must reach one another: to fence, or to share tasks."""
    return any(group.exactly_once for group in groups.values()) or any(
        one.count > 1 for one in workers
    )


def _about_workers(
    settings: StackSettings, groups: Mapping[str, WorkerGroup], factors: Mapping[str, int]
) -> Iterator[Note]:
    what = "nobody can ask dedicated mode for states or offsets, or restart a connector: it has no "
    yield Note("the file", f"{what}REST interface for people; a change needs a new start")
    most = max(settings.workers_at(target).count for target in groups)
    if most > 1:
        what = f"{most} workers are declared: start it with the same file on {most} machines, and "
        yield Note("the file", f"{what}put an address that the others reach into `listeners`")
    for target, group in groups.items():
        yield from _about_target(settings, target, group, factors[target])


def _about_target(
    settings: StackSettings, target: str, group: WorkerGroup, factor: int
) -> Iterator[Note]:
    workers, here = settings.workers_at(target), [f for f in settings.flows if f.target == target]
    what = "MirrorMaker makes the topics here by itself, its own as well: the grants of the stack, "
    yield Note(target, f"{what}which makes them, are not enough; its principal must create topics")
    if workers.group:
        own = ", ".join(f"{flow.source}-mm2" for flow in here)
        what = f"the group {workers.group} is not used: dedicated mode has one for each flow, {own}"
        yield Note(target, what)
    if workers.heap_mb != WorkerSettings().heap_mb:
        what = f"heap-mb is not in the file: start it with KAFKA_HEAP_OPTS=-Xmx{workers.heap_mb}m"
        yield Note(target, what)
    if factor == BROKERS_DECIDE:
        what = "how often topics are kept is left to its brokers' default.replication.factor: say "
        yield Note(target, f"{what}`brokers` or `replication-factor` in the stack file")
    if group.exactly_once:
        for flow in here:
            if not flow.exactly_once:
                what = f"all flows to {target} are exactly-once, because one of them is"
                yield Note(pair(flow), what)
