"""A cluster that is `read-only: true` is never written: by no ACL, no topic, no offset syncs."""

from __future__ import annotations

from collections.abc import Iterator

from mirrorstack.findings import Finding
from mirrorstack.kafka.acls import Operation
from mirrorstack.mm2.connector_configs import ConnectorKind
from mirrorstack.rules.rule import Risk, rule
from mirrorstack.rules.subjects import DeclaredAcl, ReadOnlySource, TopicOnCluster

READING = frozenset({Operation.READ, Operation.DESCRIBE, Operation.DESCRIBE_CONFIGS})
REASON = "The owner of a source lets a stack in because it provably only reads."


@rule(
    DeclaredAcl,
    id="no-write-acls-on-read-only-clusters",
    title="On a read-only cluster, ACLs may only allow reading.",
    reason=REASON,
    risk=Risk.CRITICAL,
)
def no_write_acls(acl: DeclaredAcl) -> Iterator[Finding]:
    if acl.read_only and acl.operation not in READING:
        yield Finding(
            f"{acl.principal} is allowed {acl.operation} on {acl.type} {acl.name} of "
            f"{acl.cluster}, which is `read-only: true`: this principal can change the source",
            f"remove the ACL, or `read-only` of {acl.cluster}; replication needs only Read and "
            "Describe there",
            cluster=acl.cluster,
        )


@rule(
    TopicOnCluster,
    id="no-topics-on-read-only-clusters",
    title="On a read-only cluster, no topic may be created.",
    reason=REASON,
    risk=Risk.CRITICAL,
)
def no_topics(placed: TopicOnCluster) -> Iterator[Finding]:
    if placed.read_only:
        yield Finding(
            f"Topic {placed.topic.name} would be created on {placed.cluster}, which is "
            "`read-only: true`",
            f"create it elsewhere (`offset-syncs: target`), or remove `read-only` of "
            f"{placed.cluster}",
            cluster=placed.cluster,
            topic=placed.topic.name,
        )


@rule(
    ReadOnlySource,
    id="no-offset-syncs-on-read-only-clusters",
    title="The offset-syncs topic of a read-only source must be on the target.",
    reason="MirrorMaker's default writes a topic on the source.",
    risk=Risk.CRITICAL,
)
def no_offset_syncs(source: ReadOnlySource) -> Iterator[Finding]:
    key, connector = "offset-syncs.topic.location", source.connector
    if connector.kind not in (ConnectorKind.SOURCE, ConnectorKind.CHECKPOINT):
        return
    location = connector.config.get(key)
    if location != "target":
        yield Finding(
            f"Connector {connector.name}: {key} is {location or 'absent, which means source'}, "
            f"and {source.cluster} is `read-only: true`: MirrorMaker writes its offset-syncs topic "
            "there, or fails to",
            "set it to target, on the source and on the checkpoint connector",
            cluster=source.cluster,
            connector=connector.name,
            path=(key,),
        )


RULES = (no_write_acls, no_topics, no_offset_syncs)
