"""What a stack held at its last deployment, against what it is to hold: what leaves.

Connectors and topics are noted as plain values, because Pulumi keeps them in its state.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from mirrorstack.model.connectors import Kind
from mirrorstack.model.leaving import Deleted, Leaving, Untranslated
from mirrorstack.model.plan import Plan

Noted = Mapping[str, Mapping[str, Any]]


def connector(offsets: str, checkpoint: str | None, *, deletes: bool) -> dict[str, Any]:
    """Of one that mirrors records: where its offsets are, its checkpoint connector, if there is
    one, and whether its topics are deleted when it leaves."""
    noted: dict[str, Any] = {"offsets": offsets, "deletes": deletes}
    return noted | ({"checkpoint": checkpoint} if checkpoint else {})


def copy(connector: str, topic: str, partitions: int, *, deletes: bool) -> dict[str, Any]:
    """Of a topic on a target: what it is a copy of, who writes it, and whether it goes with it."""
    return {"connector": connector, "topic": topic, "partitions": partitions, "deletes": deletes}


def noted(plan: Plan, *, deletes: bool) -> tuple[Noted, Noted]:
    """The connectors that mirror records and the copies that they write, as `target/name`."""
    connectors: dict[str, dict[str, Any]] = {}
    topics: dict[str, dict[str, Any]] = {}
    for resolved in plan.flows:
        flow = resolved.settings
        name = f"{flow.name}-{Kind.SOURCE}"
        checkpoint = f"{flow.name}-{Kind.CHECKPOINT}" if flow.groups else None
        offsets = plan.workers[flow.target].offsets_topic
        connectors[name] = connector(offsets, checkpoint, deletes=deletes)
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
    for name, where in before.items():
        if not where["deletes"]:
            continue
        if name not in after:
            yield Deleted(name, where["connector"])
        elif after[name]["partitions"] < where["partitions"]:
            yield Deleted(name, where["connector"], int(after[name]["partitions"]))
