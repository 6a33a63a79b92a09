"""Rules about topics, and how often they are kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from mirrorstack.findings import Finding
from mirrorstack.mm2.target_topics import unwritable_reason
from mirrorstack.rules import replication_factor as factors
from policies.rules import ResourceRule, Rule, StackRule
from policies.view import TOPIC, Config, Made

Kept = tuple[str, Mapping[str, str], Mapping[str, int], str, int]


def _can_be_written(props: Mapping[str, Any]) -> Iterator[Finding]:
    # Without a factor the cluster's default applies, which the engine cannot tell us.
    factor = props.get("replicationFactor")
    if factor is None:
        return
    reason = unwritable_reason(int(factor), Config(props.get("config") or {}))
    if reason:
        yield Finding(
            f"Topic {props.get('name')}: {reason}.",
            "lower min.insync.replicas, or raise the replication factor above it",
        )


def _brokers(made: Made) -> dict[str, int]:
    """Where the stack file says how many there are."""
    clusters = made.declared.settings.clusters if made.declared else {}
    return {alias: each.brokers for alias, each in clusters.items() if each.brokers}


def _kept(made: Made) -> Iterator[Kept]:
    brokers = _brokers(made)
    for connector in made.connectors:
        alias = connector.ends[1]
        if alias in brokers:
            defaults = factors.connector_factors(connector.config)
            name = f"Connector {connector.name}"
            yield name, connector.config, defaults, alias, brokers[alias]
    for worker in made.workers:
        for alias, addresses in made.clusters.items():
            if alias in brokers and addresses & worker.addresses:
                name = f"Worker {worker.name}"
                yield name, worker.config, factors.WORKER_FACTORS, alias, brokers[alias]


def _too_many(kept: Kept) -> Iterator[Finding]:
    yield from factors.too_many(*kept)


def _topics(made: Made) -> Iterator[tuple[Mapping[str, Any], str, int]]:
    brokers = _brokers(made)
    for alias, topic in made.located(TOPIC):
        if alias in brokers:
            yield topic.props, alias, brokers[alias]


def _too_many_replicas(topic: tuple[Mapping[str, Any], str, int]) -> Iterator[Finding]:
    props, alias, brokers = topic
    factor = props.get("replicationFactor")
    if factor is not None:
        yield from factors.too_many_replicas(str(props.get("name")), int(factor), alias, brokers)


TOPIC_RULES: list[Rule] = [
    ResourceRule(
        id="topic-can-be-written",
        title="min.insync.replicas must not exceed the replication factor.",
        why="There are never enough replicas in sync, so every write with acks=all is refused.",
        type=TOPIC,
        judge=_can_be_written,
    ),
    StackRule(
        id="topic-fits-the-brokers",
        title="A topic's replication factor must not exceed the number of brokers.",
        why="Kafka keeps at most one replica on each, so the topic cannot be made.",
        units=_topics,
        judge=_too_many_replicas,
    ),
    StackRule(
        id="internal-topics-fit-the-brokers",
        title="The replication factors of internal topics must not exceed the number of brokers.",
        why="MirrorMaker and Connect cannot make them; their defaults are 2 and 3.",
        units=_kept,
        judge=_too_many,
    ),
]
