"""Load and failures for a deployed flow, determined by a seed."""

from __future__ import annotations

import os
import random
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from confluent_kafka import Producer
from confluent_kafka.admin import NewTopic

from mirrorstack.connect import credentials
from mirrorstack.connect.client import ConnectClient, RetryPolicy
from mirrorstack.connect.protocol import ConnectorState
from mirrorstack.findings import UserError
from mirrorstack.local.kafka_installation import KafkaInstallation
from mirrorstack.runtimes.local_worker import LocalWorker, credentials_file
from mirrorstack.sandbox.names import Cluster, Principal
from mirrorstack.sandbox.sandbox import Sandbox
from tests.integration.conftest import eventually
from tests.integration.killed_workers import kill_worker
from tests.integration.replicated_stack import admin, committed, flow, read_to_the_end, stack

LOG, TRANSACTIONS, TABLE = TOPICS = "soak-log", "soak-transactions", "soak-table"
READERS, WORKERS = "soak-readers", "soaking"
PARTITIONS = {LOG: 4, TRANSACTIONS: 2, TABLE: 2}
CONNECTOR = "east-to-west-source"
SETTINGS = stack(
    flow(*TOPICS, groups=[READERS], checkpoint_seconds=1, tasks=3),
    sandbox="shared",
    workers={"west": {"group": WORKERS, "count": 2}},
    **{"delete-topics": True},
)


def make_topics(sandbox: Sandbox) -> None:
    new = [
        NewTopic(topic, count, config={"cleanup.policy": "compact"} if topic == TABLE else {})
        for topic, count in PARTITIONS.items()
    ]
    for each in admin(sandbox, Cluster.EAST).create_topics(new).values():
        each.result(15)


@dataclass(frozen=True)
class Soak:
    """A deployed flow, with load on its source and failures."""

    sandbox: Sandbox
    runtime: KafkaInstallation
    group: Path
    """The directory of its workers."""
    rest_url: str

    def round(self, seed: str) -> str:
        """Writes records during a failure; returns which one."""
        chance = random.Random(seed)  # noqa: S311 - nothing is kept secret with it
        mishap: Callable[[random.Random], None] = chance.choice(
            [
                self.a_worker_is_killed,
                self.all_workers_are_killed,
                self.a_worker_leaves_and_comes_back,
                self.the_connector_pauses,
                self.the_connector_gives_up_its_tasks,
                self.the_target_dies_and_comes_back,
            ]
        )
        with self._writing(chance.getrandbits(32)):
            mishap(chance)
        # The group's offset must be one that MirrorMaker can translate.
        read_to_the_end((self.sandbox, Cluster.EAST), READERS, LOG)
        return mishap.__name__.replace("_", " ")

    def a_worker_is_killed(self, chance: random.Random) -> None:
        kill_worker(chance.choice(self._workers))
        self._bring_back()

    def all_workers_are_killed(self, _chance: random.Random) -> None:
        for worker in self._workers:
            kill_worker(worker)
        self._bring_back()

    def a_worker_leaves_and_comes_back(self, chance: random.Random) -> None:
        """Tasks move to the other worker and back."""
        chance.choice(self._workers).stop()
        self._bring_back()

    def the_connector_pauses(self, _chance: random.Random) -> None:
        self._set(ConnectorState.PAUSED)
        self._set(ConnectorState.RUNNING)

    def the_connector_gives_up_its_tasks(self, _chance: random.Random) -> None:
        self._set(ConnectorState.STOPPED)
        self._set(ConnectorState.RUNNING)

    def the_target_dies_and_comes_back(self, _chance: random.Random) -> None:
        """The broker aborts transactions that were in flight."""
        for node in self.sandbox.status().nodes:
            if node.cluster is Cluster.WEST and node.pid:
                os.kill(node.pid, signal.SIGKILL)
        eventually(lambda: self.sandbox.status().crashed, "the broker is gone")
        self.sandbox.up(self.runtime)
        # A client that has cached the old coordinator would wait for it.
        admin.cache_clear()

        def runs() -> bool:
            with suppress(UserError):
                self._connect.restart_failed(CONNECTOR)  # as whoever is on call would
            return self._is(ConnectorState.RUNNING)

        eventually(runs, "the mirror runs again", within=180)

    @property
    def _workers(self) -> list[LocalWorker]:
        return [LocalWorker(self.group / name) for name in ("1", "2")]

    def _bring_back(self) -> None:
        for worker in self._workers:
            if worker.process() is None:
                worker.start()  # a supervisor's pauses would grow from round to round
        eventually(lambda: self._is(ConnectorState.RUNNING), "the mirror runs again", within=180)

    def _set(self, state: ConnectorState) -> None:
        def done() -> bool:
            with suppress(UserError):
                self._connect.set_state(CONNECTOR, state)
            return self._is(state)

        eventually(done, f"{CONNECTOR} is {state}", within=180)

    def _is(self, state: ConnectorState) -> bool:
        with suppress(UserError):
            status = self._connect.status(CONNECTOR)
            if status is None:
                return False
            # The tasks of a lost worker are unassigned until Connect rebalances.
            states = {status.state, *(task.state for task in status.tasks)}
            return states == {state.upper()}
        return False

    @property
    def _connect(self) -> ConnectClient:
        held = credentials.load(credentials_file(self.group))
        return ConnectClient(self.rest_url, held, timeout=5, retries=RetryPolicy(seconds=0))

    @contextmanager
    def _writing(self, seed: int) -> Iterator[None]:
        """At least a few hundred records, until the failure is over."""
        ended = threading.Event()
        failed: list[BaseException] = []

        def write() -> None:
            try:
                Writer(self.sandbox, seed).write(ended)
            except BaseException as error:
                failed.append(error)

        thread = threading.Thread(target=write)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()
        if failed:
            raise failed[0]

    def has_translated(self) -> bool:
        """Whether the group has checkpoints on the target."""
        here = committed((self.sandbox, Cluster.EAST), READERS)
        there = committed((self.sandbox, Cluster.WEST), READERS)
        return {number for _, number in here} == {number for _, number in there}


