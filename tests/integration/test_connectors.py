"""Connectors as resources, on the real engine and a real Connect worker."""

from __future__ import annotations

import json

import pytest
from confluent_kafka import Consumer, TopicPartition

from mirrorstack.connect.protocol import ConnectorState
from tests.integration.conftest import read
from tests.integration.connector_stack import RECORDS, Stack, east, stack, west, worker

pytestmark = pytest.mark.slow

__all__ = ["east", "stack", "west", "worker"]  # fixtures


class TestDeploying:
    def test_up_ends_after_records_are_replicated(self, stack: Stack) -> None:
        stack.declare()

        stack.project.up()

        remote = f"east.{stack.name}"
        records = read(stack.west, {(remote, 0): RECORDS})
        assert [record.value() for record in records] == [b"v%d" % n for n in range(RECORDS)]

    def test_a_second_up_and_a_refresh_change_nothing(self, stack: Stack) -> None:
        stack.declare()
        stack.project.up()

        stack.project.up("--expect-no-changes")
        stack.project.pulumi("refresh", "--yes", "--skip-preview", "--expect-no-changes")

    @pytest.mark.parametrize("state", [ConnectorState.PAUSED, ConnectorState.STOPPED])
    def test_a_connector_is_created_in_its_declared_state(
        self, stack: Stack, state: ConnectorState
    ) -> None:
        stack.declare(state=state, expect={})

        stack.project.up()

        status = stack.live.status(stack.name)
        assert status is not None
        assert status.state == state.upper()
        assert stack.live.tasks(stack.name) == (), "it never ran, so it never had a task"

    def test_the_declared_state_is_reached(self, stack: Stack) -> None:
        for state in (
            ConnectorState.RUNNING,
            ConnectorState.PAUSED,
            ConnectorState.STOPPED,
            ConnectorState.RUNNING,
        ):
            stack.declare(state=state)
            stack.project.up()
            stack.is_live(state)

    def test_up_ends_after_the_tasks_have_the_new_config(self, stack: Stack) -> None:
        stack.declare()
        stack.project.up()
        stack.declare({"offset.lag.max": 7})

        stack.project.up()

        assert [task.values["offset.lag.max"] for task in stack.live.tasks(stack.name)] == ["7"]

    def test_a_checkpoint_connector_may_have_no_tasks_and_a_heartbeat_connector_may_not(
        self, stack: Stack
    ) -> None:
        package, config = "org.apache.kafka.connect.mirror", stack.config()
        config |= {"groups": "no-such-group", "emit.heartbeats.interval.seconds": 1}
        config |= {f"{one}.topic.replication.factor": 1 for one in ("checkpoints", "heartbeats")}
        both = {
            f"{stack.name}-{kind}": {
                "rest_url": stack.worker.url,
                "credentials_file": str(stack.worker.credentials_file),
                "config": config | {"connector.class": f"{package}.Mirror{kind}Connector"},
                "expect": {"may_idle": kind == "Checkpoint"},
            }
            for kind in ("Checkpoint", "Heartbeat")
        }
        stack.project.write("declared.json", json.dumps(both))

        stack.project.up()

        assert len(stack.live.tasks(f"{stack.name}-Checkpoint")) == 0
        assert len(stack.live.tasks(f"{stack.name}-Heartbeat")) == 1
        stack.destroy()


class TestDestroying:
    def test_destroy_deletes_the_connector(self, stack: Stack) -> None:
        stack.declare()
        stack.project.up()

        stack.destroy()

        assert stack.is_gone()

    def test_destroy_succeeds_when_the_connector_is_already_deleted(self, stack: Stack) -> None:
        stack.declare(state=ConnectorState.STOPPED)
        stack.project.up()
        stack.live.delete(stack.name)

        stack.destroy()

    def test_a_new_name_replaces_the_connector_and_the_preview_shows_it(self, stack: Stack) -> None:
        stack.declare(state=ConnectorState.STOPPED)
        stack.project.up()
        stack.declare(state=ConnectorState.STOPPED, name="replaced-with-this")

        assert "+-1 to replace" in stack.preview()
        stack.project.up()

        assert stack.is_gone()
        assert stack.live.delete("replaced-with-this")


class TestSecrets:
    def test_no_password_is_in_the_state_the_config_topic_or_the_output(self, stack: Stack) -> None:
        stack.declare()

        said = stack.project.up() + stack.project.pulumi("stack", "output", "--json")

        state = "".join(f.read_text() for f in stack.project.state.rglob("*") if f.is_file())
        kept = config_topic(stack)
        assert stack.name in said
        assert stack.name in state
        assert stack.name in kept, "what is searched must be the real thing"
        assert "task.assigned.partitions" in kept
        for password in (stack.east.password, stack.west.password, stack.worker.password):
            assert password not in said + state + kept

    def test_a_plain_text_password_is_rejected_without_being_printed(self, stack: Stack) -> None:
        stack.declare(stack.east.java_properties())

        said = stack.preview(fails=True)

        assert "sasl.jaas.config looks like a secret in plain text" in said
        assert stack.east.password not in said


def config_topic(stack: Stack) -> str:
    """All records of the Connect config topic."""
    topic = stack.worker.config_topic
    consumer = Consumer(stack.west.client_config() | {"group.id": "tests-that-read"})
    try:
        _, end = consumer.get_watermark_offsets(TopicPartition(topic, 0), timeout=30)
    finally:
        consumer.close()
    records = read(stack.west, {(topic, 0): end})
    return "".join(f"{record.key()!r} {record.value()!r}\n" for record in records)
