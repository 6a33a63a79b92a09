"""Every derived ACL is required: removing it alone breaks replication in an observable way.

One stack uses every feature. Each test removes one ACL, creates load, checks what breaks and that
the broker denied exactly this operation, restores the ACL and checks that the stack works again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from mirrorstack.connect.protocol import ConnectorState
from mirrorstack.findings import UserError
from mirrorstack.sandbox.names import Cluster
from mirrorstack.sandbox.sandbox import Sandbox
from tests.integration.acl_stack import (
    CHECKPOINT,
    GROWING,
    HEARTBEAT,
    READERS,
    SETTINGS,
    SOURCE,
    TOPIC,
    WORKERS,
    Stack,
)
from tests.integration.conftest import eventually
from tests.integration.replicated_stack import (
    add_partitions,
    admin,
    deployed,
    ends,
    fill,
    read_to_the_end,
    write,
)

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def everything(
    tmp_path_factory: pytest.TempPathFactory,
    home: Path,
    sandbox: Sandbox,
) -> Iterator[Stack]:
    fill((sandbox, Cluster.EAST), TOPIC, records=10, partitions=1)
    fill((sandbox, Cluster.EAST), GROWING, records=10, partitions=1)
    read_to_the_end((sandbox, Cluster.EAST), READERS, TOPIC)
    with deployed(tmp_path_factory.mktemp("grants"), home, SETTINGS) as (workers, rest_url):
        stack = Stack(sandbox, workers, rest_url)
        stack.heals()
        yield stack


def no_record_is_replicated(stack: Stack) -> None:
    """MirrorMaker does not report it: its task stays RUNNING."""
    eventually(stack.is_refused, "the fetch that was under way has ended")
    before = stack.records()
    stack.work()
    stack.passes(seconds=3)
    assert stack.records() == before
    assert stack.state(SOURCE) == "RUNNING"


def no_record_of_that_topic_is_replicated(stack: Stack) -> None:
    """The records of the task's other topic are."""
    eventually(stack.is_refused, "the fetch that was under way has ended")
    topic, records = f"east.{GROWING}", stack.records()
    before = ends(admin(*stack.west), [topic])
    write(stack.east, GROWING, records=10)
    stack.work()
    eventually(lambda: stack.records() > records, "records of the other topic go on")
    stack.passes(seconds=3)
    assert ends(admin(*stack.west), [topic]) == before
    assert stack.state(SOURCE) == "RUNNING"


def the_source_task_fails(stack: Stack) -> None:
    before = stack.records()
    stack.work()
    eventually(lambda: stack.state(SOURCE) == "FAILED", "the source connector's task has failed")
    assert stack.records() == before


def the_heartbeat_connector_fails(stack: Stack) -> None:
    eventually(lambda: stack.state(HEARTBEAT) == "FAILED", "the heartbeat's task has failed")
    before, group = stack.heartbeats(), stack.group()
    stack.work()
    eventually(lambda: stack.group() > group, "the rest goes on")
    assert stack.heartbeats() == before


def the_group_offset_is_not_synced(stack: Stack) -> None:
    """Records are replicated, but after a failover the group reads them again."""
    group, records = stack.group(), stack.records()
    stack.work()
    eventually(lambda: stack.records() > records, "records go on")
    stack.passes(seconds=4)
    assert stack.group() == group


def the_topic_configs_diverge(stack: Stack) -> None:
    """Records are replicated, but the topic configs silently diverge."""
    before, records = stack.kept(), stack.records()
    stack.keep(before + 1000)
    stack.work()
    eventually(stack.is_refused, "MirrorMaker tries to bring the configs over")
    eventually(lambda: stack.records() > records, "records go on")
    stack.passes(seconds=3)
    assert stack.kept() == before
    assert stack.state(SOURCE) == "RUNNING"


def the_task_waits_for_new_partitions(stack: Stack) -> None:
    """For ever, RUNNING, and with all the other partitions that it has."""
    partitions = len(ends(admin(*stack.west), [f"east.{GROWING}"])) + 1
    add_partitions(stack.east, GROWING, partitions)
    eventually(stack.is_refused, "MirrorMaker tries to add the partition")
    write(stack.east, GROWING, records=100)
    stack.passes(seconds=3)
    before = stack.records()
    stack.work()
    stack.passes(seconds=3)
    assert stack.records() == before
    assert stack.state(SOURCE) == "RUNNING"
    assert len(ends(admin(*stack.west), [f"east.{GROWING}"])) < partitions


