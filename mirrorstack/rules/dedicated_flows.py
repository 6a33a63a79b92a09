"""Rules about mm2.properties as a whole: the flows that dedicated mode makes of it.

MirrorMaker starts a worker for every ordered pair of clusters that is enabled or emits heartbeats,
and heartbeats are on by default: a file for one direction also writes in the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from mirrorstack.findings import Finding
from mirrorstack.mm2.connector_configs import ConnectorKind
from mirrorstack.mm2.dedicated.expansion import ExpandedFlow, expand
from mirrorstack.mm2.key_values import list_items
from mirrorstack.rules.connector_config import byte_array_converters, is_off
from mirrorstack.rules.flow_completeness import checkpoints_for_groups
from mirrorstack.rules.flow_connectors import connector_findings
from mirrorstack.rules.keys.dedicated import ARROW, HEARTBEATS, clusters_of
from mirrorstack.rules.keys.worker import shared_state_topics
from mirrorstack.rules.rule import Level, Risk, rule
from mirrorstack.rules.subjects import FlowGroups
from mirrorstack.rules.workers import STATE_TOPICS

CHECKPOINTS = "emit.checkpoints.enabled"
LOCATION = "offset-syncs.topic.location"
STATE = ("group.id", *STATE_TOPICS)


@dataclass(frozen=True)
class Herder:
    """A worker and the connectors that run on it, for one ordered pair of clusters."""

    file: Mapping[str, str]
    source: str
    target: str
    made: ExpandedFlow

    @property
    def name(self) -> str:
        return f"{self.source}{ARROW}{self.target}"

    @property
    def is_enabled(self) -> bool:
        """Whether it replicates records."""
        return self.config(ConnectorKind.SOURCE).get("enabled", "").strip().lower() == "true"

    @property
    def emits(self) -> bool:
        """From the raw text, as MirrorMaker decides whether to start it at all."""
        raw = self.file.get(f"{self.name}.{HEARTBEATS}", self.file.get(HEARTBEATS, "true"))
        return raw.lower() == "true"

    def config(self, kind: ConnectorKind) -> Mapping[str, str]:
        return self.made.connectors[kind]

    def written(self, key: str) -> str:
        """The key of the file that sets a connector's key; else the one that enables the flow."""
        places = (f"{self.name}.{key}", f"{self.target}.{key}", key, f"{self.name}.enabled")
        return next((place for place in places if place in self.file), "enabled")


def herders(config: Mapping[str, str]) -> list[Herder]:
    """Those that MirrorMaker starts."""
    clusters = clusters_of(config)
    pairs = [(source, target) for source in clusters for target in clusters if source != target]
    made = [Herder(config, *pair, expand(config, *pair)) for pair in pairs]
    return [one for one in made if one.is_enabled or one.emits]


@dataclass(frozen=True)
class DedicatedFile:
    """What MirrorMaker starts for one mm2.properties."""

    herders: tuple[Herder, ...]


@dataclass(frozen=True)
class HerderPair:
    """Two of different files."""

    one: Herder
    other: Herder
    file: str
    """Of the first."""


def dedicated_flow_findings(config: Mapping[str, str]) -> Iterator[Finding]:
    started = herders(config)
    for herder in started:
        for one in shared_state_topics(herder.made.worker):
            yield replace(
                one, path=(herder.written(one.key),), message=f"{herder.name}: {one.message}"
            )
        if herder.is_enabled:
            yield from _connectors(herder)
    yield from no_heartbeats_on_read_only_clusters.findings(DedicatedFile(tuple(started)))


def _connectors(herder: Herder) -> Iterator[Finding]:
    for kind in ConnectorKind:
        # Connectors without converters use the worker's.
        worker = {key: v for key, v in herder.made.worker.items() if key.endswith(".converter")}
        config = {**worker, **herder.config(kind)}
        for one in connector_findings(f"{herder.name} ({kind})", config):
            # The worker is the same for all three.
            if kind is ConnectorKind.SOURCE or one.rule != byte_array_converters.id:
                yield replace(one, path=(herder.written(one.key),), flow=herder.name)
    checkpoint = herder.config(ConnectorKind.CHECKPOINT)
    groups = list_items(checkpoint.get("groups", ""))
    kinds = [
        kind
        for kind in ConnectorKind
        if kind is not ConnectorKind.CHECKPOINT or not is_off(checkpoint, CHECKPOINTS)
    ]
    for one in checkpoints_for_groups.findings(FlowGroups(herder.name, groups, kinds)):
        fix = f"remove {CHECKPOINTS}, or the groups"
        yield replace(one, fix=fix, path=(herder.written(CHECKPOINTS),))


@rule(
    DedicatedFile,
    id="no-heartbeats-on-read-only-clusters",
    title="On a read-only source, no heartbeats should be emitted.",
    reason="MirrorMaker creates topics there and joins a group.",
    risk=Risk.MEDIUM,
    level=Level.ADVISORY,
)
def no_heartbeats_on_read_only_clusters(file: DedicatedFile) -> Iterator[Finding]:
    """Offset syncs on the target mean that the source must not, or should not, be written."""
    for herder in file.herders:
        location = herder.config(ConnectorKind.SOURCE).get(LOCATION, "").strip()
        if not herder.is_enabled or location != "target":
            continue
        for back in file.herders:
            if (back.source, back.target) == (herder.target, herder.source) and not back.is_enabled:
                yield Finding(
                    f"{herder.name} keeps its offset syncs on {herder.target}, so that "
                    f"{herder.source} is not written; yet MirrorMaker starts {back.name} for its "
                    f"heartbeats, which creates topics on {herder.source} and joins a group there, "
                    "though it is not enabled",
                    f"write `{back.name}.{HEARTBEATS} = false`, or start it with `--clusters "
                    f"{herder.target}`",
                    flow=herder.name,
                    cluster=herder.source,
                    path=(herder.written(LOCATION),),
                )


@rule(
    HerderPair,
    id="no-shared-dedicated-workers",
    title="Two files of dedicated mode must not run on one cluster with one group.",
    reason="The process that becomes the leader overwrites the other's config.",
    risk=Risk.CRITICAL,
)
def no_shared_dedicated_workers(pair: HerderPair) -> Iterator[Finding]:
    """With the same config they are two nodes of one MirrorMaker, as intended."""
    one, other = pair.one.made, pair.other.made
    here, there = (list_items(each.worker.get("bootstrap.servers", "")) for each in (one, other))
    if one == other or not set(here) & set(there):
        return
    both = [one.worker[key] for key in STATE if one.worker.get(key) == other.worker.get(key)]
    if both:
        target = pair.other.target
        yield Finding(
            f"{pair.other.name} uses {', '.join(both)} on {target}, and so does {pair.one.name} of "
            f"{pair.file} with a different config: whichever process becomes the leader overwrites "
            "the config of the other",
            f"use one file per target cluster, or set another `{target}.group.id` and other "
            "storage topics",
            flow=pair.other.name,
            cluster=target,
            path=(pair.other.written("group.id"),),
        )


RULES = (no_heartbeats_on_read_only_clusters, no_shared_dedicated_workers)
