"""Every derived grant is needed: without it, and it alone, something breaks that one would miss.

One stack with everything on. Each test takes one grant away, makes work, sees what breaks and that
the broker refused exactly this, gives the grant back and sees the stack work again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from confluent_kafka.admin import AclBinding, AclBindingFilter

from mirrorstack.connect import credentials
from mirrorstack.connect.client import ConnectClient, Patience
from mirrorstack.connect.protocol import State
from mirrorstack.model.grants import Grant, Operation, Resource
from mirrorstack.problem import Problem
from mirrorstack.sandbox.names import Cluster
from mirrorstack.sandbox.runtime import KafkaRuntime
from mirrorstack.sandbox.sandbox import Sandbox
from mirrorstack.workers.local import LocalWorker, credentials_file
from tests.integration.conftest import eventually
from tests.integration.mirroring import (
    MIRROR,
    acl,
    admin,
    committed,
    content,
    derived_grants,
    ends,
    fill,
    flow,
    mirroring_project,
    read_to_the_end,
    stack,
    write,
)

pytestmark = pytest.mark.slow

TOPIC, REMOTE, READERS, WORKERS = "granted", "east.granted", "granted-readers", "granting"
SOURCE, CHECKPOINT, HEARTBEAT = (
    f"east-to-west-{kind}" for kind in ("source", "checkpoint", "heartbeat")
)
SETTINGS = stack(
    flow(TOPIC, groups=[READERS], checkpoint_seconds=1, tasks=1),
    sandbox="shared",
    workers={"west": {"group": WORKERS}},
    **{"delete-topics": True},
)
DENIED = re.compile(rf"{MIRROR} is Denied operation = (\w+) .* on resource = (\w+):LITERAL:(\S+) ")


class Stack:
    """The deployed stack: the work that tests make, and what they see of it."""

    def __init__(
        self, sandbox: Sandbox, runtime: KafkaRuntime, workers: Path, rest_url: str
    ) -> None:
        self.sandbox = sandbox
        self.runtime = runtime
        self.east, self.west = (sandbox, Cluster.EAST), (sandbox, Cluster.WEST)
        self.worker = LocalWorker(workers / "1")
        self.connect = ConnectClient(
            rest_url,
            credentials.load(credentials_file(workers)),
            timeout=5,
            patience=Patience(seconds=0),
        )
        self.is_refused: Callable[[], bool] = lambda: False
        self.grants = {(each.cluster, each.label): each for each in derived_grants(SETTINGS)}

    def work(self) -> None:
        """A record is written on the source, and the group reads it there."""
        write(self.east, TOPIC)
        read_to_the_end(self.east, READERS, TOPIC)

    def records(self) -> int:
        return len(content(*self.west, [REMOTE])[REMOTE, 0])

    def group(self) -> int:
        """Where the group would go on at the target."""
        return committed(self.west, READERS).get((REMOTE, 0), -1)

    def heartbeats(self) -> int:
        return ends(admin(*self.west), ["heartbeats"])["heartbeats", 0]

    def state(self, connector: str) -> str:
        """In Connect's words; FAILED when only a task has."""
        with suppress(Problem):
            status = self.connect.status(connector)
            return "FAILED" if status and status.has_failed else getattr(status, "state", "")
        return ""

    def passes(self, seconds: int) -> None:
        """Time passes, told by the heartbeats that arrive once a second: the rest is alive."""
        before = self.heartbeats()
        # Each has a transaction of its own, and so a marker beside it.
        eventually(lambda: self.heartbeats() >= before + 2 * seconds, "heartbeats go on")

    @contextmanager
    def without(self, grant: Grant) -> Iterator[None]:
        """Takes one grant away; of reading and writing it leaves DESCRIBE, which they imply.

        The broker must have refused exactly this before it is given back.
        """
        client = admin(*(self.east if grant.cluster == "east" else self.west))
        log = self.sandbox.layout.logs / f"{grant.cluster}-1.log"
        before = len(log.read_bytes())
        self.is_refused = lambda: _refuses(log.read_bytes()[before:].decode(), grant)
        less = acl(replace(grant, operation=Operation.DESCRIBE))
        if grant.operation is not Operation.DESCRIBE:
            _done(client.create_acls([less]))
        _done(client.delete_acls([_only(acl(grant))]))
        try:
            yield
            eventually(self.is_refused, f"the broker refuses {grant.sentence}")
        finally:
            _done(client.delete_acls([_only(less)]))
            _done(client.create_acls([acl(grant)]))

    def heals(self, *, restart: bool = False) -> None:
        """With all grants back, records, groups and heartbeats move again."""
        if restart:
            if process := self.worker.process():
                process.kill()
            eventually(lambda: self.worker.process() is None, "the worker is gone")
            self.worker.start(self.runtime, heap_mb=512)
        eventually(self._resumes, "Connect takes orders again", within=60)
        west, records, heartbeats = admin(*self.west), self.records(), self.heartbeats()
        self.work()

        def moves() -> bool:
            for connector in (SOURCE, CHECKPOINT, HEARTBEAT):
                if self.state(connector) == "FAILED":
                    with suppress(Problem):
                        self.connect.restart_failed(connector)
            # The group is behind the last record; after that is only its transaction's marker.
            return (
                self.heartbeats() > heartbeats
                and self.records() > records
                and self.group() == ends(west, [REMOTE])[REMOTE, 0] - 1
            )

        eventually(moves, "everything moves again", within=60)

    def _resumes(self) -> bool:
        try:
            for connector in (SOURCE, CHECKPOINT, HEARTBEAT):
                self.connect.set_state(connector, State.RUNNING)
                self.connect.restart_failed(connector)
        except Problem:
            return False
        return True


