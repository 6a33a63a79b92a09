"""Deploys this repository's program in a test project, and inspects the clusters."""

from __future__ import annotations

import json
import shutil
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from confluent_kafka import (
    Consumer,
    ConsumerGroupTopicPartitions,
    KafkaException,
    Message,
    Producer,
    TopicPartition,
)
from confluent_kafka.admin import (
    AclBinding,
    AclBindingFilter,
    AclPermissionType,
    AdminClient,
    AlterConfigOpType,
    ConfigEntry,
    ConfigResource,
    NewPartitions,
    NewTopic,
    OffsetSpec,
    ResourceType,
)
from confluent_kafka.admin import ResourcePatternType as PatternType

from mirrorstack.config.settings import parse
from mirrorstack.kafka.acls import Acl
from mirrorstack.kafka.permissions import OPERATIONS
from mirrorstack.local.home import ROOT
from mirrorstack.planning.clusters import StackClusters
from mirrorstack.planning.connections import stack_connections
from mirrorstack.planning.plan import plan
from mirrorstack.sandbox.connection import connection
from mirrorstack.sandbox.names import Cluster, Principal
from mirrorstack.sandbox.sandbox import Sandbox
from mirrorstack.sandbox.seed_topics import CUSTOMERS
from tests.integration.conftest import ACLS_OF_MIRROR, eventually, read
from tests.pulumi_project import PulumiProject
from toolchain import receipt
from toolchain.shell import pulumi_home

Content = dict[tuple[str, int], list[tuple[Any, ...]]]
Place = tuple[Sandbox, Cluster]
MIRROR = "User:mirror"


def mirroring_project(directory: Path, home: Path, plugins: Path | None = None) -> PulumiProject:
    """`plugins`: another PULUMI_HOME than that of this machine."""
    project = PulumiProject(
        directory,
        name="mirrorstack",
        pulumi=receipt.read(ROOT / ".mirrorstack")["pulumi"].path,
        pulumi_home=plugins or pulumi_home(),
        MIRRORSTACK_HOME=str(home),
    )
    shutil.copy2(ROOT / "__main__.py", project.directory)
    return project


@contextmanager
def deployed(
    directory: Path, home: Path, settings: Mapping[str, Any]
) -> Iterator[tuple[Path, str]]:
    """A stack that is deployed inside the block: its worker directory and Connect's URL."""
    project = mirroring_project(directory, home)
    project.configure(settings)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MIRRORSTACK_HOME", str(home))
        try:
            project.up()
            outputs = json.loads(project.pulumi("stack", "output", "--json"))
            yield home / "workers" / "dev" / "west", outputs["connect"]["west"]
        finally:
            project.pulumi("destroy", "--yes", "--skip-preview")


def stack(*flows: dict[str, Any], sandbox: str, **more: Any) -> dict[str, Any]:
    clusters = {alias: {"sandbox": sandbox} for alias in ("east", "west")}
    return {"clusters": clusters, "flows": list(flows), **more}


def flow(*topics: str, source: str = "east", target: str = "west", **more: Any) -> dict[str, Any]:
    keys = {key.replace("_", "-"): value for key, value in more.items()}
    return {"from": source, "to": target, "topics": list(topics), **keys}


@cache
def admin(sandbox: Sandbox, cluster: Cluster) -> AdminClient:
    """One client per cluster and run: connecting is slower than a request, and a client that is
    garbage-collected cancels its requests."""
    config = sandbox.connection(cluster, Principal.ADMIN).client_config()
    return AdminClient(config | {"log_level": 0})


def ends(client: AdminClient, topics: list[str]) -> dict[tuple[str, int], int]:
    known = client.list_topics(timeout=15).topics
    places = [TopicPartition(topic, n) for topic in topics for n in known[topic].partitions]
    latest = OffsetSpec.latest()  # type: ignore[no-untyped-call]
    found = client.list_offsets(dict.fromkeys(places, latest))
    return {(place.topic, place.partition): each.result().offset for place, each in found.items()}


def content(sandbox: Sandbox, cluster: Cluster, topics: list[str]) -> Content:
    """Every committed record by partition, in order: all that must be replicated.

    Of the compacted topic only what compaction keeps, because either side may compact at any time.
    """
    messages = read(
        sandbox.connection(cluster, Principal.ADMIN), ends(admin(sandbox, cluster), topics)
    )
    found: Content = defaultdict(list)
    for message in messages:
        found[str(message.topic()), message.partition() or 0].append(_record(message))
    return {
        place: _as_compacted(records) if place[0].endswith(CUSTOMERS) else records
        for place, records in found.items()
    }