def offset_syncs_are_not_read(stack: Stack) -> None:
    eventually(stack.is_refused, "the fetch that was under way has ended")
    the_group_offset_is_not_synced(stack)


def the_group_is_not_listed(stack: Stack) -> None:
    eventually(stack.is_refused, "the group is asked for once more")
    the_group_offset_is_not_synced(stack)


def the_worker_leaves_its_group(stack: Stack) -> None:
    """After its session timeout. Its REST API answers and its tasks run, but nothing rebalances."""
    west = admin(*stack.west)

    def members() -> int:
        return sum(len(each.members) for each in west.list_groups(WORKERS, timeout=15))

    eventually(lambda: members() == 0, "the group has no member")


def a_config_change_has_no_effect(stack: Stack) -> None:
    """Connect rejects the request to pause a connector, or accepts it and does nothing."""
    with suppress(UserError):
        stack.connect.set_state(CHECKPOINT, ConnectorState.PAUSED)
    stack.passes(seconds=3)
    assert stack.state(CHECKPOINT) == "RUNNING"


def connect_stops_answering(stack: Stack) -> None:
    """From its next fetch request; the current one is still authorized."""
    eventually(stack.is_refused, "Connect can no longer read its state")
    a_config_change_has_no_effect(stack)


def no_config_is_stored(stack: Stack) -> None:
    config = stack.connect.config(CHECKPOINT) or {}
    with pytest.raises(UserError):
        stack.connect.put_config(CHECKPOINT, config | {"errors.log.enable": "true"})


def offsets_are_not_read(stack: Stack) -> None:
    """Neither by a starting task nor through the REST API."""
    with pytest.raises(UserError):
        stack.connect.offsets(SOURCE)


Sees = Callable[[Stack], None]
# What breaks without each ACL.
BREAKS: dict[tuple[str, str], Sees] = {
    ("east", f"topic-{TOPIC}-read"): no_record_is_replicated,
    ("east", f"topic-{TOPIC}-describeconfigs"): the_topic_configs_diverge,
    ("east", f"topic-{GROWING}-read"): no_record_of_that_topic_is_replicated,
    ("east", f"topic-{GROWING}-describeconfigs"): the_topic_configs_diverge,
    ("east", f"group-{READERS}-describe"): the_group_is_not_listed,
    ("west", "topic-east.-prefixed-write"): the_source_task_fails,
    ("west", "topic-east.-prefixed-alter"): the_task_waits_for_new_partitions,
    ("west", "topic-east.-prefixed-alterconfigs"): the_topic_configs_diverge,
    ("west", "topic-east.-prefixed-read"): the_group_offset_is_not_synced,
    ("west", f"group-{READERS}-read"): the_group_offset_is_not_synced,
    ("west", "topic-mm2-offset-syncs.east.internal-write"): the_group_offset_is_not_synced,
    ("west", "topic-mm2-offset-syncs.east.internal-read"): offset_syncs_are_not_read,
    ("west", "topic-heartbeats-write"): the_heartbeat_connector_fails,
    ("west", f"transactionalid-{WORKERS}--prefixed-write"): the_source_task_fails,
    ("west", f"transactionalid-connect-cluster-{WORKERS}-write"): no_config_is_stored,
    ("west", f"topic-{WORKERS}-offsets-write"): the_source_task_fails,
    ("west", f"topic-{WORKERS}-offsets-read"): offsets_are_not_read,
    ("west", f"topic-{WORKERS}-configs-write"): a_config_change_has_no_effect,
    ("west", f"topic-{WORKERS}-configs-read"): connect_stops_answering,
    ("west", f"topic-{WORKERS}-status-write"): a_config_change_has_no_effect,
    ("west", f"topic-{WORKERS}-status-read"): connect_stops_answering,
    ("west", f"group-{WORKERS}-read"): the_worker_leaves_its_group,
}


def test_there_is_a_test_for_each_acl(everything: Stack) -> None:
    assert everything.grants.keys() == BREAKS.keys()


# The successor of list_groups lists consumer groups only.
@pytest.mark.filterwarnings("ignore:list_groups")
@pytest.mark.parametrize(("cluster", "label"), BREAKS)
def test_without_this_acl_replication_breaks(everything: Stack, cluster: str, label: str) -> None:
    breaks = BREAKS[cluster, label]

    try:
        with everything.without(everything.grants[cluster, label]):
            breaks(everything)
    finally:
        everything.heals(restart=breaks is the_worker_leaves_its_group)
