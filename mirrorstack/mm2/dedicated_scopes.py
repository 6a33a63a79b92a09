"""Where keys can stand in mm2.properties, the file of dedicated mode (`connect-mirror-maker`).

The rules are those of MirrorMakerConfig: `east.x` is about a cluster and the workers beside it,
`east->west.x` is for a flow's three connectors, and of the keys without either only some go on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from mirrorstack.mm2 import key_history
from mirrorstack.mm2.catalogue import Section, keys_in
from mirrorstack.mm2.key_scopes import (
    CLIENTS,
    CONVERTERS,
    FILTERS,
    SIDES,
    KeyScope,
    all_connector_keys,
    belonging_to_clients,
    client_scopes,
    connector_scope,
    storage_scopes,
    topic_creation_scope,
)

READER = "dedicated mode"
NEW_TOPICS = "topic.creation.default."
# A worker's keys that go on from the top level, by how they begin.
ALSO_WORKERS = (
    *("offset.storage", "config.storage", "status.storage", "task", "worker"),
    *("key.converter", "value.converter", "header.converter"),
)
# MirrorMaker itself looks for plugins, such as config providers.
ALSO_OWN = ("plugin.path", "plugin.discovery")
GONE = {**key_history.WORKERS, **key_history.CLIENTS, **key_history.CONNECTORS}


def dedicated_scope(clusters: Sequence[str], config: Mapping[str, str]) -> KeyScope:
    """The whole file's."""
    pairs = [(a, b) for a in clusters for b in clusters if a != b]
    source, target = pairs[0] if pairs else ("SOURCE", "TARGET")
    worker = keys_in(Section.WORKER)
    return KeyScope(
        reader=READER,
        keys={
            **{name: key for name, key in worker.items() if name.startswith(ALSO_WORKERS)},
            **{name: worker[name] for name in ALSO_OWN},
            **{
                name: key
                for section in FILTERS
                for name, key in keys_in(section).items()
                # Connect's own additions to a connector are not among the names that go on.
                if not key.framework
            },
            **keys_in(Section.CLUSTER),
            **keys_in(Section.DEDICATED),
        },
        below={
            **storage_scopes(),
            **{
                prefix: place
                for prefix, place in _dropped_prefixes(source, target).items()
                # A cluster may well be called `source`.
                if not prefix.startswith(tuple(f"{alias}." for alias in clusters))
            },
            **{f"{alias}.": _cluster(alias, clusters) for alias in clusters},
            **{f"{a}->{b}.": _flow(a, b, config) for a, b in pairs},
        },
        free=(*CONVERTERS, "config.providers.", "replication.policy."),
        gone=GONE,
        elsewhere=_dropped(source, target),
        dropped=True,
    )


def _dropped(source: str, target: str) -> Mapping[str, str]:
    """What exists, and does not go on from the top level."""
    return {
        **belonging_to_clients(
            {
                Section.ADMIN: f"{source}.admin.",
                Section.PRODUCER: f"{source}->{target}.producer.override.",
                Section.CONSUMER: f"{source}.consumer.",
            }
        ),
        **{
            name: f"it is a worker's key; write `{target}.{name}`"
            for name in keys_in(Section.WORKER)
        },
        **{name: f"write `{source}->{target}.{name}`" for name in all_connector_keys()},
    }


def _dropped_prefixes(source: str, target: str) -> Mapping[str, KeyScope]:
    """What connectors read under these prefixes does not go on from the top level."""
    clients = {
        prefix: (section, f"{source if section is Section.CONSUMER else target}.{prefix}")
        for prefix, section in CLIENTS.items()
    }
    flow = f"{source}->{target}."
    ends = dict(zip(SIDES, (source, target), strict=True))
    return {
        **{prefix: _dropping(keys_in(section), to) for prefix, (section, to) in clients.items()},
        **{
            f"{prefix}override.": _dropping(keys_in(section), f"{flow}{prefix}override.")
            for prefix, section in CLIENTS.items()
        },
        **{
            f"{side}.cluster.": _dropping(keys_in(Section.CLUSTER), f"{ends[side]}.")
            for side in SIDES
        },
        **{
            f"{side}.{prefix}": _dropping(keys_in(section), f"{ends[side]}.{prefix}")
            for side in SIDES
            for prefix, section in CLIENTS.items()
        },
        NEW_TOPICS: _dropping(topic_creation_scope().keys, f"{flow}{NEW_TOPICS}"),
    }


def _dropping(keys: Iterable[str], to: str) -> KeyScope:
    return KeyScope(
        READER,
        {},
        elsewhere={name: f"write `{to}{name}`" for name in keys},
        dropped=True,
    )


def _cluster(alias: str, clusters: Sequence[str]) -> KeyScope:
    """After `east.`: how to reach the cluster, the workers of flows to it, and its clients."""
    other = next((each for each in clusters if each != alias), "TARGET")
    return KeyScope(
        READER,
        {**keys_in(Section.WORKER), **keys_in(Section.CLUSTER)},
        below={**client_scopes(), **storage_scopes()},
        free=(*CONVERTERS, "config.providers.", "metrics.context."),
        gone=GONE,
        elsewhere={
            name: f"it is a flow's key; write `{alias}->{other}.{name}`"
            for name in all_connector_keys()
        },
        narrow=belonging_to_clients(
            {section: f"{alias}.{prefix}" for prefix, section in CLIENTS.items()}
        ),
    )


def _flow(source: str, target: str, config: Mapping[str, str]) -> KeyScope:
    """After `east->west.`: all three connectors are given it."""
    prefix = f"{source}->{target}."
    own = {key.removeprefix(prefix): value for key, value in config.items()}
    place = connector_scope(Section.SOURCE, own)
    return replace(
        place,
        reader=READER,
        keys={**place.keys, **all_connector_keys()},
        siblings={},
        elsewhere={
            **belonging_to_clients(
                {
                    Section.ADMIN: f"{prefix}admin.",
                    Section.CONSUMER: f"{prefix}consumer.",
                    Section.PRODUCER: f"{prefix}producer.override.",
                }
            ),
            **{
                name: f"it is a worker's key; write `{target}.{name}`"
                for name in keys_in(Section.WORKER)
            },
            "bootstrap.servers": f"write `{source}.bootstrap.servers` and "
            f"`{target}.bootstrap.servers`",
        },
    )
