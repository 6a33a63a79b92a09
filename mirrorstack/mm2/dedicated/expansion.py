"""The worker and connector configs that dedicated mode derives from mm2.properties, for each flow.

They are the same as those of MirrorMakerConfig in Kafka 4.3, value by value.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mirrorstack.kafka.java_client import prefixed
from mirrorstack.mm2.catalogue import Section, keys_in
from mirrorstack.mm2.connector_configs import BYTE_ARRAY_CONVERTER, ConnectorKind
from mirrorstack.mm2.dedicated.scopes import TOP_LEVEL_WORKER_PREFIXES
from mirrorstack.mm2.key_scopes import CLIENTS, FILTERS

CONFIG_PROVIDERS = "config.providers"
REPLICATION_POLICY = "replication.policy"
CLIENT_PREFIXES = ("consumer", "producer", "admin")


@dataclass(frozen=True)
class ExpandedFlow:
    """The worker and the connectors of one flow, as Connect gets them."""

    worker: Mapping[str, str]
    connectors: Mapping[ConnectorKind, Mapping[str, str]]


def expand(config: Mapping[str, str], source: str, target: str) -> ExpandedFlow:
    return ExpandedFlow(
        worker=_worker(config, source, target),
        connectors={kind: _connector(config, source, target, kind) for kind in ConnectorKind},
    )


def _cluster(config: Mapping[str, str], alias: str) -> dict[str, str]:
    """`alias.x` as `x`; connection keys also for each client, unless they are set there."""
    own = {
        key.removeprefix(f"{alias}."): value
        for key, value in config.items()
        if key.startswith(f"{alias}.")
    }
    common = {key: config[key] for key in keys_in(Section.CLUSTER) if key in config}
    connection = {key: value for key, value in own.items() if key in keys_in(Section.CLUSTER)}
    for given in (connection, common):
        for prefix in CLIENTS:
            own = {**prefixed(prefix, given), **own}
    return {**common, **own}


def _worker(config: Mapping[str, str], source: str, target: str) -> dict[str, str]:
    return {
        "client.id": f"{source}->{target}",
        "group.id": f"{source}-mm2",
        "offset.storage.topic": f"mm2-offsets.{source}.internal",
        "status.storage.topic": f"mm2-status.{source}.internal",
        "config.storage.topic": f"mm2-configs.{source}.internal",
        "key.converter": BYTE_ARRAY_CONVERTER,
        "value.converter": BYTE_ARRAY_CONVERTER,
        "header.converter": BYTE_ARRAY_CONVERTER,
        **_cluster(config, target),
        **_with_prefixes(
            config, (*TOP_LEVEL_WORKER_PREFIXES, REPLICATION_POLICY, CONFIG_PROVIDERS)
        ),
    }


def _connector(
    config: Mapping[str, str], source: str, target: str, kind: ConnectorKind
) -> dict[str, str]:
    declared = {
        name for section in FILTERS for name, key in keys_in(section).items() if not key.framework
    }
    flow = f"{source}->{target}."
    return {
        "enabled": "false",
        "name": kind.class_name,
        "connector.class": kind.java_class,
        "source.cluster.alias": source,
        "target.cluster.alias": target,
        **{key: value for key, value in config.items() if key in declared},
        **_with_prefixes(config, (CONFIG_PROVIDERS, REPLICATION_POLICY)),
        **_side_keys("source", _cluster(config, source)),
        **_side_keys("target", _cluster(config, target)),
        **{key.removeprefix(flow): value for key, value in config.items() if key.startswith(flow)},
    }


def _side_keys(side: str, cluster: Mapping[str, str]) -> dict[str, str]:
    """A cluster's keys as they are in a connector's config."""
    return {
        f"{side}.{key}" if key.startswith(CLIENT_PREFIXES) else f"{side}.cluster.{key}": value
        for key, value in cluster.items()
    }


def _with_prefixes(config: Mapping[str, str], prefixes: tuple[str, ...]) -> dict[str, str]:
    return {key: value for key, value in config.items() if key.startswith(prefixes)}
