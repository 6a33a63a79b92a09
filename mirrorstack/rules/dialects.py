"""The keys in which a way out is said: those of the file that a flow was found in."""

from __future__ import annotations

from dataclasses import dataclass

from mirrorstack.mm2.replication_policy import DEFAULT_TOPICS_EXCLUDE, MIRROR_PACKAGE


@dataclass(frozen=True)
class Dialect:
    use_prefixes: str
    """What to do so that names show where a record came from."""
    exclude: str
    """The key that leaves topics out."""


STACK_FILE = Dialect("use `naming: prefixed`, which is DefaultReplicationPolicy", "`exclude`")


def excluding_with(key: str) -> Dialect:
    """A file that speaks Kafka's own language, except perhaps for the key that excludes."""
    default = ", ".join(DEFAULT_TOPICS_EXCLUDE)
    return Dialect(
        f"set `replication.policy.class` to {MIRROR_PACKAGE}.DefaultReplicationPolicy, the default",
        f"`{key}`, which replaces its default, so repeat that: {default}",
    )


CONNECTOR = excluding_with("topics.exclude")
STRIMZI = excluding_with("topicsExcludePattern")
"""Of a KafkaMirrorMaker2, which writes its own fields over the connectors' keys."""
