"""The shared sandbox: repeated `up`, `status`, a crashed broker, used ports, passwords."""

from __future__ import annotations

import json
import os
import signal
import socket
import stat
import uuid
from pathlib import Path

import psutil
import pytest
from confluent_kafka import Producer

from mirrorstack.findings import UserError
from mirrorstack.local.kafka_installation import KafkaInstallation
from mirrorstack.sandbox import passwords
from mirrorstack.sandbox.names import Cluster, Principal
from mirrorstack.sandbox.processes import node_processes
from mirrorstack.sandbox.sandbox import Sandbox
from mirrorstack.sandbox.settings import SandboxOptions
from mirrorstack.sandbox.status import NodeState
from tests.integration.conftest import CommandLine, create_topic, eventually, read


def pids(sandbox: Sandbox) -> set[int]:
    return {node.pid for node in node_processes(sandbox.layout.directory)}


def test_up_on_a_running_sandbox_changes_nothing(
    sandbox: Sandbox, mirrorstack: CommandLine
) -> None:
    before = pids(sandbox)
    ended = mirrorstack("sandbox", "up", "--name", "shared")
    assert ended.returncode == 0, ended.stderr
    assert "runs already" in ended.stderr
    assert pids(sandbox) == before


def test_up_with_another_number_of_brokers_is_refused(
    sandbox: Sandbox, runtime: KafkaInstallation
) -> None:
    with pytest.raises(UserError, match="--brokers is 3"):
        sandbox.up(runtime, SandboxOptions(brokers=3))


def test_status_prints_every_node(sandbox: Sandbox, mirrorstack: CommandLine) -> None:
    ended = mirrorstack("sandbox", "status", "--name", "shared")
    assert ended.returncode == 0, ended.stderr
    for node in sandbox.status().nodes:
        line = next(line for line in ended.stdout.splitlines() if f" {node.node} " in line)
        for cell in ("running", str(node.pid), node.address, str(node.log)):
            assert cell in line
    assert f"{sandbox.layout.directory}/client-" in ended.stdout


def test_status_and_up_print_json(sandbox: Sandbox, mirrorstack: CommandLine) -> None:
    status = json.loads(mirrorstack("sandbox", "status", "--name", "shared", "--json").stdout)
    up = json.loads(mirrorstack("sandbox", "up", "--name", "shared", "--json").stdout)
    assert status["running"] is True
    assert status["bootstrap_servers"]["east"] == (
        sandbox.connection(Cluster.EAST, Principal.APP).bootstrap_servers
    )
    assert up["started"] == []
    assert [node["pid"] for node in up["nodes"]] == [node["pid"] for node in status["nodes"]]


def test_a_killed_broker_is_reported_by_status_and_restarted_with_its_data(
    sandbox: Sandbox, mirrorstack: CommandLine
) -> None:
    topic = f"test-{uuid.uuid4().hex[:8]}"
    app = sandbox.connection(Cluster.WEST, Principal.APP)
    create_topic(app, topic)
    producer = Producer(app.client_config())
    producer.produce(topic, b"written before the crash")
    assert producer.flush(15) == 0
    east, west = sandbox.status().nodes
    assert west.pid
    os.kill(west.pid, signal.SIGKILL)
    eventually(lambda: west.pid not in pids(sandbox), "the broker has ended")

    status = mirrorstack("sandbox", "status", "--name", "shared")
    assert status.returncode == 1
    assert "west-1 crashed: it has no process" in status.stdout
    assert "mirrorstack sandbox up --name shared" in status.stdout

    up = mirrorstack("sandbox", "up", "--name", "shared", "--json")
    assert up.returncode == 0, up.stderr
    assert json.loads(up.stdout)["started"] == ["west-1"]
    assert sandbox.status().nodes[0].pid == east.pid, "the healthy broker was not restarted"
    messages = read(app, {(topic, 0): 1})
    assert [message.value() for message in messages] == [b"written before the crash"]


def test_a_used_port_is_one_error_and_creates_no_sandbox(
    home: Path, mirrorstack: CommandLine
) -> None:
    us = f"{psutil.Process().name()} (pid {os.getpid()})"
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        ended = mirrorstack(
            "sandbox", "up", "--name", "blocked", "--east-port", "0", "--west-port", str(port)
        )
    assert ended.returncode == 2
    assert ended.stderr.splitlines() == [
        f"error: port {port} (west broker 1) is used by {us}",
        "fix: stop that process, or, in a shell with `source ./activate`, use any free "
        "ports: `mirrorstack sandbox up --name blocked --west-port 0`",
    ]
    assert node_processes(home / "sandbox" / "blocked") == []
    assert not (home / "sandbox" / "blocked").exists()


def test_a_port_of_another_sandbox_is_reported_with_its_name(
    sandbox: Sandbox, mirrorstack: CommandLine
) -> None:
    port = sandbox.status().nodes[0].address.rpartition(":")[2]
    ended = mirrorstack("sandbox", "up", "--name", "blocked", "--east-port", port)
    assert ended.returncode == 2
    assert f"port {port} (east broker 1) is used by the broker east-1" in ended.stderr
    assert "of the sandbox 'shared'" in ended.stderr


def test_no_password_is_in_logs_process_arguments_or_output(
    sandbox: Sandbox, mirrorstack: CommandLine
) -> None:
    known = passwords.load(sandbox.layout)
    assert known
    secrets = [known.of(cluster, principal) for cluster in Cluster for principal in Principal]
    logs = [path for path in sandbox.layout.logs.iterdir() if path.is_file()]
    assert any("sasl.enabled.mechanisms" in path.read_text() for path in logs), (
        "brokers log their settings; without them this test checks nothing"
    )
    texts = {str(path): path.read_text() for path in logs}
    for node in node_processes(sandbox.layout.directory):
        texts[f"arguments of {node.pid}"] = "\0".join(node.process.cmdline())
        texts[f"environment of {node.pid}"] = "\0".join(node.process.environ().values())
    for verb in ("up", "status"):
        for options in ([], ["--json"]):
            ended = mirrorstack("sandbox", verb, "--name", "shared", *options)
            texts[f"output of {verb} {options}"] = ended.stdout + ended.stderr
    leaks = [origin for origin, text in texts.items() for each in secrets if each in text]
    assert leaks == []


def test_only_the_owner_may_read_the_files(sandbox: Sandbox) -> None:
    directory = sandbox.layout.directory
    readable = {
        str(path.relative_to(directory)): oct(stat.S_IMODE(path.stat().st_mode))
        for path in (directory, *directory.rglob("*"))
        if stat.S_IMODE(path.stat().st_mode) & 0o077
    }
    assert readable == {}


def test_all_nodes_still_run_after_these_tests(sandbox: Sandbox) -> None:
    assert {node.state for node in sandbox.status().nodes} == {NodeState.RUNNING}
