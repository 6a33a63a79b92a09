"""A flow's settings from the configs of its connectors."""

from __future__ import annotations

import pytest

from mirrorstack.findings import Severity, UserError
from tests.unit.importing.deployments import (
    connectors,
    from_connectors,
    from_mm2,
    notes_text,
    only_flow,
)


def test_mirrormaker_defaults_are_written_where_a_stack_has_others() -> None:
    assert only_flow(from_mm2()) == {
        "from": "east",
        "to": "west",
        "topics": ["orders", "clicks-.*"],
        "groups": [".*"],
        "exclude-groups": ["console-consumer-.*", "connect-.*", "__.*"],
        "offset-syncs": "source",
        "sync-group-offsets": False,
        "exactly-once": False,
        "tasks": 1,
    }


def test_settings_come_from_the_flow_the_file_and_the_worker_of_the_target() -> None:
    stack = from_mm2(
        **{
            "tasks.max": "6",
            "replication.policy.class": (
                "org.apache.kafka.connect.mirror.IdentityReplicationPolicy"
            ),
            "east->west.offset-syncs.topic.location": "target",
            "east->west.topics.exclude": r"mm2.*\.internal, .*\.replica, __.*, test-.*",
            "east->west.sync.group.offsets.enabled": "true",
            "east->west.emit.checkpoints.interval.seconds": "10",
            "east->west.emit.heartbeats.enabled": "false",
            "west.exactly.once.source.support": "enabled",
            "replication.factor": "3",
        }
    )

    flow = only_flow(stack)
    assert {key: flow[key] for key in ("naming", "tasks", "exclude")} == {
        "naming": "identity",
        "tasks": 6,
        "exclude": ["test-.*"],
    }
    assert flow["checkpoint-seconds"] == 10
    assert flow["heartbeats"] is False
    assert not {"exactly-once", "sync-group-offsets", "offset-syncs"} & flow.keys()
    assert stack.values["clusters"]["west"]["replication-factor"] == 3


@pytest.mark.parametrize(
    ("more", "note"),
    [
        (
            {
                "replication.policy.separator": "_",
                "replication.policy.internal.topic.separator.enabled": "false",
            },
            "a stack names internal topics with '_', too",
        ),
        ({"replication.policy.class": "org.example.Policy"}, "org.example.Policy"),
        ({}, "MirrorMaker syncs ACLs"),
        ({}, "aborted transactions"),
        ({}, "sync-configs"),
        ({}, "become those of `profile: default`"),
        ({}, "start from earliest"),
    ],
)
def test_what_a_stack_does_differently_is_noted(more: dict[str, str], note: str) -> None:
    stack = from_mm2(**more)

    assert note in notes_text(stack)
    assert {one.severity for one in stack.notes} == {Severity.NOTE}
    assert {one.flow for one in stack.notes} == {"east->west"}


def test_the_separator_is_imported() -> None:
    stack = from_mm2(**{"replication.policy.separator": "_"})

    assert only_flow(stack)["separator"] == "_"
    assert "separator" not in notes_text(stack)


def test_connectors_that_disagree_are_noted_with_the_value_that_is_written() -> None:
    (source,) = connectors("Source", topics="a")
    (checkpoint,) = connectors("Checkpoint", **{"offset-syncs.topic.location": "target"})

    stack = from_connectors(source, checkpoint)

    assert only_flow(stack)["offset-syncs"] == "source"
    assert (
        "offset-syncs.topic.location is target for the checkpoint connector and source for the "
        "source connector" in notes_text(stack)
    )


def test_exactly_once_is_off_where_the_worker_is_not_known() -> None:
    stack = from_connectors(*connectors("Source", topics="a"))

    assert only_flow(stack)["exactly-once"] is False
    assert "`exactly-once: false` is written" in notes_text(stack)


def test_a_number_behind_a_reference_is_an_error() -> None:
    with pytest.raises(UserError, match="the value of the reference is not known"):
        from_mm2(**{"tasks.max": "${env:TASKS}"})


def test_an_interval_for_new_topics_is_imported_and_mirrormaker_s_default_of_600_s_is_not() -> None:
    assert (
        only_flow(from_mm2(**{"refresh.topics.interval.seconds": "30"}))["discovery-seconds"] == 30
    )
    assert "discovery-seconds" not in only_flow(from_mm2())


def test_a_flow_that_does_not_look_for_new_topics_is_pinned() -> None:
    assert only_flow(from_mm2(**{"refresh.topics.enabled": "false"}))["discovery"] == "pinned"
