"""The status of a sandbox without running processes."""

from __future__ import annotations

from mirrorstack.sandbox import settings
from mirrorstack.sandbox.layout import Layout
from mirrorstack.sandbox.nodes import nodes_of
from mirrorstack.sandbox.status import NodeState, read_status
from tests.unit.sandbox.conftest import settings_of


def test_a_sandbox_that_was_never_started_has_no_nodes(layout: Layout) -> None:
    status = read_status(layout)
    assert status.nodes == ()
    assert not status.running


def test_a_formatted_node_without_a_process_has_crashed_if_the_sandbox_should_run(
    layout: Layout,
) -> None:
    layout.directory.mkdir(parents=True)
    settings.save(layout, settings_of(1))
    east, _west = nodes_of(layout, settings_of(1))
    east.directory.mkdir(parents=True)
    east.formatted.touch()
    assert [node.state for node in read_status(layout).nodes] == [NodeState.STOPPED] * 2

    layout.wanted_up.touch()
    assert [node.state for node in read_status(layout).nodes] == [
        NodeState.CRASHED,
        NodeState.STOPPED,
    ], "the second node was never formatted"
