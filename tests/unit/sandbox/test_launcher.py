"""The command lines of a node."""

from __future__ import annotations

from pathlib import Path

import pytest

from mirrorstack.local.kafka_installation import KafkaInstallation
from mirrorstack.sandbox.launcher import broker_command, format_command
from mirrorstack.sandbox.layout import Layout
from mirrorstack.sandbox.nodes import Node, nodes_of
from mirrorstack.sandbox.processes import node_mark
from tests.unit.sandbox.conftest import settings_of


@pytest.fixture
def node(layout: Layout) -> Node:
    return nodes_of(layout, settings_of(1))[0]


def test_command_lines_carry_the_mark_and_no_password(node: Node, tmp_path: Path) -> None:
    runtime = KafkaInstallation(java=Path("java"), jars=tmp_path)
    arguments = format_command(runtime, node, tmp_path / "format.args")
    assert arguments[-2:] == ["kafka.tools.StorageTool", f"@{tmp_path}/format.args"]
    assert node_mark(node.directory) in arguments
    assert node_mark(node.directory) in broker_command(runtime, node, tmp_path / "log4j2.xml")
