"""The config of the Connect workers next to a target cluster."""

from __future__ import annotations

from collections.abc import Mapping

from mirrorstack.kafka.java_client import ClientAccess, prefixed
from mirrorstack.mm2.connector_configs import BYTE_ARRAY_CONVERTER
from mirrorstack.mm2.worker_group import WorkerGroup

FILE_PROVIDER = "org.apache.kafka.common.config.provider.FileConfigProvider"


def worker_config(
    group: WorkerGroup,
    target: ClientAccess,
    replication_factor: int,
    of_runtime: Mapping[str, str],
) -> dict[str, str]:
    """A distributed worker's properties. `of_runtime`: those that depend on where it runs, from
    `Runtime.worker_properties`."""
    storage = group.storages[0]
    clients = target.client_properties()
    security = {key: value for key, value in clients.items() if key != "bootstrap.servers"}
    return {
        **clients,
        # The worker's own clients, and those that it creates for connectors.
        **prefixed("producer.", security),
        **prefixed("consumer.", security),
        **prefixed("admin.", security),
        "group.id": storage.group,
        "config.storage.topic": storage.configs_topic,
        "offset.storage.topic": storage.offsets_topic,
        "status.storage.topic": storage.status_topic,
        "key.converter": BYTE_ARRAY_CONVERTER,
        "value.converter": BYTE_ARRAY_CONVERTER,
        "header.converter": BYTE_ARRAY_CONVERTER,
        **shared_worker_keys(group, replication_factor),
        **of_runtime,
    }


def shared_worker_keys(group: WorkerGroup, replication_factor: int) -> dict[str, str]:
    """The properties that a worker has in dedicated mode, too."""
    factor = str(replication_factor)
    return {
        "config.storage.replication.factor": factor,
        "offset.storage.replication.factor": factor,
        "status.storage.replication.factor": factor,
        "plugin.discovery": "service_load",
        "exactly.once.source.support": "enabled" if group.exactly_once else "disabled",
        "offset.flush.interval.ms": "10000",
        # The tasks of a lost worker wait this long for its return, and replicate nothing meanwhile.
        # Connect's default of five minutes exceeds any recovery objective.
        "scheduled.rebalance.max.delay.ms": "10000",
        "connector.client.config.override.policy": "All",
    }
