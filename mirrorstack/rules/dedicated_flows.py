"""What mm2.properties does as a whole: the flows that dedicated mode makes of it, judged.

MirrorMaker starts a worker for every ordered pair of clusters that is enabled or emits heartbeats,
and heartbeats are on by default: a file about one direction writes in the other as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from mirrorstack.findings import Finding, Severity
from mirrorstack.mm2.connector_configs import ConnectorKind
from mirrorstack.mm2.dedicated import ExpandedFlow, expand
from mirrorstack.mm2.key_values import list_items
from mirrorstack.rules.flow_connectors import flow_findings, is_off
from mirrorstack.rules.keys.dedicated import ARROW, HEARTBEATS, clusters_of
from mirrorstack.rules.keys.worker import topics_in_common
from mirrorstack.rules.registry import Rule

CHECKPOINTS = "emit.checkpoints.enabled"
LOCATION = "offset-syncs.topic.location"
STATE = ("group.id", "config.storage.topic", "offset.storage.topic", "status.storage.topic")


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
        """Whether it mirrors records."""
        return self.config(ConnectorKind.SOURCE).get("enabled", "").strip().lower() == "true"

    @property
    def emits(self) -> bool:
        """From the raw text, as MirrorMaker decides whether to start it at all."""
        raw = self.file.get(f"{self.name}.{HEARTBEATS}", self.file.get(HEARTBEATS, "true"))
        return raw.lower() == "true"

    def config(self, kind: ConnectorKind) -> Mapping[str, str]:
        return self.made.connectors[kind]

    def written(self, key: str) -> str:
        """Where the file says what a connector is told under a key; else, that the flow is on."""
        places = (f"{self.name}.{key}", f"{self.target}.{key}", key, f"{self.name}.enabled")
        return next((place for place in places if place in self.file), "enabled")


def herders(config: Mapping[str, str]) -> list[Herder]:
    """Those that MirrorMaker starts."""
    clusters = clusters_of(config)
    pairs = [(source, target) for source in clusters for target in clusters if source != target]
    made = [Herder(config, *pair, expand(config, *pair)) for pair in pairs]
    return [one for one in made if one.is_enabled or one.emits]


def dedicated_flow_findings(config: Mapping[str, str]) -> Iterator[Finding]:
    started = herders(config)
    for herder in started:
        for one in topics_in_common(herder.made.worker):
            yield replace(
                one, path=(herder.written(one.key),), message=f"{herder.name}: {one.message}"
            )
        if herder.is_enabled:
            yield from _flow(herder)
            yield from _reverse(herder, started)


def _flow(herder: Herder) -> Iterator[Finding]:
    for kind in ConnectorKind:
        # Converters that the connectors are not told are the worker's.
        worker = {key: v for key, v in herder.made.worker.items() if key.endswith(".converter")}
        config = {**worker, **herder.config(kind)}
        for one in flow_findings(f"{herder.name} ({kind})", config):
            # The worker is the same for all three.
            if kind is ConnectorKind.SOURCE or one.rule is not Rule.BYTES:
                yield replace(one, path=(herder.written(one.key),))
    checkpoint = herder.config(ConnectorKind.CHECKPOINT)
    if is_off(checkpoint, CHECKPOINTS) and list_items(checkpoint.get("groups", "")):
        yield Finding(
            f"{herder.name} declares the groups {checkpoint['groups']}, and {CHECKPOINTS} is "
            "false: after a failover none of them finds its place on the target",
            f"remove {CHECKPOINTS}, or the groups",
            rule=Rule.CHECKPOINTS,
            path=(herder.written(CHECKPOINTS),),
        )


def _reverse(herder: Herder, started: list[Herder]) -> Iterator[Finding]:
    """Offset syncs are kept on the target by who may not, or does not want to, write the source."""
    if herder.config(ConnectorKind.SOURCE).get(LOCATION, "").strip() != "target":
        return
    for back in started:
        if (back.source, back.target) == (herder.target, herder.source) and not back.is_enabled:
            yield Finding(
                f"{herder.name} keeps its offset syncs on {herder.target}, so that {herder.source} "
                f"is not written; yet MirrorMaker starts {back.name} for its heartbeats, which "
                f"makes topics on {herder.source} and joins a group there, though it is not "
                "enabled",
                f"write `{back.name}.{HEARTBEATS} = false`, or start it with `--clusters "
                f"{herder.target}`",
                rule=Rule.READ_ONLY_HEARTBEATS,
                path=(herder.written(LOCATION),),
                severity=Severity.WARNING,
            )


def shared(one: Herder, other: Herder) -> list[str]:
    """What two herders of different files both hold on one cluster.

    With one and the same config they are two nodes of one MirrorMaker, which is as it should be.
    """
    here, there = (
        list_items(each.made.worker.get("bootstrap.servers", "")) for each in (one, other)
    )
    if one.made == other.made or not set(here) & set(there):
        return []
    workers = (one.made.worker, other.made.worker)
    return [workers[0][key] for key in STATE if workers[0].get(key) == workers[1].get(key)]
