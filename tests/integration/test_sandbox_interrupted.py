"""A second sandbox: its start interrupted, then stopped, broken, reset and deleted."""

from __future__ import annotations

import signal
import uuid
from collections.abc import Callable
from pathlib import Path

import pytest
from confluent_kafka.admin import AdminClient

from mirrorstack.console import Console
from mirrorstack.findings import UserError
from mirrorstack.local.kafka_installation import KafkaInstallation
from mirrorstack.sandbox import passwords, settings
from mirrorstack.sandbox.names import Cluster, Principal
from mirrorstack.sandbox.ports import pick_base_port
from mirrorstack.sandbox.processes import node_processes
from mirrorstack.sandbox.sandbox import Sandbox
from mirrorstack.sandbox.seed_plan import SeedPlan
from mirrorstack.sandbox.seeder import Seeder
from mirrorstack.sandbox.settings import SandboxOptions
from mirrorstack.sandbox.status import NodeState
from tests.integration.conftest import ANY_PORTS, CommandLine, create_topic, eventually

UP = ("sandbox", "up", "--name", "second", "--east-port", "0", "--west-port", "0")


def kill_up_when(reached: Callable[[], bool], mirrorstack: CommandLine) -> None:
    """Start `up` and kill it with SIGKILL as soon as the condition is true."""
    with mirrorstack.start(*UP) as process:
        eventually(lambda: reached() or process.poll() is not None, "up reaches the condition")
        assert process.poll() is None, "up ended before it could be interrupted"
        process.send_signal(signal.SIGKILL)


@pytest.fixture(scope="module")
def second(home: Path, runtime: KafkaInstallation, mirrorstack: CommandLine) -> Sandbox:
    """A sandbox whose `up` was killed at three points."""
    sandbox = Sandbox("second", home_directory=home)
    layout = sandbox.layout

    def any_process(*, formatting: bool) -> bool:
        return any(node.is_formatting is formatting for node in node_processes(layout.directory))

    kill_up_when(layout.passwords.exists, mirrorstack)
    kill_up_when(lambda: any_process(formatting=True), mirrorstack)
    kill_up_when(lambda: any_process(formatting=False), mirrorstack)
    return sandbox


def topics(sandbox: Sandbox) -> set[str]:
    app = sandbox.connection(Cluster.EAST, Principal.APP)
    return set(AdminClient(app.client_config()).list_topics(timeout=15).topics)


def test_up_after_three_interruptions_starts_one_process_per_node(
    second: Sandbox, runtime: KafkaInstallation
) -> None:
    found_before = {node.pid for node in node_processes(second.layout.directory)}
    outcome = second.up(runtime, ANY_PORTS)
    assert {node.state for node in outcome.status.nodes} == {NodeState.RUNNING}
    running = {node.pid for node in node_processes(second.layout.directory)}
    assert running == {node.pid for node in outcome.status.nodes}
    assert len(running) == 2
    assert running & found_before, "a broker that the killed `up` had started is kept"


def test_two_sandboxes_have_different_clusters_and_passwords(
    sandbox: Sandbox, second: Sandbox, runtime: KafkaInstallation
) -> None:
    second.up(runtime)
    clusters = [
        AdminClient(each.connection(cluster, Principal.ADMIN).client_config()).cluster_id(15)
        for each in (sandbox, second)
        for cluster in Cluster
    ]
    assert len(set(clusters)) == 4
    secrets = {
        each.connection(cluster, Principal.APP).password
        for each in (sandbox, second)
        for cluster in Cluster
    }
    assert len(secrets) == 4


def test_reset_empties_the_clusters_and_keeps_ca_passwords_and_ports(
    second: Sandbox, runtime: KafkaInstallation
) -> None:
    second.up(runtime)
    topic = f"test-{uuid.uuid4().hex[:8]}"
    create_topic(second.connection(Cluster.EAST, Principal.APP), topic)
    assert topic in topics(second)
    kept = [second.layout.ca.read_bytes(), passwords.load(second.layout)]
    before = settings.load(second.layout)
    assert before

    second.reset(runtime)

    assert topic not in topics(second)
    assert [second.layout.ca.read_bytes(), passwords.load(second.layout)] == kept
    after = settings.load(second.layout)
    assert after
    assert after.port_uses() == before.port_uses()
    assert after.east.cluster_id != before.east.cluster_id, "an emptied cluster has a new id"


def test_the_seed_does_not_write_to_a_topic_that_it_did_not_create(
    second: Sandbox, runtime: KafkaInstallation
) -> None:
    second.up(runtime)
    if "orders" not in topics(second):
        create_topic(second.connection(Cluster.EAST, Principal.APP), "orders")
    with pytest.raises(UserError) as raised:
        Seeder(second, Console()).seed(SeedPlan())
    assert "east already has the topic 'orders'" in raised.value.message
    assert "clicks" not in topics(second)


def test_down_and_up_on_another_port_keep_the_data(
    second: Sandbox, runtime: KafkaInstallation
) -> None:
    second.up(runtime)
    topic = f"test-{uuid.uuid4().hex[:8]}"
    create_topic(second.connection(Cluster.EAST, Principal.APP), topic)
    second.down()
    before = second.connection(Cluster.EAST, Principal.APP)
    free = pick_base_port(Cluster.EAST, 1, frozenset())
    second.up(runtime, SandboxOptions(east_port=free))
    assert second.connection(Cluster.EAST, Principal.APP) != before
    assert topic in topics(second)


def test_down_stops_all_processes_and_may_be_repeated(
    sandbox: Sandbox, second: Sandbox, runtime: KafkaInstallation, mirrorstack: CommandLine
) -> None:
    second.up(runtime)
    ended = mirrorstack("sandbox", "down", "--name", "second")
    assert ended.returncode == 0, ended.stderr
    assert node_processes(second.layout.directory) == []
    assert {node.state for node in second.status().nodes} == {NodeState.STOPPED}
    assert mirrorstack("sandbox", "status", "--name", "second").returncode == 1
    again = mirrorstack("sandbox", "down", "--name", "second")
    assert again.returncode == 0
    assert "nothing was running" in again.stderr
    assert sandbox.status().running, "the other sandbox still runs"


def test_a_broker_that_fails_to_start_is_reported_with_its_log_and_no_process_remains(
    second: Sandbox, runtime: KafkaInstallation
) -> None:
    second.down()
    meta = second.layout.directory / "east" / "east-1" / "data" / "meta.properties"
    before = meta.read_text()
    meta.write_text(before.replace("node.id=1", "node.id=7"))
    try:
        with pytest.raises(UserError) as raised:
            second.up(runtime)
    finally:
        meta.write_text(before)
    assert "the broker east-1 ended while it was starting" in raised.value.message
    assert "node" in raised.value.message
    assert str(second.layout.logs / "east-1.log") in raised.value.fix
    assert node_processes(second.layout.directory) == []


def test_down_with_delete_removes_the_directory(
    second: Sandbox, runtime: KafkaInstallation, mirrorstack: CommandLine
) -> None:
    ended = mirrorstack("sandbox", "down", "--name", "second", "--delete")
    assert ended.returncode == 0, ended.stderr
    assert node_processes(second.layout.directory) == []
    assert not second.layout.directory.exists()
