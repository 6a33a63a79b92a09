"""What a stack held at its last deployment, against what it is to hold: what leaves.

Connectors and topics are noted as plain values, because Pulumi keeps them in its state.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from mirrorstack.changes.removals import Deleted, Leaving, Untranslated
from mirrorstack.changes.restarts import Renamed
from mirrorstack.changes.retained_topics import Because, Kept, Wordless
from mirrorstack.mm2.connector_configs import ConnectorKind, connector_names
from mirrorstack.planning.plan import Plan

Noted = Mapping[str, Mapping[str, Any]]


def connector(
    offsets: str, checkpoint: str | None, heartbeat: str | None = None, *, deletes: bool
) -> dict[str, Any]:
    """Of one that mirrors records: where its offsets are, its checkpoint and its heartbeat
    connector, if there are any, and whether its topics are deleted when it leaves."""
    beside = {"checkpoint": checkpoint, "heartbeat": heartbeat}
    named = {kind: name for kind, name in beside.items() if name}
    return {"offsets": offsets, "deletes": deletes, **named}


def copy(connector: str, topic: str, partitions: int, *, deletes: bool) -> dict[str, Any]:
    """Of a topic on a target: what it is a copy of, who writes it, and whether it goes with it."""
    return {"connector": connector, "topic": topic, "partitions": partitions, "deletes": deletes}


def noted(plan: Plan, *, deletes: bool) -> tuple[Noted, Noted]:
    """The connectors that mirror records and the copies that they write, as `target/name`."""
    connectors: dict[str, dict[str, Any]] = {}
    topics: dict[str, dict[str, Any]] = {}
    for resolved in plan.flows:
        flow = resolved.settings
        names = connector_names(flow)
        name = names[ConnectorKind.SOURCE]
        checkpoint = names.get(ConnectorKind.CHECKPOINT)
        heartbeat = names.get(ConnectorKind.HEARTBEAT)
        offsets = plan.workers[flow.target].offsets_topic
        connectors[name] = connector(offsets, checkpoint, heartbeat, deletes=deletes)
        for topic, made in zip(resolved.topics, plan.mirrored[flow.name], strict=True):
            noted_as = copy(name, topic, made.partitions, deletes=deletes)
            topics[f"{flow.target}/{made.name}"] = noted_as
    return connectors, topics


def leaving(before: Noted, after: Noted, deleted: list[Deleted]) -> Iterator[Leaving]:
    still_used = {where["offsets"] for where in after.values()}
    for name, where in before.items():
        offsets = where["offsets"]
        now = after[name]["offsets"] if name in after else None
        if now != offsets:
            yield Leaving(
                name,
                offsets,
                moves_to=now,
                offsets_go=bool(where.get("deletes")) and offsets not in still_used,
                copies=sum(copy.connector == name for copy in deleted),
            )


def untranslated(before: Noted, after: Noted) -> Iterator[Untranslated]:
    """Where the connector that mirrors goes as well, that is what has to be said."""
    for name, where in before.items():
        if "checkpoint" in where and name in after and "checkpoint" not in after[name]:
            yield Untranslated(where["checkpoint"])


def deleted(before: Noted, after: Noted) -> Iterator[Deleted]:
    """Copies that go, or that have to be made anew because Kafka cannot take partitions away."""
    new_names = _names(after)
    for name, where in before.items():
        if not where["deletes"]:
            continue
        if name not in after:
            becomes = new_names.get((where["connector"], where["topic"]))
            yield Deleted(name, where["connector"], becomes=becomes)
        elif after[name]["partitions"] < where["partitions"]:
            yield Deleted(name, where["connector"], int(after[name]["partitions"]))


def renamed(before: Noted, after: Noted) -> Iterator[Renamed]:
    """Connectors that write under new names what they have written under others."""
    new_names = _names(after)
    changed: dict[str, list[tuple[str, str, str]]] = {}
    for name, where in before.items():
        becomes = new_names.get((where["connector"], where["topic"]))
        if becomes and name not in after:
            changed.setdefault(where["connector"], []).append((where["topic"], name, becomes))
    for connector, names in changed.items():
        _, copy, becomes = names[0]
        yield Renamed(connector, tuple(topic for topic, _, _ in names), copy, becomes)


def kept(before: Noted, after: Noted, connectors: Noted) -> Iterator[Kept]:
    """Copies that leave together with the first `delete-topics`; `connectors` are those to be."""
    if any(where["deletes"] for where in connectors.values()):
        for name, where in before.items():
            if not where["deletes"] and name not in after:
                yield Kept(name, where["connector"])


def wordless(before: Noted, after: Noted, copies: Noted, copies_after: Noted) -> Iterator[Wordless]:
    """What goes, or stays behind, without a word in the stack file."""
    connectors = chain(before.values(), after.values())
    for name in dict.fromkeys(where.get("heartbeat") for where in connectors):
        if name:
            yield Wordless(name, Because.HEARTBEAT.value)
    for name, where in before.items():
        if "checkpoint" in where and name not in after:
            yield Wordless(where["checkpoint"], Because.CHECKPOINT.value)
    for name, where in copies.items():
        if not where["deletes"] and name not in copies_after:
            yield Wordless(name, Because.PROTECTED.value)


def _names(copies: Noted) -> dict[tuple[str, str], str]:
    """By the connector that writes it and the topic that it is a copy of."""
    return {(where["connector"], where["topic"]): name for name, where in copies.items()}
