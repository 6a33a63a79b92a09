"""The nodes of a sandbox and the errors in their logs."""

from __future__ import annotations

import pytest

from mirrorstack.sandbox.layout import Layout
from mirrorstack.sandbox.nodes import Node, nodes_of
from tests.unit.sandbox.conftest import settings_of


@pytest.fixture
def node(layout: Layout) -> Node:
    return nodes_of(layout, settings_of(1))[0]


def test_the_errors_of_the_log_and_the_output_are_reported(node: Node) -> None:
    node.log.parent.mkdir(parents=True)
    node.log.write_text(
        "2026-01-01 INFO  starting (kafka)\n"
        "2026-01-01 ERROR Exiting Kafka due to fatal exception (kafka.Kafka$)\n"
        "java.lang.RuntimeException: no\n"
        "\tat kafka.Kafka.main(Kafka.scala)\n"
        "Caused by: java.io.IOException: disk full\n"
        "2026-01-01 INFO  bye (kafka)\n"
    )
    node.output.write_text("Error: Could not find or load main class kafka.Kafka\n")
    assert node.errors() == (
        "2026-01-01 ERROR Exiting Kafka due to fatal exception (kafka.Kafka$)",
        "java.lang.RuntimeException: no",
        "Caused by: java.io.IOException: disk full",
        "Error: Could not find or load main class kafka.Kafka",
    )


def test_a_node_without_a_log_has_no_errors(node: Node) -> None:
    assert node.errors() == ()
