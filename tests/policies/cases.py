"""For each rule: a stack that keeps it, one that breaks it, one that says nothing, one unknown."""

from __future__ import annotations

from dataclasses import dataclass

from pulumi_policy import PolicyResource

from tests.policies.asking import MM2, UNKNOWN, connector, worker

Stack = tuple[PolicyResource, ...]


@dataclass(frozen=True)
class Case:
    rule: str
    right: Stack
    wrong: Stack
    says: str
    """A part of the message about the wrong one."""
    absent: Stack
    """The wrong one without the key that makes it wrong."""
    absent_says: str | None
    """What is said then; None where the default is right."""
    unknown: Stack

    def __str__(self) -> str:
        return self.rule


CONNECTORS = [
    Case(
        "records-keep-their-bytes",
        right=(connector(), connector("Checkpoint")),
        wrong=(connector(value_converter="org.apache.kafka.connect.json.JsonConverter"),),
        says="value.converter is org.apache.kafka.connect.json.JsonConverter",
        absent=(connector(header_converter=None),),
        absent_says="header.converter is absent, so the worker decides",
        unknown=(connector(key_converter=UNKNOWN),),
    ),
    Case(
        "exactly-once-reads-committed",
        right=(connector(),),
        wrong=(connector(consumer_isolation_level="read_uncommitted"),),
        says="consumer.isolation.level is read_uncommitted: aborted records",
        absent=(connector(consumer_isolation_level=None),),
        absent_says="absent, which means read_uncommitted",
        unknown=(connector(consumer_isolation_level=UNKNOWN),),
    ),
    Case(
        "exactly-once-is-supported",
        right=(connector(), worker()),
        wrong=(connector(), worker(exactly_once_source_support="disabled")),
        says="exactly.once.source.support is disabled: Connect refuses",
        absent=(connector(), worker(exactly_once_source_support=None)),
        absent_says="is absent, which means disabled",
        unknown=(connector(), worker(exactly_once_source_support=UNKNOWN)),
    ),
    Case(
        "connectors-of-a-flow-agree",
        right=(connector(), connector("Checkpoint"), connector("Heartbeat")),
        wrong=(
            connector(),
            connector("Heartbeat", replication_policy_class=f"{MM2}.IdentityReplicationPolicy"),
        ),
        says="IdentityReplicationPolicy on east-to-west-heartbeat",
        absent=(connector(), connector("Checkpoint", topics=None)),
        absent_says="topics is orders on east-to-west-source, .* on east-to-west-checkpoint",
        unknown=(connector(), connector("Checkpoint", topics=UNKNOWN)),
    ),
    Case(
        "workers-write-to-the-target",
        right=(connector(), worker()),
        wrong=(connector(), worker(bootstrap_servers="south:9093")),
        says="its worker's bootstrap.servers is south:9093",
        absent=(connector(), worker(bootstrap_servers=None)),
        absent_says=None,
        unknown=(connector(), worker(bootstrap_servers=UNKNOWN)),
    ),
    Case(
        "groups-are-not-excluded",
        right=(connector("Checkpoint", groups="connect-sink,billing"),),
        wrong=(
            connector("Checkpoint", groups="billing", **{"groups_exclude": "billing, test-.*"}),
        ),
        says="groups names billing, and groups.exclude (billing, test-.*) leaves all of it out",
        absent=(connector("Checkpoint", groups="connect-sink", groups_exclude=None),),
        absent_says="MirrorMaker's default excludes `connect-.*`",
        unknown=(connector("Checkpoint", groups=UNKNOWN),),
    ),
    Case(
        "group-offsets-are-synced",
        right=(connector("Checkpoint"),),
        wrong=(connector("Checkpoint", sync_group_offsets_enabled="false"),),
        says="sync.group.offsets.enabled is false",
        absent=(connector("Checkpoint", sync_group_offsets_enabled=None),),
        absent_says="absent, which is false",
        unknown=(connector("Checkpoint", sync_group_offsets_enabled=UNKNOWN),),
    ),
]

CASES = [*CONNECTORS]
