"""Which keys may be set where in mm2.properties, the file of dedicated mode.

As in MirrorMakerConfig: `east.x` configures a cluster and the workers next to it, `east->west.x`
the three connectors of a flow, and of the keys without such a prefix only some are passed on.
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
# The prefixes of worker keys that are passed on from the top level.
TOP_LEVEL_WORKER_PREFIXES = (
    *("offset.storage", "config.storage", "status.storage", "task", "worker"),
    *("key.converter", "value.converter", "header.converter"),
)
# Read by MirrorMaker itself to load plugins, such as config providers.
PLUGIN_KEYS = ("plugin.path", "plugin.discovery")
REMOVED = {**key_history.WORKERS, **key_history.CLIENTS, **key_history.CONNECTORS}


def dedicated_scope(clusters: Sequence[str], config: Mapping[str, str]) -> KeyScope:
    """Of the whole file."""
    pairs = [(a, b) for a in clusters for b in clusters if a != b]
    source, target = pairs[0] if pairs else ("SOURCE", "TARGET")
    worker = keys_in(Section.WORKER)
    return KeyScope(
        reader=READER,
        keys={
            **{
                name: key
                for name, key in worker.items()
                if name.startswith(TOP_LEVEL_WORKER_PREFIXES)
            },
            **{name: worker[name] for name in PLUGIN_KEYS},
            **{
                name: key
                for section in FILTERS
                for name, key in keys_in(section).items()
                # Keys that Connect adds to a connector are not passed on.
                if not key.framework
            },
            **keys_in(Section.CLUSTER),
            **keys_in(Section.DEDICATED),
        },
        prefixes={
            **storage_scopes(),
            **{
                prefix: scope
                for prefix, scope in _dropped_prefixes(source, target).items()
                # A cluster alias may be `source`.
                if not prefix.startswith(tuple(f"{alias}." for alias in clusters))
            },
            **{f"{alias}.": _cluster(alias, clusters) for alias in clusters},
            **{f"{a}->{b}.": _flow(a, b, config) for a, b in pairs},
        },
        plugin_prefixes=(*CONVERTERS, "config.providers.", "replication.policy."),
        removed=REMOVED,
        elsewhere=_dropped(source, target),
        dropped=True,
    )


def _dropped(source: str, target: str) -> Mapping[str, str]:
    """Keys that exist, but are not passed on from the top level -> where to set them."""
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
    """Prefixes that connectors read, but that are not passed on from the top level."""
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
    """After `east.`: the cluster's connection, the workers of flows to it, and its clients."""
    other = next((each for each in clusters if each != alias), "TARGET")
    return KeyScope(
        READER,
        {**keys_in(Section.WORKER), **keys_in(Section.CLUSTER)},
        prefixes={**client_scopes(), **storage_scopes()},
        plugin_prefixes=(*CONVERTERS, "config.providers.", "metrics.context."),
        removed=REMOVED,
        elsewhere={
            name: f"it is a flow's key; write `{alias}->{other}.{name}`"
            for name in all_connector_keys()
        },
        narrow=belonging_to_clients(
            {section: f"{alias}.{prefix}" for prefix, section in CLIENTS.items()}
        ),
    )


def _flow(source: str, target: str, config: Mapping[str, str]) -> KeyScope:
    """After `east->west.`: keys of all three connectors."""
    prefix = f"{source}->{target}."
    own = {key.removeprefix(prefix): value for key, value in config.items()}
    scope = connector_scope(Section.SOURCE, own)
    return replace(
        scope,
        reader=READER,
        keys={**scope.keys, **all_connector_keys()},
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
