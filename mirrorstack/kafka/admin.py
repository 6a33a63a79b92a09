"""What a cluster says of itself: its brokers, its topics, its groups."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from confluent_kafka import KafkaError, KafkaException
from confluent_kafka import TopicPartition as KafkaPartition
from confluent_kafka.admin import (
    AclBinding,
    AclBindingFilter,
    AclOperation,
    AclPermissionType,
    AdminClient,
    ClusterMetadata,
    ConfigResource,
    ConfigSource,
    OffsetSpec,
    ResourcePatternType,
)
from confluent_kafka.admin import ResourceType as AclResourceType

from mirrorstack.findings import UserError
from mirrorstack.kafka import errors as refusals
from mirrorstack.kafka.acls import Acl, Operation
from mirrorstack.kafka.connection import Connection
from mirrorstack.kafka.inventory import Inventory, TopicDescription
from mirrorstack.kafka.partitions import TopicPartition

TIMEOUT_SECONDS, TRY_SECONDS = 10.0, 1.0


@dataclass(frozen=True)
class KafkaCluster:
    """A cluster, by its alias in the stack file, as one of its users sees it."""

    alias: str
    connection: Connection
    fix: str
    """What to type when it does not answer."""

    def inventory(self, is_wanted: Callable[[str], bool]) -> Inventory:
        """Its brokers, groups and topics, with the configs of those topics that are wanted."""
        heard: list[KafkaError] = []
        metadata = self.metadata(self.admin(heard), heard)
        names = [name for name in metadata.topics if is_wanted(name)]
        overrides = self._overrides(names) if names else {}
        return Inventory(
            brokers=len(metadata.brokers),
            topics={
                name: TopicDescription(name, len(topic.partitions), overrides.get(name, {}))
                for name, topic in metadata.topics.items()
            },
            groups=frozenset(self._groups()),
            principal=self.connection.username,
            bootstrap_servers=self.connection.bootstrap_servers,
        )

    def with_records(self, partitions: Mapping[str, int]) -> frozenset[str]:
        """Which of the topics hold records; those of aborted transactions count, too."""
        spans = self.spans(partitions)
        return frozenset(
            topic for topic in spans if any(start < end for start, end in spans[topic])
        )

    def spans(self, partitions: Mapping[str, int]) -> dict[str, list[tuple[int, int]]]:
        """Of each topic's partitions: the first offset, and the one after the last."""
        ends = self.ends(partitions)
        starts = self._offsets(partitions, OffsetSpec.earliest())  # type: ignore[no-untyped-call]
        return {
            topic: [
                (starts[TopicPartition(topic, n)], ends[TopicPartition(topic, n)])
                for n in range(held)
            ]
            for topic, held in partitions.items()
        }

    def ends(self, partitions: Mapping[str, int]) -> dict[TopicPartition, int]:
        """The offset of the next record, by topic and partition."""
        return self._offsets(partitions, OffsetSpec.latest())  # type: ignore[no-untyped-call]

    def offsets_at(self, stamps: Mapping[TopicPartition, int]) -> dict[TopicPartition, int]:
        """The first offset whose record is of a given time, in milliseconds, or later; -1 where
        there is none."""
        specs = {KafkaPartition(*p): OffsetSpec.for_timestamp(at) for p, at in stamps.items()}
        return self._listed(specs)

    def _offsets(
        self, partitions: Mapping[str, int], which: OffsetSpec
    ) -> dict[TopicPartition, int]:
        return self._listed(
            {KafkaPartition(t, n): which for t, held in partitions.items() for n in range(held)}
        )

    def _listed(self, specs: Mapping[KafkaPartition, OffsetSpec]) -> dict[TopicPartition, int]:
        if not specs:
            return {}
        admin = self.admin([])  # kept until the answers are in: its end cancels them
        futures = admin.list_offsets(dict(specs), request_timeout=TIMEOUT_SECONDS)
        return {
            TopicPartition(place.topic, place.partition): future.result().offset
            for place, future in futures.items()
        }

    def admin(self, heard: list[KafkaError]) -> AdminClient:
        """A client of this user's; `heard` collects what goes wrong behind its calls."""
        # Without a logger of its own librdkafka writes to standard error behind everybody's back.
        config: dict[str, Any] = {
            **self.connection.client_config(),
            "error_cb": heard.append,
            "log_level": 0,
        }
        return AdminClient(config)

    def metadata(self, admin: AdminClient, heard: list[KafkaError]) -> ClusterMetadata:
        """The first thing to ask a client for; a refused password ends it at once."""
        deadline = time.monotonic() + TIMEOUT_SECONDS
        while True:
            try:
                return admin.list_topics(timeout=TRY_SECONDS)
            except KafkaException as error:
                admin.poll(0)  # hands over what was heard meanwhile
                if refusals.is_login(heard) or time.monotonic() > deadline:
                    raise self.unanswered(error, heard) from error

    def unanswered(self, error: KafkaException, heard: Sequence[KafkaError] = ()) -> UserError:
        return refusals.unanswered(self.alias, self.connection, error, heard, self.fix)

    def existing_acls(self, principal: str, acls: Iterable[Acl]) -> list[Acl]:
        """Those of the ACLs that the principal has, with the same resource pattern."""
        every = AclBindingFilter(
            AclResourceType.ANY, None, ResourcePatternType.ANY, f"User:{principal}", None,  # type: ignore[arg-type]
            AclOperation.ANY, AclPermissionType.ALLOW,
        )  # fmt: skip
        admin = self.admin([])  # kept until the answer is in: its end cancels it
        try:
            bindings = admin.describe_acls(every, request_timeout=TIMEOUT_SECONDS).result()
        except KafkaException as error:
            raise self.unanswered(error) from error
        existing = {_binding_key(binding) for binding in bindings}
        return [acl for acl in acls if _acl_key(acl) in existing]

    def is_at_work(self, group: str) -> bool:
        """Whether a group of any kind has members; one that they have left stays for a while."""
        admin = self.admin([])
        try:
            with warnings.catch_warnings():
                # Its successor knows consumers' groups only, and Connect's are of another kind.
                warnings.simplefilter("ignore", DeprecationWarning)
                found = admin.list_groups(group, timeout=TIMEOUT_SECONDS)
        except KafkaException as error:
            raise self.unanswered(error) from error
        return any(each.members for each in found)

    def _groups(self) -> list[str]:
        admin = self.admin([])
        try:
            listed = admin.list_consumer_groups(request_timeout=TIMEOUT_SECONDS).result()
        except KafkaException as error:
            raise self.unanswered(error) from error
        return [group.group_id for group in listed.valid]

    def _overrides(self, names: Sequence[str]) -> dict[str, dict[str, str]]:
        resources = [ConfigResource(ConfigResource.Type.TOPIC, name) for name in names]
        admin = self.admin([])  # kept until the answers are in: its end cancels them
        futures = admin.describe_configs(resources, request_timeout=TIMEOUT_SECONDS)
        result: dict[str, dict[str, str]] = {}
        refused: list[str] = []
        for resource, future in futures.items():
            try:
                entries = future.result()
            except KafkaException as error:
                if refusals.code(error) not in refusals.NOT_AUTHORIZED:
                    raise self.unanswered(error) from error
                refused.append(resource.name)
                continue
            result[resource.name] = {
                key: entry.value
                for key, entry in entries.items()
                if entry.source == ConfigSource.DYNAMIC_TOPIC_CONFIG.value
            }
        if refused:
            raise refusals.not_allowed(
                self.alias, self.connection, Operation.DESCRIBE_CONFIGS, sorted(refused)
            )
        return result


def _binding_key(binding: AclBinding) -> tuple[str, str, str, str]:
    parts: list[Any] = [binding.restype, binding.resource_pattern_type, binding.operation]
    kind, pattern, operation = (part.name.replace("_", "").lower() for part in parts)
    return kind, binding.name, pattern, operation


def _acl_key(acl: Acl) -> tuple[str, str, str, str]:
    resource = acl.resource
    return (
        resource.type.value.lower(),
        resource.name,
        resource.pattern.value.lower(),
        acl.operation.value.lower(),
    )
