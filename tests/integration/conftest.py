"""One real sandbox for all integration tests of a process, and shared helpers."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import pytest
from confluent_kafka import Consumer, KafkaException, Message, TopicPartition
from confluent_kafka.admin import (
    AclBindingFilter,
    AclOperation,
    AclPermissionType,
    AdminClient,
    NewTopic,
    OffsetSpec,
    ResourcePatternType,
    ResourceType,
)

from mirrorstack.console import Console
from mirrorstack.kafka.connection import Connection
from mirrorstack.local.kafka_installation import KafkaInstallation
from mirrorstack.runtimes.installed import installed_kafka
from mirrorstack.runtimes.local_worker import all_below
from mirrorstack.sandbox.names import Cluster, Principal
from mirrorstack.sandbox.sandbox import Sandbox, all_names
from mirrorstack.sandbox.seed_plan import SeedPlan
from mirrorstack.sandbox.seed_topics import PAYMENTS
from mirrorstack.sandbox.seeder import Seeder, SeedState, load, save
from mirrorstack.sandbox.settings import SandboxOptions

ANY_PORTS = SandboxOptions(east_port=0, west_port=0)
MIRRORSTACK = (sys.executable, "-c", "from mirrorstack.cli.entry import main; main()")
ACLS_OF_MIRROR = AclBindingFilter(
    ResourceType.ANY, None, ResourcePatternType.ANY, "User:mirror", None,  # type: ignore[arg-type]
    AclOperation.ANY, AclPermissionType.ANY,
)  # fmt: skip
Seen = TypeVar("Seen")


@pytest.fixture(scope="session")
def runtime() -> KafkaInstallation:
    """Java and the Kafka jars. If they are missing, the tests fail; they never skip."""
    return installed_kafka()


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A home directory for the tests. Everything that still runs in it is stopped at the end."""
    directory = tmp_path_factory.mktemp("mirrorstack").resolve()
    yield directory
    for worker in all_below(directory):
        worker.stop()
    for name in all_names(directory):
        Sandbox(name, home_directory=directory).down(delete=True)


@pytest.fixture(scope="session")
def sandbox(home: Path, runtime: KafkaInstallation) -> Sandbox:
    """The sandbox that the integration tests of a process share. A test that breaks it must
    restore it."""
    shared = Sandbox("shared", home_directory=home)
    shared.up(runtime, ANY_PORTS)
    return shared


@pytest.fixture(scope="module", autouse=True)
def no_acls_for_the_next_module(home: Path) -> Iterator[None]:
    """What a failed test leaves: a stack of the next module would be refused."""
    yield
    for name in all_names(home):
        sandbox = Sandbox(name, home_directory=home)
        if sandbox.status().running:
            delete_acls(sandbox)


def delete_acls(sandbox: Sandbox) -> None:
    """Those of the mirroring principal, on both clusters."""
    for cluster in Cluster:
        config = sandbox.connection(cluster, Principal.ADMIN).client_config()
        admin = AdminClient(config | {"log_level": 0})
        with suppress(KafkaException):  # the brokers have no authorizer
            for deleted in admin.delete_acls([ACLS_OF_MIRROR]).values():
                deleted.result(15)


class CommandLine:
    """Runs `mirrorstack ...` as a separate process."""

    def __init__(self, home: Path) -> None:
        self._environment = os.environ | {"MIRRORSTACK_HOME": str(home)}

    def __call__(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            (*MIRRORSTACK, *arguments),
            env=self._environment,
            capture_output=True,
            text=True,
            timeout=180,
            check=False,
        )

    def start(self, *arguments: str, own_session: bool = False) -> subprocess.Popen[str]:
        return subprocess.Popen(
            (*MIRRORSTACK, *arguments),
            start_new_session=own_session,
            # Background jobs of a shell ignore SIGINT, and child processes inherit that.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
            env=self._environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )


@pytest.fixture(scope="session")
def mirrorstack(home: Path) -> CommandLine:
    return CommandLine(home)


@pytest.fixture(scope="session")
def seeded(sandbox: Sandbox, mirrorstack: CommandLine) -> Sandbox:
    """The shared sandbox with the whole seed on east, written after a first attempt was killed
    during its transactions."""
    config = sandbox.connection(Cluster.EAST, Principal.APP).client_config()
    app = AdminClient(config | {"log_level": 0})
    latest = OffsetSpec.latest()  # type: ignore[no-untyped-call]

    def transactions_began() -> bool:
        try:
            found = app.list_offsets({TopicPartition(PAYMENTS, 0): latest}).values()
            return any(each.result(15).offset > 0 for each in found)
        except KafkaException:  # the topic does not exist yet
            return False

    # The file claims that the seed is complete, as after the clusters were emptied by other means:
    # what the broker holds takes precedence.
    save(sandbox.layout, SeedState(seed=42, scale=10, finished=True, topic_ids={"orders": "gone"}))
    with mirrorstack.start("sandbox", "seed", "--name", "shared", "--scale", "10") as process:
        eventually(transactions_began, "payments are being written", within=120)
        process.send_signal(signal.SIGKILL)
    state = load(sandbox.layout)
    assert state is not None
    assert not state.finished, "the first attempt was to be interrupted"
    assert not Seeder(sandbox, Console()).seed(SeedPlan()).already
    return sandbox


def eventually(look: Callable[[], Seen], what: str, *, within: float = 30.0) -> Seen:
    """Poll until the result is true; fail with `what` after the deadline."""
    deadline = time.monotonic() + within
    while time.monotonic() < deadline:
        if seen := look():
            return seen
        time.sleep(0.02)
    raise AssertionError(f"not within {within:.0f} s: {what}")


def create_topic(connection: Connection, topic: str) -> None:
    # Keep a reference: a client that is garbage-collected cancels its requests.
    admin = AdminClient(connection.client_config() | {"log_level": 0})
    admin.create_topics([NewTopic(topic, 1)])[topic].result(15)


def read(connection: Connection, ends: dict[tuple[str, int], int]) -> list[Message]:
    """Every committed record of the partitions, from offset 0 up to the given end offsets."""
    consumer = Consumer(
        connection.client_config()
        | {
            "group.id": "tests-that-read",
            "isolation.level": "read_committed",
            "enable.auto.commit": False,
            "enable.partition.eof": False,
            "auto.offset.reset": "error",
            "fetch.queue.backoff.ms": 10,
        }
    )
    partitions = [TopicPartition(topic, number, 0) for (topic, number), end in ends.items() if end]
    messages: list[Message] = []
    try:
        consumer.assign(partitions)

        def done() -> bool:
            for message in consumer.consume(num_messages=5000, timeout=0.2):
                assert not message.error(), message.error()
                topic, number, offset = message.topic(), message.partition(), message.offset()
                assert topic is not None
                assert number is not None
                assert offset is not None
                if offset < ends[topic, number]:
                    messages.append(message)
            # Positions also advance over transaction markers, which are never delivered.
            positions = {(p.topic, p.partition): p.offset for p in consumer.position(partitions)}
            return all(positions[place] >= end for place, end in ends.items() if end)

        eventually(done, f"reading {sum(ends.values())} offsets", within=60)
    finally:
        consumer.close()
    return messages