class Writer:
    """Records of every kind; transactions are committed or aborted."""

    def __init__(self, sandbox: Sandbox, seed: int) -> None:
        self._chance = random.Random(seed)  # noqa: S311
        config = sandbox.connection(Cluster.EAST, Principal.ADMIN).client_config()
        plain = config | {"enable.idempotence": True, "log_level": 0, "linger.ms": 5}
        self._plain = Producer(plain)
        self._within = Producer(plain | {"transactional.id": f"soak-{seed}"})
        self._within.init_transactions(60)

    def write(self, ended: threading.Event) -> None:
        turns = 0
        while turns < 20 or not ended.is_set():
            turns += 1
            for _ in range(self._chance.randint(1, 40)):
                self._produce(self._plain, LOG)
                self._produce(self._plain, TABLE)
            self._plain.flush(60)
            self._transaction()
            ended.wait(0.02)

    def _transaction(self) -> None:
        self._within.begin_transaction()
        for _ in range(self._chance.randint(0, 20)):
            self._produce(self._within, TRANSACTIONS)
        if self._chance.random() < 0.3:
            self._within.abort_transaction(60)
        else:
            self._within.commit_transaction(60)

    def _produce(self, producer: Producer, topic: str) -> None:
        chance = self._chance
        key = f"{chance.randrange(300)}".encode()
        headers: list[tuple[str, str | bytes | None]] = [
            ("trace", chance.randbytes(8)),
            ("none", None),
        ]
        value = chance.randbytes(chance.choice((0, 10, 100, 5_000)))
        producer.produce(
            topic,
            None if chance.random() < 0.05 else value,
            key=None if topic == LOG and chance.random() < 0.1 else key,
            headers=headers[: chance.randrange(3)],
            # A key of a compacted topic stays in its partition.
            partition=int(key) % PARTITIONS[topic],
        )
        producer.poll(0)
