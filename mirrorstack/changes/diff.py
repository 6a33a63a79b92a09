"""The connectors and topics of the previous deployment compared with those of the next one.

Both are recorded as plain values, because Pulumi keeps them in its state.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from mirrorstack.changes.deployment_changes import DeploymentChanges
from mirrorstack.changes.intents import ExemptChange, ExemptReason
from mirrorstack.changes.removals import (
    DeletedTopic,
    RemovedCheckpointConnector,
    RemovedConnector,
    RetainedTopic,
)
from mirrorstack.changes.replay_estimate import ReplayEstimate
from mirrorstack.changes.restarts import MovedConnector, RenamedTopics
from mirrorstack.mm2.connector_configs import ConnectorKind, connector_names
from mirrorstack.mm2.flow import Flow
from mirrorstack.mm2.resolved_flow import ResolvedFlow
from mirrorstack.mm2.target_topics import TargetTopic
from mirrorstack.mm2.worker_group import WorkerGroup

Records = Mapping[str, Mapping[str, Any]]
Estimator = Callable[[str, Collection[str] | None, bool], ReplayEstimate]
"""From a connector, its source topics (None: all) and whether it keeps replicating them."""


@dataclass(frozen=True)
class RecordedStack:
    """The source connectors of a deployment and the target topics that they write."""

    connectors: Records = field(default_factory=dict)
    """By name; see `connector_record`."""
    topics: Records = field(default_factory=dict)
    """By `target/name`; see `topic_record`."""


def connector_record(
    offsets_topic: str,
    checkpoint: str | None = None,
    heartbeat: str | None = None,
    *,
    offsets_name: str | None = None,
    delete_topics: bool,
) -> dict[str, Any]:
    """A source connector: where its offsets are, and under which name if not its own; the names of
    the checkpoint and heartbeat connectors of its flow if there are any, and whether its topics are
    deleted with it."""
    others = {"checkpoint": checkpoint, "heartbeat": heartbeat}
    named = {kind: name for kind, name in others.items() if name}
    other = {"offsets_name": offsets_name} if offsets_name else {}
    return {"offsets_topic": offsets_topic, **other, "delete_topics": delete_topics, **named}


def topic_record(
    connector: str,
    source_topic: str,
    partitions: int,
    *,
    delete_topics: bool,
    discovered: bool = False,
) -> dict[str, Any]:
    """A target topic: the connector that writes it, the source topic that it replicates, whether it
    is deleted when it leaves the stack, and whether MirrorMaker created it."""
    return {
        "connector": connector,
        "source_topic": source_topic,
        "partitions": partitions,
        "delete_topics": delete_topics,
        **({"discovered": True} if discovered else {}),
    }


def record_stack(
    flows: Iterable[ResolvedFlow[Flow]],
    target_topics: Mapping[str, Sequence[TargetTopic]],
    workers: Mapping[str, WorkerGroup],
    *,
    delete_topics: bool,
) -> RecordedStack:
    """`target_topics` by flow name, in the order of the flow's topics; `workers` by target."""
    connectors: dict[str, dict[str, Any]] = {}
    topics: dict[str, dict[str, Any]] = {}
    for resolved in flows:
        flow = resolved.settings
        names = connector_names(flow)
        source = names[ConnectorKind.SOURCE]
        offsets = workers[flow.target].offsets_of(flow)
        connectors[source] = connector_record(
            offsets.topic,
            names.get(ConnectorKind.CHECKPOINT),
            names.get(ConnectorKind.HEARTBEAT),
            offsets_name=offsets.connector if offsets.connector != source else None,
            delete_topics=delete_topics,
        )
        for topic, target in zip(resolved.topics, target_topics[flow.name], strict=True):
            topics[f"{flow.target}/{target.name}"] = topic_record(
                source,
                topic,
                target.partitions,
                delete_topics=delete_topics,
                discovered=target.discovered,
            )
    return RecordedStack(connectors, topics)


def encode_topics(topics: Records) -> dict[str, str]:
    """As the state holds them, in one value each: the engine and the SDKs convert every value of a
    resource several times, and a flow may have a thousand topics."""
    return {name: json.dumps(dict(record), sort_keys=True) for name, record in topics.items()}


def decode_topics(topics: Mapping[str, str]) -> dict[str, dict[str, Any]]:
    return {name: json.loads(record) for name, record in topics.items()}


