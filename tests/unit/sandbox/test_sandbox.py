"""Up, down and reset without Kafka: a shell script stands in for Java."""

from __future__ import annotations

import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from mirrorstack.findings import UserError
from mirrorstack.local.kafka_installation import KafkaInstallation
from mirrorstack.sandbox import settings
from mirrorstack.sandbox.layout import Layout
from mirrorstack.sandbox.names import Cluster, Principal
from mirrorstack.sandbox.nodes import nodes_of
from mirrorstack.sandbox.ports import pick_base_port
from mirrorstack.sandbox.processes import node_mark, node_processes
from mirrorstack.sandbox.sandbox import Sandbox, all_names
from mirrorstack.sandbox.settings import SandboxOptions, Settings
from tests.unit.sandbox.conftest import settings_of

ANY_PORTS = SandboxOptions(east_port=0, west_port=0)
FORMATS_BUT_DOES_NOT_RUN = 'case "$*" in *StorageTool*) exit 0;; esac; echo broken; exit 1'


@pytest.fixture
def sandbox(layout: Layout) -> Sandbox:
    return Sandbox(layout.name, home_directory=layout.home)


@pytest.fixture
def stored(layout: Layout) -> Settings:
    """The settings of a stopped sandbox with data."""
    east = pick_base_port(Cluster.EAST, 1, frozenset())
    stored = settings_of(1, east, pick_base_port(Cluster.WEST, 1, frozenset({east})))
    layout.directory.mkdir(parents=True)
    settings.save(layout, stored)
    for node in nodes_of(layout, stored):
        node.data.mkdir(parents=True)
        node.formatted.touch()
    return stored


