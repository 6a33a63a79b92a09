"""Rules about Connect workers: what the connectors on them need, and what workers may share."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from mirrorstack.findings import Finding
from mirrorstack.mm2.connector_configs import ConnectorKind
from mirrorstack.mm2.key_values import list_items
from mirrorstack.rules.rule import Risk, rule
from mirrorstack.rules.subjects import Config, ConnectorOnWorker, NamedWorkers

STATE_TOPICS = ("config.storage.topic", "offset.storage.topic", "status.storage.topic")


@rule(
    ConnectorOnWorker,
    id="workers-on-target-cluster",
    title="A connector must run on workers of its target cluster.",
    reason="The worker's producer writes the records, so they end up on another cluster.",
    risk=Risk.CRITICAL,
)
def workers_on_target_cluster(placed: ConnectorOnWorker) -> Iterator[Finding]:
    connector = placed.connector
    target = list_items(connector.config.get("target.cluster.bootstrap.servers", "").lower())
    writes_to = _addresses(placed.worker.config)
    if target and writes_to and not set(target) & set(writes_to):
        yield Finding(
            f"Connector {connector.name}: target.cluster.bootstrap.servers is {', '.join(target)}, "
            f"and its worker's bootstrap.servers is {', '.join(writes_to)}. The worker's producer "
            "writes the records, so they go to the second, and topics and offsets to the first",
            "run the connector on workers of its target cluster",
            connector=connector.name,
            path=("target.cluster.bootstrap.servers",),
        )


@rule(
    ConnectorOnWorker,
    id="exactly-once-support",
    title="Exactly-once needs workers that support it (`exactly.once.source.support`).",
    reason="Connect refuses the connector.",
)
def exactly_once_support(placed: ConnectorOnWorker) -> Iterator[Finding]:
    # A connector's own check ensures that exactly-once reads only committed records.
    connector = placed.connector
    if connector.kind is not ConnectorKind.SOURCE:
        return
    support = placed.worker.config.get("exactly.once.source.support")
    if connector.config.get("exactly.once.support") == "required" and support != "enabled":
        yield Finding(
            f"Connector {connector.name}: exactly.once.support is required, and its worker's "
            f"exactly.once.source.support is {support or 'absent, which means disabled'}: Connect "
            "refuses the connector",
            "set it to enabled on every worker (`preparing` first, where workers run already), or "
            "set `exactly-once: false`",
            connector=connector.name,
            path=("exactly.once.support",),
        )


@rule(
    NamedWorkers,
    id="consistent-worker-groups",
    title="Workers of a group must share their state topics, and two groups must not.",
    reason="Offsets, configs and states of two Connect clusters overwrite each other.",
    risk=Risk.CRITICAL,
)
def consistent_worker_groups(given: NamedWorkers) -> Iterator[Finding]:
    for one, other in combinations(given.workers, 2):
        if not set(_addresses(one.config)) & set(_addresses(other.config)):
            continue
        group, other_group = one.config.get("group.id"), other.config.get("group.id")
        mixed = [
            f"their {key} is {one.config.get(key)} and {other.config.get(key)}"
            for key in STATE_TOPICS
            if (one.config.get(key) == other.config.get(key)) != (group == other_group)
        ]
        if mixed:
            yield Finding(
                f"Workers {one.name} and {other.name}: their group.id is {group} and "
                f"{other_group}, and {', '.join(mixed)}. Workers of a group keep their state in "
                "the same topics, and two groups in different ones",
                "give each group its own topics, and all workers of a group the same ones",
                path=("group.id",),
            )


def _addresses(worker: Config) -> tuple[str, ...]:
    return list_items(worker.get("bootstrap.servers", "").lower())


RULES = (workers_on_target_cluster, exactly_once_support, consistent_worker_groups)