def _as_compacted(records: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """What compaction keeps: the last record of each key, unless it is a tombstone."""
    last = {record[0]: record for record in records}
    return sorted(record for record in last.values() if record[1] is not None)


def _record(message: Message) -> tuple[Any, ...]:
    headers = tuple(message.headers() or ())
    return (message.key(), message.value(), headers, message.timestamp())


def equal_within(
    sandbox: Sandbox, topics: dict[str, str], seconds: float = 60.0, cluster: Cluster = Cluster.EAST
) -> None:
    """Fails unless the target topics match within the time; `topics` maps source to target."""
    other = Cluster.WEST if cluster is Cluster.EAST else Cluster.EAST
    equal_between((sandbox, cluster), (sandbox, other), topics, seconds)


def equal_between(
    source: Place, target: Place, topics: dict[str, str], seconds: float = 60.0
) -> None:
    """Fails unless the target topics match within the time; `topics` maps source to target."""
    there = content(*source, list(topics))
    wanted = {(topics[topic], number): records for (topic, number), records in there.items()}
    eventually(
        lambda: content(*target, list(topics.values())) == wanted,
        f"{', '.join(topics)} are equal on {source[1]} and {target[1]}",
        within=seconds,
    )


def fill(place: Place, topic: str, *, records: int = 300, partitions: int = 2) -> None:
    """Create a topic with records in all of its partitions."""
    admin(*place).create_topics([NewTopic(topic, partitions)])[topic].result(15)
    write(place, topic, records)


def add_partitions(place: Place, topic: str, partitions: int) -> None:
    """Until it has this many."""
    asked = admin(*place).create_partitions([NewPartitions(topic, partitions)])
    asked[topic].result(15)


def make_again(place: Place, topic: str, partitions: int) -> None:
    """Delete and recreate a topic."""
    client = admin(*place)
    client.delete_topics([topic])[topic].result(15)

    def makes() -> bool:
        try:
            client.create_topics([NewTopic(topic, partitions)])[topic].result(15)
        except KafkaException:  # the deletion is not complete yet
            return False
        return True

    eventually(makes, f"{topic} is recreated")


def configs(place: Place, topic: str) -> dict[str, str]:
    resource = ConfigResource(ConfigResource.Type.TOPIC, topic)
    entries = admin(*place).describe_configs([resource])[resource].result(15)
    return {key: entry.value for key, entry in entries.items()}


def set_configs(place: Place, topic: str, values: Mapping[str, str]) -> None:
    change = [
        ConfigEntry(key, value, incremental_operation=AlterConfigOpType.SET)
        for key, value in values.items()
    ]
    resource = ConfigResource(ConfigResource.Type.TOPIC, topic, incremental_configs=change)
    admin(*place).incremental_alter_configs([resource])[resource].result(15)


def write(place: Place, topic: str, records: int = 1) -> None:
    sandbox, cluster = place
    config = sandbox.connection(cluster, Principal.ADMIN).client_config()
    producer = Producer(config | {"log_level": 0})
    for number in range(records):
        value = f"{topic} on {cluster} of {sandbox.layout.name}: {number}"
        producer.produce(topic, value, key=str(number), headers={"number": str(number)})
    assert producer.flush(15) == 0, f"{topic} cannot be written"


def write_large(place: Place, topic: str, size: int) -> int:
    """Write one record of this size; returns its offset."""
    set_configs(place, topic, {"max.message.bytes": str(2 * size)})
    sandbox, cluster = place
    config = sandbox.connection(cluster, Principal.ADMIN).client_config()
    producer = Producer(config | {"message.max.bytes": 2 * size, "log_level": 0})
    offset = ends(admin(*place), [topic])[topic, 0]
    producer.produce(topic, b"x" * size, partition=0)
    assert producer.flush(15) == 0
    eventually(lambda: ends(admin(*place), [topic])[topic, 0] > offset, "it is written")
    return offset


def read_to_the_end(place: Place, group: str, topic: str) -> None:
    """Commit the end offsets of a topic for the group."""
    sandbox, cluster = place
    config = sandbox.connection(cluster, Principal.ADMIN).client_config()
    consumer = Consumer(config | {"group.id": group, "log_level": 0})
    held = ends(admin(*place), [topic])
    at = [TopicPartition(topic, number, offset) for (_, number), offset in held.items()]

    def commits() -> bool:
        # A cluster creates __consumer_offsets on the first request.
        with suppress(KafkaException):
            consumer.commit(offsets=at, asynchronous=False)
        return committed(place, group) == held

    try:
        eventually(commits, f"{group} is at the end of {topic}")
    finally:
        consumer.close()


def committed(place: Place, group: str) -> dict[tuple[str, int], int]:
    """The committed offsets of a group."""
    client = admin(*place)
    asked = client.list_consumer_group_offsets([ConsumerGroupTopicPartitions(group)])
    found = asked[group].result().topic_partitions or []
    return {(each.topic, each.partition): each.offset for each in found if each.offset >= 0}


def derived_grants(settings: Mapping[str, Any]) -> list[Acl]:
    """The ACLs derived from a stack's settings and the current inventories."""
    parsed = parse(settings, file="the test")
    clusters = StackClusters(parsed, stack_connections(parsed, sandbox=connection))
    return list(plan(parsed, clusters.inventories()).acls)


def acl(grant: Acl) -> AclBinding:
    kinds = {kind.name.replace("_", ""): kind for kind in ResourceType}
    resource = grant.resource
    return AclBinding(
        kinds[resource.type.upper()],
        resource.name,
        PatternType[resource.pattern.upper()],
        MIRROR,
        "*",
        OPERATIONS[grant.operation],
        AclPermissionType.ALLOW,
    )


def exactly(binding: AclBinding) -> AclBindingFilter:
    return AclBindingFilter(
        binding.restype,
        binding.name,
        binding.resource_pattern_type,
        binding.principal,
        binding.host,
        binding.operation,
        binding.permission_type,
    )


def acls(place: Place) -> set[AclBinding]:
    """All ACLs of the mirror principal on a cluster."""
    return set(admin(*place).describe_acls(ACLS_OF_MIRROR).result())