def _done(asked: Mapping[Any, Future[Any]]) -> None:
    for each in asked.values():
        each.result()


def _only(binding: AclBinding) -> AclBindingFilter:
    return AclBindingFilter(
        binding.restype,
        binding.name,
        binding.resource_pattern_type,
        binding.principal,
        binding.host,
        binding.operation,
        binding.permission_type,
    )


def _refuses(log: str, grant: Grant) -> bool:
    """Whether a broker's log has a refusal of what the grant would have allowed."""
    return any(
        operation == grant.operation.upper()
        and kind.upper() == grant.resource.type.upper()
        and grant.resource.covers(Resource(grant.resource.type, name))
        for operation, kind, name in DENIED.findall(log)
    )


@pytest.fixture(scope="module")
def deployed(
    tmp_path_factory: pytest.TempPathFactory, home: Path, sandbox: Sandbox, runtime: KafkaRuntime
) -> Iterator[Stack]:
    fill((sandbox, Cluster.EAST), TOPIC, records=10, partitions=1)
    read_to_the_end((sandbox, Cluster.EAST), READERS, TOPIC)
    project = mirroring_project(tmp_path_factory.mktemp("grants"), home)
    project.configure(SETTINGS)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MIRRORSTACK_HOME", str(home))
        try:
            project.up()
            outputs = json.loads(project.pulumi("stack", "output", "--json"))
            workers = home / "workers" / "dev" / "west"
            deployed = Stack(sandbox, runtime, workers, outputs["connect"]["west"])
            deployed.heals()
            yield deployed
        finally:
            project.pulumi("destroy", "--yes", "--skip-preview")


def no_record_arrives(stack: Stack) -> None:
    """MirrorMaker says nothing of it: its task stays RUNNING."""
    eventually(stack.is_refused, "the fetch that was under way has ended")
    before = stack.records()
    stack.work()
    stack.passes(seconds=3)
    assert stack.records() == before
    assert stack.state(SOURCE) == "RUNNING"


def the_source_task_fails(stack: Stack) -> None:
    before = stack.records()
    stack.work()
    eventually(lambda: stack.state(SOURCE) == "FAILED", "the source connector's task has failed")
    assert stack.records() == before


def the_heartbeat_fails(stack: Stack) -> None:
    eventually(lambda: stack.state(HEARTBEAT) == "FAILED", "the heartbeat's task has failed")
    before, group = stack.heartbeats(), stack.group()
    stack.work()
    eventually(lambda: stack.group() > group, "the rest goes on")
    assert stack.heartbeats() == before


