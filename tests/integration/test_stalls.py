"""Stalls caused for real, and the reasons that are found.

The tests of this module depend on each other and run in order, on one deployment.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from mirrorstack.connect import credentials
from mirrorstack.connect.client import ConnectClient
from mirrorstack.connect.protocol import ConnectorState
from mirrorstack.connect.stalls import DEFAULT_MAX_REQUEST_SIZE, StallReason
from mirrorstack.findings import Finding
from mirrorstack.kafka.acls import Operation
from mirrorstack.kafka.admin import KafkaCluster
from mirrorstack.kafka.backlog import topics_with_backlog
from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.planning.stall_facts import MAX_REQUEST_SIZE, StallInspector
from mirrorstack.runtimes.local_worker import LocalWorker, credentials_file
from mirrorstack.sandbox.names import Cluster, Principal
from mirrorstack.sandbox.sandbox import Sandbox
from tests.integration.conftest import eventually
from tests.integration.denied_acls import denied, derived_acl, without_alter
from tests.integration.killed_workers import kill_supervisor
from tests.integration.replicated_stack import (
    Place,
    add_partitions,
    deployed,
    equal_within,
    fill,
    flow,
    make_again,
    stack,
    write,
    write_large,
)

pytestmark = pytest.mark.slow

UNREADABLE, AGAIN, GROWN, LARGE = TOPICS = (
    "stall-acl",
    "stall-recreated",
    "stall-partitions",
    "stall-size",
)
CONNECTOR = "east-to-west-source"
SETTINGS = stack(
    # With synced configs the principal may read the target topic's limit.
    flow(*TOPICS, tasks=1, sync_configs=["max.message.bytes"]),
    sandbox="shared",
    workers={"west": {"group": "stalling"}},
    **{"delete-topics": True},
)


@dataclass(frozen=True)
class Mirror:
    east: Place
    west: Place
    connect: ConnectClient

    def inspect(self, topic: str) -> Finding:
        """The one reason why a topic is stalled."""
        config = self.connect.config(CONNECTOR) or {}
        inspector = StallInspector(self.cluster(self.east), self.cluster(self.west), config)
        (finding,) = inspector([topic], self.connect.offsets(CONNECTOR))
        return finding

    @staticmethod
    def cluster(place: Place) -> KafkaCluster:
        sandbox, cluster = place
        connection = sandbox.connection(cluster, Principal.MIRROR)
        return KafkaCluster(cluster.value, connection, "start the sandbox")

    def is_behind(self, *partitions: TopicPartition) -> bool:
        """Whether the source has records after the last replicated ones, as an admin sees it."""
        sandbox, cluster = self.east
        connection = sandbox.connection(cluster, Principal.ADMIN)
        offsets = self.connect.offsets(CONNECTOR)
        last = {each: offsets.get(each, -1) for each in partitions}
        return bool(topics_with_backlog(KafkaCluster("east", connection, ""), last))


@pytest.fixture(scope="module")
def mirror(
    tmp_path_factory: pytest.TempPathFactory, sandbox: Sandbox, home: Path
) -> Iterator[Mirror]:
    east, west = (sandbox, Cluster.EAST), (sandbox, Cluster.WEST)
    for topic in TOPICS:
        fill(east, topic, records=50, partitions=1)
    with deployed(tmp_path_factory.mktemp("stalls"), home, SETTINGS) as (workers, rest_url):
        # The tests observe what MirrorMaker does by itself.
        kill_supervisor(LocalWorker(workers / "1"))
        connect = ConnectClient(rest_url, credentials.load(credentials_file(workers)))
        equal_within(sandbox, {topic: f"east.{topic}" for topic in TOPICS})
        yield Mirror(east, west, connect)


def test_a_missing_acl_is_the_reason(mirror: Mirror) -> None:
    read = derived_acl(SETTINGS, "east", Operation.READ, UNREADABLE)
    with denied(mirror.east, read):

        def stays_behind() -> bool:
            # The fetch that was under way before may still bring a record.
            write(mirror.east, UNREADABLE)
            return mirror.is_behind(TopicPartition(UNREADABLE, 0))

        eventually(stays_behind, "its records are no longer replicated")
        finding = mirror.inspect(UNREADABLE)

    assert finding.rule == StallReason.MISSING_PERMISSION
    assert f"User:mirror is not authorized on east: Read on Topic {UNREADABLE}" in finding.message
    assert "kafka-acls" in finding.fix
    equal_within(mirror.east[0], {UNREADABLE: f"east.{UNREADABLE}"}, 120)


def test_a_recreated_source_topic_is_the_reason(mirror: Mirror) -> None:
    mirror.connect.set_state(CONNECTOR, ConnectorState.STOPPED)
    eventually(lambda: not mirror.connect.tasks(CONNECTOR), "its tasks are gone", within=60)
    make_again(mirror.east, AGAIN, partitions=1)
    write(mirror.east, AGAIN, 5)

    finding = mirror.inspect(AGAIN)

    assert finding.rule == StallReason.SOURCE_RECREATED
    assert "was replicated up to offset 49, and ends at 5 on east" in finding.message
    mirror.connect.set_state(CONNECTOR, ConnectorState.RUNNING)


def test_a_missing_partition_is_the_reason(mirror: Mirror) -> None:
    with without_alter(mirror.west):
        add_partitions(mirror.east, GROWN, 2)
        # MirrorMaker looks for new partitions when it starts.
        mirror.connect.restart(CONNECTOR)
        new = TopicPartition(GROWN, 1)
        eventually(
            lambda: any(new in task.assigned for task in mirror.connect.tasks(CONNECTOR)),
            "the new partition is assigned",
            within=120,
        )
        write(mirror.east, GROWN, 50)

        finding = mirror.inspect(GROWN)

        assert mirror.is_behind(TopicPartition(GROWN, 0), new)
        assert finding.rule == StallReason.MISSING_PARTITION
        assert f"2 partitions on east, and east.{GROWN} has 1 on west" in finding.message
    add_partitions(mirror.west, f"east.{GROWN}", 2)
    equal_within(mirror.east[0], {GROWN: f"east.{GROWN}"}, 180)


def test_a_record_that_is_too_large_is_the_reason(mirror: Mirror) -> None:
    limit = int((mirror.connect.config(CONNECTOR) or {}).get(MAX_REQUEST_SIZE, "0"))
    size = max(limit, DEFAULT_MAX_REQUEST_SIZE) + 500_000
    offset = write_large(mirror.east, LARGE, size)

    eventually(lambda: mirror.is_behind(TopicPartition(LARGE, 0)), "the topic is behind")
    finding = mirror.inspect(LARGE)

    assert finding.rule == StallReason.RECORD_TOO_LARGE
    assert f"the record at offset {offset} of partition 0 has {size:,} bytes" in finding.message
    assert "max.request.size" in finding.message
