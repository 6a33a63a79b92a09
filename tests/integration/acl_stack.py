"""A stack that uses every feature, for tests that remove its ACLs one at a time."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from mirrorstack.connect import credentials
from mirrorstack.connect.client import ConnectClient, RetryPolicy
from mirrorstack.connect.protocol import ConnectorState
from mirrorstack.findings import UserError
from mirrorstack.kafka.acls import Acl, Operation, ResourcePattern
from mirrorstack.runtimes.local_worker import LocalWorker, credentials_file
from mirrorstack.runtimes.worker_java import launch
from mirrorstack.sandbox.names import Cluster
from mirrorstack.sandbox.sandbox import Sandbox
from tests.integration.conftest import eventually
from tests.integration.killed_workers import kill_supervisor, kill_worker
from tests.integration.replicated_stack import (
    MIRROR,
    acl,
    admin,
    committed,
    configs,
    content,
    derived_grants,
    ends,
    exactly,
    flow,
    read_to_the_end,
    set_configs,
    stack,
    write,
)

TOPIC, REMOTE, READERS, WORKERS = "granted", "east.granted", "granted-readers", "granting"
GROWING = "granted-growing"
WEEK_MS = 7 * 24 * 3600 * 1000
SOURCE, CHECKPOINT, HEARTBEAT = (
    f"east-to-west-{kind}" for kind in ("source", "checkpoint", "heartbeat")
)
SETTINGS = stack(
    flow(
        TOPIC,
        GROWING,
        groups=[READERS],
        checkpoint_seconds=1,
        discovery_seconds=1,
        tasks=1,
        sync_configs=["retention.ms"],
        override={"source": {"sync.topic.configs.interval.seconds": 1}},
    ),
    sandbox="shared",
    workers={"west": {"group": WORKERS}},
    **{"delete-topics": True},
)
DENIED = re.compile(rf"{MIRROR} is Denied operation = (\w+) .* on resource = (\w+):LITERAL:(\S+) ")


class Stack:
    """The deployed stack: load that tests create, and what they observe."""

    def __init__(self, sandbox: Sandbox, workers: Path, rest_url: str) -> None:
        self.sandbox = sandbox
        self.east, self.west = (sandbox, Cluster.EAST), (sandbox, Cluster.WEST)
        self.worker = LocalWorker(workers / "1")
        # The tests observe what MirrorMaker does by itself.
        kill_supervisor(self.worker)
        self.connect = ConnectClient(
            rest_url,
            credentials.load(credentials_file(workers)),
            timeout=5,
            retries=RetryPolicy(seconds=0),
        )
        self.is_refused: Callable[[], bool] = lambda: False
        self.grants = {(each.cluster, each.label): each for each in derived_grants(SETTINGS)}

    def work(self) -> None:
        """Write a record to the source and let the group consume it there."""
        write(self.east, TOPIC)
        read_to_the_end(self.east, READERS, TOPIC)

    def records(self) -> int:
        return len(content(*self.west, [REMOTE])[REMOTE, 0])

    def group(self) -> int:
        """The committed offset of the group on the target."""
        return committed(self.west, READERS).get((REMOTE, 0), -1)

    def heartbeats(self) -> int:
        return ends(admin(*self.west), ["heartbeats"])["heartbeats", 0]

    def keep(self, retention: int) -> None:
        """Set retention.ms on the source."""
        set_configs(self.east, TOPIC, {"retention.ms": str(retention)})

    def kept(self) -> int:
        """retention.ms on the target."""
        return int(configs(self.west, REMOTE)["retention.ms"])

    def state(self, connector: str) -> str:
        """The state in Connect's terms; FAILED if a task has failed."""
        with suppress(UserError):
            status = self.connect.status(connector)
            return "FAILED" if status and status.has_failed else getattr(status, "state", "")
        return ""

    def passes(self, seconds: int) -> None:
        """Wait for as many seconds of heartbeats, which shows that the rest still works."""
        before = self.heartbeats()
        # Each heartbeat has its own transaction, and so a marker.
        eventually(lambda: self.heartbeats() >= before + 2 * seconds, "heartbeats continue")

    @contextmanager
    def without(self, grant: Acl) -> Iterator[None]:
        """Removes one ACL; for Read and Write it leaves Describe, which they imply.

        The broker must have denied exactly this operation before the ACL is restored.
        """
        client = admin(*(self.east if grant.cluster == "east" else self.west))
        log = self.sandbox.layout.logs / f"{grant.cluster}-1.log"
        before = len(log.read_bytes())
        self.is_refused = lambda: _refuses(log.read_bytes()[before:].decode(), grant)
        less = acl(replace(grant, operation=Operation.DESCRIBE))
        if grant.operation is not Operation.DESCRIBE:
            _done(client.create_acls([less]))
        _done(client.delete_acls([exactly(acl(grant))]))
        try:
            yield
            eventually(self.is_refused, f"the broker refuses {grant.description}")
        finally:
            _done(client.delete_acls([exactly(less)]))
            _done(client.create_acls([acl(grant)]))

    def heals(self, *, restart: bool = False) -> None:
        """With all ACLs restored, records, groups, configs and heartbeats are replicated again."""
        if restart:
            kill_worker(self.worker)
            launch(self.worker.directory)
        eventually(self._resumes, "Connect accepts requests again", within=60)
        west, records, heartbeats = admin(*self.west), self.records(), self.heartbeats()
        self.work()
        # The sandbox retains records for ever, which is -1. A short retention would delete them.
        retention = max(self.kept(), WEEK_MS) + 1000
        self.keep(retention)

        def moves() -> bool:
            for connector in (SOURCE, CHECKPOINT, HEARTBEAT):
                if self.state(connector) == "FAILED":
                    with suppress(UserError):
                        self.connect.restart_failed(connector)
            # The group is at the last record; only the transaction marker follows it.
            return (
                self.heartbeats() > heartbeats
                and self.records() > records
                and self.kept() == retention
                and self.group() == ends(west, [REMOTE])[REMOTE, 0] - 1
            )

        eventually(moves, "everything is replicated again", within=60)

    def _resumes(self) -> bool:
        try:
            for connector in (SOURCE, CHECKPOINT, HEARTBEAT):
                self.connect.set_state(connector, ConnectorState.RUNNING)
                self.connect.restart_failed(connector)
        except UserError:
            return False
        return True


def _done(asked: Mapping[Any, Future[Any]]) -> None:
    for each in asked.values():
        each.result()


def _refuses(log: str, grant: Acl) -> bool:
    """Whether a broker's log shows that the operation of the ACL was denied."""
    return any(
        operation.replace("_", "") == grant.operation.upper()
        and kind.upper() == grant.resource.type.upper()
        and grant.resource.covers(ResourcePattern(grant.resource.type, name))
        for operation, kind, name in DENIED.findall(log)
    )