def the_group_stays_where_it_was(stack: Stack) -> None:
    """Records arrive, and whoever fails over reads them twice."""
    group, records = stack.group(), stack.records()
    stack.work()
    eventually(lambda: stack.records() > records, "records go on")
    stack.passes(seconds=4)
    assert stack.group() == group


def the_group_is_no_longer_seen(stack: Stack) -> None:
    eventually(stack.is_refused, "the group is asked for once more")
    the_group_stays_where_it_was(stack)


def the_worker_is_put_out_of_its_group(stack: Stack) -> None:
    """Once its session is over. It still answers, and does what it did; nobody takes over."""
    west = admin(*stack.west)

    def members() -> int:
        return sum(len(each.members) for each in west.list_groups(WORKERS, timeout=15))

    eventually(lambda: members() == 0, "the group has no member")


def an_order_has_no_effect(stack: Stack) -> None:
    """Connect refuses to pause a connector, or takes the order and does nothing."""
    with suppress(Problem):
        stack.connect.set_state(CHECKPOINT, State.PAUSED)
    stack.passes(seconds=3)
    assert stack.state(CHECKPOINT) == "RUNNING"


def connect_goes_deaf(stack: Stack) -> None:
    """From its next fetch on: the one under way was allowed."""
    eventually(stack.is_refused, "Connect can no longer read its state")
    an_order_has_no_effect(stack)


def no_config_is_taken(stack: Stack) -> None:
    config = stack.connect.config(CHECKPOINT) or {}
    with pytest.raises(Problem):
        stack.connect.put_config(CHECKPOINT, config | {"errors.log.enable": "true"})


def offsets_are_not_found(stack: Stack) -> None:
    """Neither by a task that starts nor by who asks Connect."""
    with pytest.raises(Problem):
        stack.connect.offsets(SOURCE)


Sees = Callable[[Stack], None]
# What the absence of each grant breaks.
BREAKS: dict[tuple[str, str], Sees] = {
    ("east", f"topic-{TOPIC}-read"): no_record_arrives,
    ("east", f"group-{READERS}-describe"): the_group_is_no_longer_seen,
    ("west", "topic-east.-prefixed-write"): the_source_task_fails,
    ("west", "topic-east.-prefixed-read"): the_group_stays_where_it_was,
    ("west", f"group-{READERS}-read"): the_group_stays_where_it_was,
    ("west", "topic-mm2-offset-syncs.east.internal-write"): the_group_stays_where_it_was,
    ("west", "topic-mm2-offset-syncs.east.internal-read"): the_group_stays_where_it_was,
    ("west", "topic-heartbeats-write"): the_heartbeat_fails,
    ("west", f"transactionalid-{WORKERS}--prefixed-write"): the_source_task_fails,
    ("west", f"transactionalid-connect-cluster-{WORKERS}-write"): no_config_is_taken,
    ("west", f"topic-{WORKERS}-offsets-write"): the_source_task_fails,
    ("west", f"topic-{WORKERS}-offsets-read"): offsets_are_not_found,
    ("west", f"topic-{WORKERS}-configs-write"): an_order_has_no_effect,
    ("west", f"topic-{WORKERS}-configs-read"): connect_goes_deaf,
    ("west", f"topic-{WORKERS}-status-write"): an_order_has_no_effect,
    ("west", f"topic-{WORKERS}-status-read"): connect_goes_deaf,
    ("west", f"group-{WORKERS}-read"): the_worker_is_put_out_of_its_group,
}


def test_there_is_a_test_for_each_grant(deployed: Stack) -> None:
    assert deployed.grants.keys() == BREAKS.keys()


# The successor of list_groups knows consumers' groups only.
@pytest.mark.filterwarnings("ignore:list_groups")
@pytest.mark.parametrize(("cluster", "label"), BREAKS)
def test_without_this_grant_something_breaks(deployed: Stack, cluster: str, label: str) -> None:
    breaks = BREAKS[cluster, label]

    try:
        with deployed.without(deployed.grants[cluster, label]):
            breaks(deployed)
    finally:
        deployed.heals(restart=breaks is the_worker_is_put_out_of_its_group)