def compare(before: RecordedStack, after: RecordedStack, estimate: Estimator) -> DeploymentChanges:
    """What the next deployment changes."""
    deleted = tuple(_deleted(before.topics, after.topics, estimate))
    return DeploymentChanges(
        removed_connectors=tuple(_removed(before.connectors, after.connectors, deleted, estimate)),
        moved_connectors=tuple(_moved(before.connectors, after.connectors, estimate)),
        removed_checkpoints=tuple(_removed_checkpoints(before.connectors, after.connectors)),
        deleted_topics=deleted,
        renamed_topics=tuple(_renamed(before.topics, after.topics, estimate)),
        exempt=tuple(_exempt(before, after)),
    )


def retained_topics(before: RecordedStack, after: RecordedStack) -> Iterator[RetainedTopic]:
    """Topics that leave the stack in the deployment that first sets `delete-topics`."""
    if any(record["delete_topics"] for record in after.connectors.values()):
        for name, record in before.topics.items():
            if not record["delete_topics"] and name not in after.topics:
                yield RetainedTopic(name, record["connector"])


def _removed(
    before: Records, after: Records, deleted: Collection[DeletedTopic], estimate: Estimator
) -> Iterator[RemovedConnector]:
    still_used = {record["offsets_topic"] for record in after.values()}
    for name, record in before.items():
        offsets = record["offsets_topic"]
        if name not in after:
            yield RemovedConnector(
                name,
                offsets,
                deletes_offsets=bool(record.get("delete_topics")) and offsets not in still_used,
                deleted_topics=sum(topic.connector == name for topic in deleted),
                estimate=estimate(name, None, True),
            )


def _moved(before: Records, after: Records, estimate: Estimator) -> Iterator[MovedConnector]:
    for name, record in before.items():
        old = record["offsets_topic"]
        new = after[name]["offsets_topic"] if name in after else old
        # Workers that know it by another name take its offsets over.
        renamed = name in after and record.get("offsets_name") != after[name].get("offsets_name")
        if new != old and not renamed:
            yield MovedConnector(name, old, new, estimate(name, None, True))


def _removed_checkpoints(before: Records, after: Records) -> Iterator[RemovedCheckpointConnector]:
    """Where the source connector is removed as well, its intent covers both."""
    for name, record in before.items():
        if "checkpoint" in record and name in after and "checkpoint" not in after[name]:
            yield RemovedCheckpointConnector(record["checkpoint"])


def _deleted(before: Records, after: Records, estimate: Estimator) -> Iterator[DeletedTopic]:
    """Topics that are removed, or recreated because Kafka cannot reduce partitions."""
    new_names = _names(after)
    for name, record in before.items():
        if not record["delete_topics"]:
            continue
        connector, topic = record["connector"], record["source_topic"]
        if name not in after:
            new_name = new_names.get((connector, topic))
            counted = estimate(connector, [topic], new_name is not None)
            yield DeletedTopic(name, connector, new_name=new_name, estimate=counted)
        elif after[name]["partitions"] < record["partitions"] and not record.get("discovered"):
            counted = estimate(connector, [topic], True)
            partitions = int(after[name]["partitions"])
            yield DeletedTopic(name, connector, partitions, estimate=counted)


def _renamed(before: Records, after: Records, estimate: Estimator) -> Iterator[RenamedTopics]:
    new_names = _names(after)
    changed: dict[str, list[tuple[str, str, str]]] = {}
    for name, record in before.items():
        connector, topic = record["connector"], record["source_topic"]
        new_name = new_names.get((connector, topic))
        if new_name and name not in after:
            changed.setdefault(connector, []).append((topic, name, new_name))
    for connector, names in changed.items():
        topics = tuple(topic for topic, _, _ in names)
        _, old_name, new_name = names[0]
        counted = estimate(connector, topics, True)
        yield RenamedTopics(connector, topics, old_name, new_name, counted)


def _exempt(before: RecordedStack, after: RecordedStack) -> Iterator[ExemptChange]:
    """Connectors and topics that are removed or retained without an intent."""
    connectors = chain(before.connectors.values(), after.connectors.values())
    for name in dict.fromkeys(record.get("heartbeat") for record in connectors):
        if name:
            yield ExemptChange(name, ExemptReason.HEARTBEAT.value)
    for name, record in before.connectors.items():
        if "checkpoint" in record and name not in after.connectors:
            yield ExemptChange(record["checkpoint"], ExemptReason.CHECKPOINT.value)
    for name, record in before.topics.items():
        if not record["delete_topics"] and name not in after.topics:
            yield ExemptChange(name, ExemptReason.PROTECTED.value)


def _names(topics: Records) -> dict[tuple[str, str], str]:
    """By connector and source topic."""
    return {(record["connector"], record["source_topic"]): name for name, record in topics.items()}
