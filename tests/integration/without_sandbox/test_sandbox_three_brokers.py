"""Three brokers per cluster. The most expensive test of the sandbox, so there is only one."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from confluent_kafka import TopicCollection
from confluent_kafka.admin import AdminClient, NewTopic

from mirrorstack.local.kafka_installation import KafkaInstallation
from mirrorstack.sandbox.names import Cluster, Principal
from mirrorstack.sandbox.sandbox import Sandbox
from mirrorstack.sandbox.settings import SandboxOptions
from tests.integration.conftest import eventually


def known(admin: AdminClient, topic: str) -> bool:
    return topic in admin.list_topics(timeout=15).topics


@pytest.mark.slow
def test_three_brokers_hold_three_replicas(home: Path, runtime: KafkaInstallation) -> None:
    three = Sandbox("three", home_directory=home)
    try:
        outcome = three.up(runtime, SandboxOptions(brokers=3, east_port=0, west_port=0))
        assert outcome.status.running
        assert len(outcome.started) == 6
        for cluster in Cluster:
            app = three.connection(cluster, Principal.APP)
            admin = AdminClient(app.client_config())
            # One with an explicit replication factor, one with the default of the brokers.
            new = [NewTopic("wanted", 3, 3), NewTopic("usual", 1)]
            for future in admin.create_topics(new).values():
                future.result(30)
            # Another broker than the one that created them may answer, with older metadata.
            for topic in ("wanted", "usual"):
                eventually(partial(known, admin, topic), f"{topic} is in the metadata", within=60)
            described = admin.describe_topics(TopicCollection(["wanted", "usual"]))
            for future in described.values():
                for partition in future.result(30).partitions:
                    assert {node.id for node in partition.replicas} == {1, 2, 3}
    finally:
        three.down(delete=True)
