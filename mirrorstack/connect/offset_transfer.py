"""Moves a connector's offsets to another name, or to another Connect group.

Connect finds offsets by the name of a connector. Where somebody else names connectors, such as
MirrorMaker in dedicated mode, a connector would restart from earliest, and replicate every record
again. Meanwhile no workers may run.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from mirrorstack.connect.storage import OffsetsLocation
from mirrorstack.findings import UserError
from mirrorstack.kafka.admin import KafkaCluster
from mirrorstack.kafka.keyed_topic import KeyedTopic
from mirrorstack.kafka.record_writer import end_transactions, write_records
from mirrorstack.local.polling import poll_until

LEAVING_SECONDS = 60.0
"""The brokers wait ten seconds for a worker that left without saying so."""


@dataclass(frozen=True)
class ConnectorMove:
    """A connector that other workers take over."""

    group: str
    """The Connect group that ran it."""
    old: OffsetsLocation
    new: OffsetsLocation
    tasks: int
    exactly_once: bool
    restarted: frozenset[str] = frozenset()
    """Source topics whose target topics are new: they are replicated from earliest."""

    @property
    def transactional_ids(self) -> list[str]:
        """Of the tasks that wrote its records."""
        if not self.exactly_once:
            return []
        return [f"{self.group}-{self.old.connector}-{task}" for task in range(self.tasks)]


def move_offsets(
    cluster: KafkaCluster, moves: Iterable[ConnectorMove], report: Callable[[str], None]
) -> None:
    """`cluster` as the mirroring principal, which may write to the topics of both groups."""
    for move in moves:
        _wait_until_empty(cluster, move.group, report)
        # A worker that was killed may have left a transaction open: its records do not count.
        end_transactions(cluster, move.transactional_ids)
        held = KeyedTopic(cluster, move.new.topic).read()
        kept = KeyedTopic(cluster, move.old.topic).read()
        left = [key for key in kept if _connector(key) == move.old.connector]
        # First to the new location: a move that is interrupted continues with what is left.
        write_records(cluster, move.new.topic, new_offsets(move, kept, held))
        # Workers that return to the old name must not resume there.
        write_records(cluster, move.old.topic, [(key, None) for key in left])


def new_offsets(
    move: ConnectorMove, kept: Mapping[bytes, bytes], held: Mapping[bytes, bytes]
) -> list[tuple[bytes, bytes | None]]:
    """Keys and values for the new location. `kept` and `held`: what the topics of the old and the
    new location have."""
    moved = {
        renamed_key(key, move.new.connector): value
        for key, value in kept.items()
        if _connector(key) == move.old.connector and _topic(key) not in move.restarted
    }
    restarted = [
        key
        for key in held
        if _connector(key) == move.new.connector and _topic(key) in move.restarted
    ]
    return [*moved.items(), *((key, None) for key in restarted)]


def renamed_key(key: bytes, connector: str) -> bytes:
    """`["name",{partition}]` with another name. The rest stays as it is, byte for byte: Connect
    compares keys, and two with the same partition in another order would be two offsets."""
    head = _head(_connector(key) or "")
    if not key.startswith(head):
        raise ValueError(f"not a key as Connect writes it: {key!r}")
    return _head(connector) + key[len(head) :]


def _head(connector: str) -> bytes:
    return f"[{json.dumps(connector, ensure_ascii=False)},".encode()


def _connector(key: bytes) -> str | None:
    name, _partition = json.loads(key or b"[null, null]")
    return name if isinstance(name, str) else None


def _topic(key: bytes) -> str | None:
    _name, partition = json.loads(key)
    topic = (partition or {}).get("topic")
    return topic if isinstance(topic, str) else None


def _wait_until_empty(cluster: KafkaCluster, group: str, report: Callable[[str], None]) -> None:
    def is_empty() -> bool:
        if not cluster.has_members(group):
            return True
        report(f"the Connect group {group} still has members")
        return False

    poll_until(
        is_empty,
        deadline=time.monotonic() + LEAVING_SECONDS,
        on_timeout=lambda: UserError(
            f"the Connect group {group} on {cluster.alias} still has members: its workers were "
            "stopped, and others must not take over their connectors before they are gone",
            f"end the remaining workers of {group}, then run `pulumi up` again",
            cluster=cluster.alias,
        ),
    )
