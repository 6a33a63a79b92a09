"""A cluster that is read-only is never written: not by a grant, not by a topic, not by syncs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mirrorstack.findings import Finding
from mirrorstack.kafka.acls import Operation

READING = frozenset({Operation.READ, Operation.DESCRIBE, Operation.DESCRIBE_CONFIGS})


def granted_writes(alias: str, operation: str, what: str, principal: str) -> Iterator[Finding]:
    """`what` is the resource: `Topic orders`."""
    if operation not in READING:
        yield Finding(
            f"{principal} is granted {operation} on {what} of {alias}, which is `read-only: true`: "
            "whoever has this right can change the source.",
            f"take the grant away, or `read-only` off {alias}; mirroring needs only Read and "
            "Describe there",
            cluster=alias,
        )


def made_topics(alias: str, topic: str) -> Iterator[Finding]:
    yield Finding(
        f"Topic {topic} is going to be made on {alias}, which is `read-only: true`.",
        f"make it elsewhere (`offset-syncs: target`), or take `read-only` off {alias}",
        cluster=alias,
        topic=topic,
    )


def syncs_on_source(name: str, config: Mapping[str, str], alias: str) -> Iterator[Finding]:
    location = config.get("offset-syncs.topic.location")
    if location != "target":
        yield Finding(
            f"Connector {name}: offset-syncs.topic.location is "
            f"{location or 'absent, which means source'}, and {alias} is `read-only: true`: "
            "MirrorMaker writes its offset-syncs topic there, or fails to.",
            "set it to target, on the source and on the checkpoint connector",
            cluster=alias,
            connector=name,
            path=("offset-syncs.topic.location",),
        )
