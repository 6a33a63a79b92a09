"""What dedicated mode makes of mm2.properties: a worker and three connectors for every flow.

As MirrorMakerConfig does it in Kafka 4.3, value by value.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mirrorstack.kafka.java_client import prefixed
from mirrorstack.mm2.catalogue import Section, keys_in
from mirrorstack.mm2.connector_configs import BYTE_ARRAY_CONVERTER, ConnectorKind
from mirrorstack.mm2.dedicated_scopes import ALSO_WORKERS
from mirrorstack.mm2.key_scopes import CLIENTS, FILTERS

PROVIDERS = "config.providers"
POLICY = "replication.policy"
OF_CLIENTS = ("consumer", "producer", "admin")


@dataclass(frozen=True)
class ExpandedFlow:
    """One flow as Connect would see it."""

    worker: Mapping[str, str]
    connectors: Mapping[ConnectorKind, Mapping[str, str]]


def expand(config: Mapping[str, str], source: str, target: str) -> ExpandedFlow:
    return ExpandedFlow(
        worker=_worker(config, source, target),
        connectors={kind: _connector(config, source, target, kind) for kind in ConnectorKind},
    )


def _cluster(config: Mapping[str, str], alias: str) -> dict[str, str]:
    """`alias.x` as `x`; how to reach the cluster also for each client, unless these say it."""
    own = {
        key.removeprefix(f"{alias}."): value
        for key, value in config.items()
        if key.startswith(f"{alias}.")
    }
    common = {key: config[key] for key in keys_in(Section.CLUSTER) if key in config}
    reach = {key: value for key, value in own.items() if key in keys_in(Section.CLUSTER)}
    for given in (reach, common):
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
        **_beginning(config, (*ALSO_WORKERS, POLICY, PROVIDERS)),
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
        "name": kind.java_class.rpartition(".")[2],
        "connector.class": kind.java_class,
        "source.cluster.alias": source,
        "target.cluster.alias": target,
        **{key: value for key, value in config.items() if key in declared},
        **_beginning(config, (PROVIDERS, POLICY)),
        **_end("source", _cluster(config, source)),
        **_end("target", _cluster(config, target)),
        **{key.removeprefix(flow): value for key, value in config.items() if key.startswith(flow)},
    }


def _end(side: str, cluster: Mapping[str, str]) -> dict[str, str]:
    """A cluster's keys as a connector is given them."""
    return {
        f"{side}.{key}" if key.startswith(OF_CLIENTS) else f"{side}.cluster.{key}": value
        for key, value in cluster.items()
    }


def _beginning(config: Mapping[str, str], prefixes: tuple[str, ...]) -> dict[str, str]:
    return {key: value for key, value in config.items() if key.startswith(prefixes)}
