"""One stack from its first `up` to `destroy`: east is replicated to west, and no more.

The tests of this module depend on each other and run in order, on one deployment.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from confluent_kafka import ConsumerGroupTopicPartitions, KafkaException, Producer
from confluent_kafka.admin import (
    AclBindingFilter,
    AclOperation,
    AclPermissionType,
    AdminClient,
    ResourceType,
)
from confluent_kafka.admin import ResourcePatternType as PatternType

from mirrorstack.connect import credentials
from mirrorstack.connect.client import ConnectClient
from mirrorstack.connect.protocol import ConnectorState
from mirrorstack.runtimes.local_worker import LocalWorker, all_below, credentials_file
from mirrorstack.sandbox.names import CLIENT_PRINCIPALS, Cluster, Principal
from mirrorstack.sandbox.sandbox import Sandbox
from mirrorstack.sandbox.seed_topics import GROUPS, TOPICS
from tests.integration.conftest import eventually
from tests.integration.killed_workers import kill_worker
from tests.integration.replicated_stack import (
    admin,
    content,
    ends,
    equal_within,
    flow,
    mirroring_project,
    stack,
)
from tests.pulumi_project import PulumiProject

SEED_TOPICS = [topic.name for topic in TOPICS]
MIRRORED = {topic: f"east.{topic}" for topic in SEED_TOPICS}
CONNECTORS = [f"east-to-west-{kind}" for kind in ("checkpoint", "heartbeat", "source")]


class Story:
    def __init__(self, project: PulumiProject, sandbox: Sandbox, home: Path) -> None:
        self.project = project
        self.sandbox = sandbox
        self.workers = home / "workers" / "dev" / "west"
        self.before = content(sandbox, Cluster.EAST, SEED_TOPICS)
        self.topics_before = self.topics(Cluster.EAST)

    def declare(self, **more: object) -> None:
        groups = [group.name for group in GROUPS]
        mirror = flow(*SEED_TOPICS, groups=groups, checkpoint_seconds=1)
        self.project.configure(stack(mirror, sandbox="shared", **more))

    def connect(self) -> ConnectClient:
        outputs = json.loads(self.project.pulumi("stack", "output", "--json"))
        return ConnectClient(
            outputs["connect"]["west"], credentials.load(credentials_file(self.workers))
        )

    def worker(self) -> LocalWorker:
        return LocalWorker(self.workers / "1")

    def topics(self, cluster: Cluster) -> set[str]:
        return set(admin(self.sandbox, cluster).list_topics(timeout=15).topics)

    def acls(self, cluster: Cluster) -> list[str]:
        anything = AclBindingFilter(
            ResourceType.ANY, None, PatternType.ANY, "User:mirror", None,  # type: ignore[arg-type]
            AclOperation.ANY, AclPermissionType.ANY,
        )  # fmt: skip
        client = admin(self.sandbox, cluster)  # keep a reference until the response is there
        return [str(found) for found in client.describe_acls(anything).result()]


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory, seeded: Sandbox, home: Path) -> Iterator[Story]:
    story = Story(mirroring_project(tmp_path_factory.mktemp("story"), home), seeded, home)
    story.declare()
    yield story
    for worker in all_below(home):
        worker.stop()


def test_up_replicates_every_topic_of_the_seed(story: Story) -> None:
    story.project.up()

    equal_within(story.sandbox, MIRRORED)


def test_the_next_up_and_refresh_change_nothing(story: Story) -> None:
    story.project.up("--expect-no-changes")
    story.project.pulumi("refresh", "--yes", "--skip-preview", "--expect-no-changes")


def test_consumer_groups_are_translated_and_never_ahead(story: Story) -> None:
    west = admin(story.sandbox, Cluster.WEST)
    known = ends(west, list(MIRRORED.values()))

    def offsets(group: str) -> dict[tuple[str, int], int]:
        asked = west.list_consumer_group_offsets([ConsumerGroupTopicPartitions(group)])
        found = asked[group].result().topic_partitions or []
        return {(place.topic, place.partition): place.offset for place in found}

    billing = eventually(lambda: offsets("billing"), "billing is translated")
    assert set(billing.values()) == {0}, "billing has read nothing"
    eventually(
        lambda: all(known[place] - at <= 3 for place, at in offsets("reporting").items()),
        "reporting is at the end, but for transaction markers",
    )
    fulfilment = eventually(lambda: offsets("fulfilment"), "fulfilment is translated")
    assert all(at <= known[place] for place, at in fulfilment.items())


def test_passwords_are_only_in_the_files_that_hold_passwords(story: Story) -> None:
    passwords = {
        story.sandbox.connection(cluster, principal).password
        for cluster in Cluster
        for principal in CLIENT_PRINCIPALS
    } | {credentials.load(credentials_file(story.workers)).password}
    seen = {
        "outputs": story.project.pulumi("stack", "output", "--json"),
        "state": "".join(f.read_text() for f in story.project.state.rglob("*") if f.is_file()),
        "worker's log": story.worker().log.read_text(),
        "supervisor's log": (story.workers / "1" / "supervisor.log").read_text(),
        "worker's config": (story.workers / "1" / "worker.properties").read_text(),
        "process list": " ".join(w for p in psutil.process_iter() for w in _words(p)),
        "config topic": str(content(story.sandbox, Cluster.WEST, ["mirrorstack-west-configs"])),
    }
    assert "east-to-west-source" in seen["config topic"], "what is searched must be the real thing"
    assert "east.orders" in seen["state"]
    for where, text in seen.items():
        assert not [password for password in passwords if password in text], where


def _words(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except psutil.Error:
        return []


def test_the_mirror_principal_cannot_write_to_the_source(story: Story) -> None:
    mirror = story.sandbox.connection(Cluster.EAST, Principal.MIRROR)
    refused: list[str] = []
    producer = Producer(mirror.client_config() | {"log_level": 0})
    producer.produce("orders", b"x", on_delivery=lambda error, _: refused.append(str(error)))
    producer.flush(15)
    as_mirror = AdminClient(mirror.client_config() | {"log_level": 0})
    deletion = as_mirror.delete_topics(["orders"])["orders"]

    assert "TOPIC_AUTHORIZATION_FAILED" in refused[0]
    with pytest.raises(KafkaException, match="TOPIC_AUTHORIZATION_FAILED"):
        deletion.result()


def test_drift_is_shown_and_corrected(story: Story) -> None:
    connect = story.connect()
    config = connect.config("east-to-west-source") or {}
    connect.put_config("east-to-west-source", config | {"tasks.max": "1"})
    connect.set_state("east-to-west-heartbeat", ConnectorState.PAUSED)
    connect.delete("east-to-west-checkpoint")
    eventually(
        lambda: getattr(connect.status("east-to-west-heartbeat"), "state", "") == "PAUSED", "paused"
    )

    shown = story.project.pulumi("preview", "--refresh", "--diff")
    story.project.up("--refresh")

    assert "tasks.max" in shown
    assert '"paused" => "running"' in shown
    assert "east-to-west-checkpoint" in shown
    assert (connect.config("east-to-west-source") or {})["tasks.max"] == "2"
    assert connect.config("east-to-west-checkpoint")
    story.project.pulumi("preview", "--refresh", "--expect-no-changes")


def test_after_a_reboot_the_worker_is_drift_and_up_restarts_it(story: Story) -> None:
    kill_worker(story.worker())

    shown = story.project.pulumi("preview", "--refresh", "--diff")
    story.project.up("--refresh")

    assert '"dead" => "running"' in shown
    assert story.worker().supervisor() is not None
    equal_within(story.sandbox, MIRRORED)


def test_a_flow_can_be_stopped_and_resumed(story: Story) -> None:
    groups = [group.name for group in GROUPS]
    for state in ("stopped", "running"):
        mirror = flow(*SEED_TOPICS, groups=groups, checkpoint_seconds=1, state=state)
        story.project.configure(stack(mirror, sandbox="shared"))
        story.project.up()
        states = {getattr(story.connect().status(name), "state", "") for name in CONNECTORS}
        assert states == {state.upper()}


def test_destroy_removes_everything_but_topics_and_the_source(story: Story) -> None:
    story.declare()
    story.project.pulumi("destroy", "--yes", "--skip-preview")

    assert story.worker().process() is None
    assert story.worker().supervisor() is None
    assert not list(story.workers.rglob("*secrets*")), "passwords go with the last worker"
    assert story.acls(Cluster.EAST) == []
    assert story.acls(Cluster.WEST) == []
    assert content(story.sandbox, Cluster.EAST, SEED_TOPICS) == story.before
    assert story.topics(Cluster.EAST) == story.topics_before
    equal_within(story.sandbox, MIRRORED)


def test_the_next_up_adopts_the_topics_and_replicates_nothing_twice(story: Story) -> None:
    story.project.up()

    equal_within(story.sandbox, MIRRORED)


def test_topics_are_deleted_only_with_delete_topics(story: Story) -> None:
    story.declare(**{"delete-topics": True})
    story.project.up()
    story.project.pulumi("destroy", "--yes", "--skip-preview")

    west = admin(story.sandbox, Cluster.WEST)
    eventually(
        lambda: not west.list_topics(timeout=15).topics.keys() & set(MIRRORED.values()),
        "the mirrored topics are gone",
    )
