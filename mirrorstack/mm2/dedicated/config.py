"""The mm2.properties of one target: the config of MirrorMaker in dedicated mode.

A stack configures connectors one by one. Dedicated mode has one set of keys for the three
connectors of a flow, so their configs are merged here; where two of them have different values for
one key, it cannot express that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations

from mirrorstack.kafka.java_client import ClientAccess, prefixed
from mirrorstack.mm2.connector_configs import (
    BYTE_ARRAY_CONVERTER,
    ConnectorConfig,
    ConnectorKind,
    TopicSelection,
    connector_names,
    naming_keys,
    own_keys,
)
from mirrorstack.mm2.dedicated.expansion import expand
from mirrorstack.mm2.flow import Flow
from mirrorstack.mm2.resolved_flow import ResolvedFlow
from mirrorstack.mm2.worker_configs import shared_worker_keys
from mirrorstack.mm2.worker_group import ConnectorNaming, WorkerGroup

CLUSTERS = "clusters"
EXACTLY_ONCE = "exactly.once.support"
SYNCS_FACTOR = "offset-syncs.topic.replication.factor"
HEARTBEATS = "emit.heartbeats.enabled"
BYTE_ARRAY_CONVERTERS = {
    f"{part}.converter": BYTE_ARRAY_CONVERTER for part in ("key", "value", "header")
}
NO_WORKERS = WorkerGroup("", "", exactly_once=False)
REST_EXTENSIONS = "rest.extension.classes"


@dataclass(frozen=True)
class KeyConflict:
    """A key that connectors of a flow would have with different values."""

    kind: ConnectorKind
    """The connector that does not get its own value."""
    key: str
    value: str
    """Its own."""
    used: str
    used_by: ConnectorKind | None
    """The connector whose value all get; None: it follows from the flow."""


def arrow_name(source: str, target: str) -> str:
    """`east->west`, as in MirrorMaker's keys."""
    return f"{source}->{target}"


def flow_keys(
    flow: Flow, selection: TopicSelection, factors: Mapping[str, int], *, is_running: bool = True
) -> tuple[dict[str, str], list[KeyConflict]]:
    """The keys behind `east->west.`; `factors` are the replication factors by cluster."""
    own = own_keys(flow, selection, factors[flow.target])
    own[ConnectorKind.SOURCE] |= _dedicated_keys(flow, factors)
    keys = {
        "enabled": str(is_running).lower(),
        # Starts workers by itself, even where `enabled` is false.
        HEARTBEATS: str(is_running and flow.heartbeats).lower(),
        **naming_keys(flow),
    }
    conflicts: list[KeyConflict] = []
    owners: dict[str, ConnectorKind] = {}
    # There is always a checkpoint connector; it rejects `emit.checkpoints.enabled=false`. Without
    # groups it gets an empty list and does nothing.
    for kind in ConnectorKind:
        if kind is ConnectorKind.HEARTBEAT and not flow.heartbeats:
            continue
        conflicts += [
            KeyConflict(kind, key, value, keys[key], owners.get(key))
            for key, value in own[kind].items()
            if keys.get(key, value) != value
        ]
        owners |= {key: kind for key in own[kind] if key not in keys}
        keys |= {key: value for key, value in own[kind].items() if key not in keys}
    return keys, conflicts


def _dedicated_keys(flow: Flow, factors: Mapping[str, int]) -> dict[str, str]:
    # The other two connectors get the key too, cannot be exactly-once, and would reject `required`.
    keys = {EXACTLY_ONCE: "requested"}
    if flow.offset_syncs == "source" and SYNCS_FACTOR not in flow.override.source:
        # In dedicated mode MirrorMaker creates the topic.
        keys[SYNCS_FACTOR] = str(factors[flow.source])
    return keys


def dedicated_config(
    group: WorkerGroup,
    flows: Sequence[ResolvedFlow[Flow]],
    accesses: Mapping[str, ClientAccess],
    factors: Mapping[str, int],
    of_runtime: Mapping[str, str],
) -> dict[str, str]:
    """For the flows to the group's target; `accesses` and `factors` by cluster. `of_runtime`: the
    properties that depend on where MirrorMaker runs, from `Runtime.worker_properties`."""
    target = group.target
    aliases = [target, *(alias for alias in accesses if alias != target)]
    keys = {
        CLUSTERS: ", ".join(aliases),
        # Tasks are shared between processes, and zombies are fenced, through the internal REST API.
        "dedicated.mode.enable.internal.rest": "true",
        **{key: value for key, value in of_runtime.items() if key != REST_EXTENSIONS},
    }
    for alias in aliases:
        keys |= prefixed(f"{alias}.", accesses[alias].client_properties())
    keys |= prefixed(f"{target}.", shared_worker_keys(group, factors[target]))
    enabled = set()
    for flow in flows:
        name = arrow_name(flow.settings.source, target)
        own, _conflicts = flow_keys(flow.settings, TopicSelection.of(flow), factors)
        keys |= prefixed(f"{name}.", {**BYTE_ARRAY_CONVERTERS, **own})
        enabled.add(name)
    # Heartbeats are on by default for every pair of clusters: MirrorMaker would write to a source.
    keys |= {
        f"{name}.{HEARTBEATS}": "false"
        for pair in permutations(aliases, 2)
        if (name := arrow_name(*pair)) not in enabled
    }
    return keys


def is_dedicated(config: Mapping[str, str]) -> bool:
    """Whether these are properties for dedicated mode, not for a Connect worker."""
    return CLUSTERS in config


def target_of(config: Mapping[str, str]) -> str:
    """The cluster next to which MirrorMaker runs: the first one."""
    return config[CLUSTERS].partition(",")[0]


def bootstrap_servers(config: Mapping[str, str]) -> str:
    """Of the target cluster, for a worker as well as in dedicated mode."""
    prefix = f"{target_of(config)}." if is_dedicated(config) else ""
    return config.get(f"{prefix}bootstrap.servers", "")


def worker_configs(config: Mapping[str, str]) -> list[dict[str, str]]:
    """What MirrorMaker's workers get: one for each source that is replicated to the target."""
    if not is_dedicated(config):
        return [dict(config)]
    target, *sources = (alias.strip() for alias in config[CLUSTERS].split(","))
    return [dict(expand(config, source, target).worker) for source in sources]


def without_worker_keys(config: Mapping[str, str]) -> dict[str, str]:
    """A connector's config without what it ignores: MirrorMaker passes all keys of the target
    cluster to connectors, also those of workers."""
    ignored = {f"target.cluster.{key}" for key in shared_worker_keys(NO_WORKERS, 1)}
    return {key: value for key, value in config.items() if key not in ignored}


def expanded_connectors(config: Mapping[str, str], flow: Flow) -> list[ConnectorConfig]:
    """The connectors of a flow as Connect gets them, without those that do nothing."""
    expanded = expand(config, flow.source, flow.target).connectors
    return [
        ConnectorConfig(
            name=ConnectorNaming.DEDICATED.connector_name(flow, kind),
            kind=kind,
            config={key: value for key, value in expanded[kind].items() if key != "name"},
        )
        for kind in connector_names(flow)
    ]
