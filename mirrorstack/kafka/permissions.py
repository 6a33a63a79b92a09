"""Whether a user may do on a cluster what it has to: asked of the brokers, as that user."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from confluent_kafka import KafkaError, KafkaException, TopicCollection
from confluent_kafka.admin import AclOperation, AdminClient

from mirrorstack.findings import UserError
from mirrorstack.kafka import errors as refusals
from mirrorstack.kafka.acls import Acl, Operation, ResourcePattern, ResourceType
from mirrorstack.kafka.admin import TIMEOUT_SECONDS, KafkaCluster

SHOWN = 10
POLL_SECONDS = 0.5
OPERATIONS = {
    Operation.READ: AclOperation.READ,
    Operation.WRITE: AclOperation.WRITE,
    Operation.DESCRIBE: AclOperation.DESCRIBE,
    Operation.DESCRIBE_CONFIGS: AclOperation.DESCRIBE_CONFIGS,
    Operation.ALTER_CONFIGS: AclOperation.ALTER_CONFIGS,
}
# Nobody says what may be done with a group that is not there, that is Connect's, or whose
# coordinator is still to be made, as in a new cluster.
NOT_TOLD = (
    KafkaError.GROUP_ID_NOT_FOUND,
    KafkaError._INVALID_ARG,
    KafkaError.COORDINATOR_NOT_AVAILABLE,
    KafkaError.COORDINATOR_LOAD_IN_PROGRESS,
    KafkaError.NOT_COORDINATOR,
)


@dataclass(frozen=True, order=True)
class EffectivePermission:
    """One operation on one topic or group, by its name."""

    type: ResourceType
    name: str
    operation: Operation
    reason: str

    @property
    def description(self) -> str:
        return f"{self.operation.value} on {self.type.value} {self.name}: {self.reason}"

    def command(self, principal: str, bootstrap_servers: str) -> str:
        """The `kafka-acls` command that allows it."""
        acl = Acl("", ResourcePattern(self.type, self.name), self.operation, self.reason)
        return acl.command(principal, bootstrap_servers)


Allowed = dict[tuple[ResourceType, str], Collection[AclOperation] | None]
"""By topic or group; None where the broker does not tell."""


def missing(
    cluster: KafkaCluster, wanted: Collection[EffectivePermission]
) -> list[EffectivePermission]:
    """Those of the rights that the cluster's user has not got; a Problem if it does not answer."""
    heard: list[KafkaError] = []
    admin = cluster.admin(heard)
    cluster.metadata(admin, heard)
    try:
        allowed = _of_topics(admin, _names(wanted, ResourceType.TOPIC))
        allowed |= _of_groups(admin, _names(wanted, ResourceType.GROUP))
    except KafkaException as error:
        raise cluster.unanswered(error, heard) from error
    return [right for right in wanted if not _is_allowed(right, allowed)]


def wait_for(
    cluster: KafkaCluster, wanted: Collection[EffectivePermission], seconds: float
) -> None:
    """Until the user has all the rights: brokers learn of a grant a moment after it is made."""
    deadline = time.monotonic() + seconds
    while lacking := missing(cluster, wanted):
        if time.monotonic() > deadline:
            raise _lacking(cluster, lacking)
        time.sleep(POLL_SECONDS)


def _lacking(cluster: KafkaCluster, rights: list[EffectivePermission]) -> UserError:
    who = cluster.connection
    lines = "".join(f"\n    {right.description}" for right in rights[:SHOWN])
    more = f"\n    and {len(rights) - SHOWN} more" if len(rights) > SHOWN else ""
    commands = "".join(
        f"\n    {right.command(who.username, who.bootstrap_servers)}" for right in rights[:SHOWN]
    )
    return UserError(
        f"Cluster {cluster.alias} does not let {who.username} do what MirrorMaker must do:"
        f"{lines}{more}",
        f"`pulumi up --refresh` makes again what somebody took away, where this stack may "
        f"administer {cluster.alias}; elsewhere its owner has to:{commands}",
    )


def _names(rights: Iterable[EffectivePermission], kind: ResourceType) -> list[str]:
    return sorted({right.name for right in rights if right.type is kind})


def _is_allowed(right: EffectivePermission, allowed: Allowed) -> bool:
    operations = allowed[right.type, right.name]
    return operations is None or OPERATIONS[right.operation] in operations


def _of_topics(admin: AdminClient, names: list[str]) -> Allowed:
    if not names:
        return {}
    asked = admin.describe_topics(
        TopicCollection(names),
        include_authorized_operations=True,
        request_timeout=TIMEOUT_SECONDS,
    )
    result: Allowed = {}
    for name, future in asked.items():
        try:
            result[ResourceType.TOPIC, name] = future.result().authorized_operations or ()
        except KafkaException as error:
            # Who may not even describe a topic is told that there is none.
            if refusals.code(error) not in (
                *refusals.NOT_AUTHORIZED,
                KafkaError.UNKNOWN_TOPIC_OR_PART,
            ):
                raise
            result[ResourceType.TOPIC, name] = ()
    return result


def _of_groups(admin: AdminClient, names: list[str]) -> Allowed:
    if not names:
        return {}
    asked = admin.describe_consumer_groups(
        names, include_authorized_operations=True, request_timeout=TIMEOUT_SECONDS
    )
    result: Allowed = {}
    for name, future in asked.items():
        try:
            result[ResourceType.GROUP, name] = future.result().authorized_operations or ()
        except KafkaException as error:
            if refusals.code(error) in NOT_TOLD:
                result[ResourceType.GROUP, name] = None
            elif refusals.code(error) in refusals.NOT_AUTHORIZED:
                result[ResourceType.GROUP, name] = ()
            else:
                raise
    return result
