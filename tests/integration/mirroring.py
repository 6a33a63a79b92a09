"""This repository's program in a project of a test's own, and what it leads to on the clusters."""

from __future__ import annotations

import shutil
from collections import defaultdict
from pathlib import Path
from typing import Any

from confluent_kafka import Message, TopicPartition
from confluent_kafka.admin import AdminClient, OffsetSpec

from mirrorstack.sandbox.names import Cluster, Principal
from mirrorstack.sandbox.sandbox import Sandbox
from mirrorstack.sandbox.seed_topics import CUSTOMERS
from tests.integration.conftest import eventually, read
from tests.pulumi_project import PulumiProject
from toolchain import receipt
from toolchain.setup import ROOT
from toolchain.shell import pulumi_home

Content = dict[tuple[str, int], list[tuple[Any, ...]]]


def mirroring_project(directory: Path, home: Path) -> PulumiProject:
    project = PulumiProject(
        directory,
        name="mirrorstack",
        pulumi=receipt.read(ROOT / ".mirrorstack")["pulumi"].path,
        pulumi_home=pulumi_home(),
        MIRRORSTACK_HOME=str(home),
    )
    shutil.copy2(ROOT / "__main__.py", project.directory)
    return project


def stack(*flows: dict[str, Any], sandbox: str, **more: Any) -> dict[str, Any]:
    clusters = {alias: {"sandbox": sandbox} for alias in ("east", "west")}
    return {"clusters": clusters, "flows": list(flows), **more}


def flow(*topics: str, source: str = "east", target: str = "west", **more: Any) -> dict[str, Any]:
    keys = {key.replace("_", "-"): value for key, value in more.items()}
    return {"from": source, "to": target, "topics": list(topics), **keys}


def admin(sandbox: Sandbox, cluster: Cluster) -> AdminClient:
    config = sandbox.connection(cluster, Principal.ADMIN).client_config()
    return AdminClient(config | {"log_level": 0})


def ends(client: AdminClient, topics: list[str]) -> dict[tuple[str, int], int]:
    known = client.list_topics(timeout=15).topics
    places = [TopicPartition(topic, n) for topic in topics for n in known[topic].partitions]
    latest = OffsetSpec.latest()  # type: ignore[no-untyped-call]
    found = client.list_offsets(dict.fromkeys(places, latest))
    return {(place.topic, place.partition): each.result().offset for place, each in found.items()}


def content(sandbox: Sandbox, cluster: Cluster, topics: list[str]) -> Content:
    """Every committed record by partition and in order: all that a mirror must carry over.

    Of the compacted topic only what lasts, as either side may compact at any moment.
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
    """What compaction may leave in the end: each key's last record, unless that deletes it."""
    last = {record[0]: record for record in records}
    return sorted(record for record in last.values() if record[1] is not None)


def _record(message: Message) -> tuple[Any, ...]:
    headers = tuple(message.headers() or ())
    return (message.key(), message.value(), headers, message.timestamp())


def equal_within(
    sandbox: Sandbox, topics: dict[str, str], seconds: float = 60.0, cluster: Cluster = Cluster.EAST
) -> None:
    """Fails unless the target's topics soon hold what the source's hold; by name on the source."""
    other = Cluster.WEST if cluster is Cluster.EAST else Cluster.EAST
    source = content(sandbox, cluster, list(topics))

    def equal() -> bool:
        target = content(sandbox, other, list(topics.values()))
        return {(topics[topic], n): records for (topic, n), records in source.items()} == target

    eventually(equal, f"{', '.join(topics)} are equal on {cluster} and {other}", within=seconds)
