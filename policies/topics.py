"""Rules about topics."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from mirrorstack.model.topics import unwritable_reason
from mirrorstack.problem import Problem
from policies.rules import ResourceRule
from policies.view import TOPIC, Config


def _can_be_written(props: Mapping[str, Any]) -> Iterator[Problem]:
    # Without a factor the cluster's default applies, which the engine cannot tell us.
    factor = props.get("replicationFactor")
    if factor is None:
        return
    reason = unwritable_reason(int(factor), Config(props.get("config") or {}))
    if reason:
        yield Problem(
            f"Topic {props.get('name')}: {reason}.",
            "lower min.insync.replicas, or raise the replication factor above it",
        )


TOPIC_RULES = [
    ResourceRule(
        id="topic-can-be-written",
        title="min.insync.replicas must not exceed the replication factor.",
        why="There are never enough replicas in sync, so every write with acks=all is refused.",
        type=TOPIC,
        judge=_can_be_written,
    ),
]