@pytest.fixture
def broker(layout: Layout, stored: Settings, tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A process with the command line of the sandbox's first broker."""
    java = tmp_path / "bin" / "java"
    java.parent.mkdir()
    java.symlink_to(sys.executable)
    mark = node_mark(nodes_of(layout, stored)[0].directory)
    with subprocess.Popen([java, "-c", "import time; time.sleep(60)", mark]) as process:
        yield process
        process.kill()


def kafka_with(java: Path, script: str) -> KafkaInstallation:
    java.write_text(f"#!/bin/sh\n{script}\n")
    java.chmod(0o755)
    return KafkaInstallation(java=java, jars=java.parent)


def contents(layout: Layout) -> set[Path]:
    return set(layout.directory.rglob("*"))


class TestUp:
    def test_a_used_port_is_an_error_before_anything_is_written(
        self, sandbox: Sandbox, layout: Layout, tmp_path: Path
    ) -> None:
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
            options = SandboxOptions(east_port=port, west_port=0)

            with pytest.raises(UserError, match=f"port {port}"):
                sandbox.up(kafka_with(tmp_path / "java", "exit 0"), options)

        assert not layout.directory.exists()

    def test_a_failed_format_is_an_error_without_passwords(
        self, sandbox: Sandbox, layout: Layout, tmp_path: Path
    ) -> None:
        # Java expands @FILE to the file's lines; some of them are passwords.
        prints_arguments = 'for word; do :; done; cat "${word#@}" >&2; exit 1'

        with pytest.raises(UserError, match="failed to format") as raised:
            sandbox.up(kafka_with(tmp_path / "java", prints_arguments), ANY_PORTS)

        assert "password=<password>" in raised.value.message
        assert not list(layout.directory.rglob("format.args"))

    def test_a_broker_that_ends_early_is_an_error_and_the_sandbox_is_down_after_it(
        self, sandbox: Sandbox, layout: Layout, tmp_path: Path
    ) -> None:
        with pytest.raises(UserError, match="the broker east-1 ended while it was starting"):
            sandbox.up(kafka_with(tmp_path / "java", FORMATS_BUT_DOES_NOT_RUN), ANY_PORTS)

        assert node_processes(layout.directory) == []
        assert not layout.wanted_up.exists()

    def test_files_with_passwords_are_private_and_each_client_has_one(
        self, sandbox: Sandbox, layout: Layout, tmp_path: Path
    ) -> None:
        with pytest.raises(UserError):
            sandbox.up(kafka_with(tmp_path / "java", FORMATS_BUT_DOES_NOT_RUN), ANY_PORTS)

        properties = [file for file in contents(layout) if file.suffix == ".properties"]
        assert len(properties) == 2 * 3 + 2, "clients of both clusters, and two brokers"
        assert {stat.S_IMODE(file.stat().st_mode) for file in properties} == {0o600}
        client = sandbox.connection(Cluster.WEST, Principal.MIRROR)
        written = layout.client_properties(Cluster.WEST, Principal.MIRROR).read_text()
        assert client.password in written


class TestDown:
    def test_every_process_of_the_sandbox_is_stopped_and_the_data_kept(
        self, sandbox: Sandbox, layout: Layout, broker: subprocess.Popen[bytes]
    ) -> None:
        layout.wanted_up.touch()
        before = contents(layout) - {layout.wanted_up}

        assert sandbox.down() == 1

        assert node_processes(layout.directory) == []
        assert contents(layout) == before

    def test_another_sandbox_is_not_stopped(
        self, layout: Layout, broker: subprocess.Popen[bytes]
    ) -> None:
        assert Sandbox("other", home_directory=layout.home).down() == 0
        assert broker.poll() is None

    def test_delete_removes_the_sandbox(
        self, sandbox: Sandbox, layout: Layout, stored: Settings
    ) -> None:
        sandbox.down(delete=True)

        assert not layout.directory.exists()
        assert all_names(layout.home) == []


class TestReset:
    def test_there_must_be_a_sandbox(self, sandbox: Sandbox, tmp_path: Path) -> None:
        with pytest.raises(UserError, match="there is no sandbox 'trial' to reset") as raised:
            sandbox.reset(kafka_with(tmp_path / "java", "exit 0"))

        assert raised.value.fix == "create it: `mirrorstack sandbox up --name trial`"

    def test_an_invalid_option_deletes_nothing_and_stops_nothing(
        self, sandbox: Sandbox, layout: Layout, broker: subprocess.Popen[bytes], tmp_path: Path
    ) -> None:
        before = contents(layout)

        with pytest.raises(UserError, match="--brokers is 0"):
            sandbox.reset(kafka_with(tmp_path / "java", "exit 0"), SandboxOptions(brokers=0))

        assert contents(layout) == before
        assert broker.poll() is None

    def test_running_brokers_are_stopped_before_their_data_is_deleted(
        self, sandbox: Sandbox, broker: subprocess.Popen[bytes], tmp_path: Path
    ) -> None:
        with pytest.raises(UserError, match="ended while it was starting"):
            sandbox.reset(kafka_with(tmp_path / "java", FORMATS_BUT_DOES_NOT_RUN))

        assert broker.poll() is not None

    def test_data_and_cluster_ids_are_new_and_ports_are_kept(
        self, sandbox: Sandbox, layout: Layout, stored: Settings, tmp_path: Path
    ) -> None:
        layout.seed.touch()
        old = layout.cluster(Cluster.EAST) / "east-1" / "data" / "orders-0"
        old.mkdir()

        with pytest.raises(UserError, match="ended while it was starting"):
            sandbox.reset(kafka_with(tmp_path / "java", FORMATS_BUT_DOES_NOT_RUN))

        now = settings.load(layout)
        assert now is not None
        assert now.east.cluster_id != stored.east.cluster_id
        assert (now.east.port, now.west.port) == (stored.east.port, stored.west.port)
        assert not layout.seed.exists()
        assert not old.exists()


def test_sandboxes_are_listed_if_they_have_a_directory_or_a_process(
    layout: Layout, broker: subprocess.Popen[bytes]
) -> None:
    Layout(layout.home, "stopped").directory.mkdir(parents=True)
    (layout.all_sandboxes / "Not A Name").mkdir()
    layout.directory.rename(layout.home / "removed by hand")

    assert all_names(layout.home) == ["stopped", "trial"]
