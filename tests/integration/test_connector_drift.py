"""Drift of connectors, invalid declarations, and workers that are not running."""

from __future__ import annotations

import pytest

from mirrorstack.connect.config import HIDDEN
from mirrorstack.connect.protocol import ConnectorState
from tests.integration.connector_stack import Stack, east, stack, west, worker

pytestmark = pytest.mark.slow

__all__ = ["east", "stack", "west", "worker"]  # fixtures


@pytest.fixture
def deployed(stack: Stack) -> Stack:
    stack.declare()
    stack.project.up()
    return stack


class TestDrift:
    def test_a_changed_config_is_shown_by_key_and_corrected(self, deployed: Stack) -> None:
        live = deployed.live.config(deployed.name)
        assert live is not None
        deployed.live.put_config(deployed.name, live | {"tasks.max": "1", "offset.lag.max": "7"})

        said = deployed.preview("--refresh")
        deployed.project.up("--refresh")

        assert '~ tasks.max                             : "2" => "1"' in said
        assert "+ offset.lag.max" in said
        assert deployed.live.config(deployed.name) == live

    def test_a_paused_connector_is_shown_and_resumed(self, deployed: Stack) -> None:
        deployed.live.set_state(deployed.name, ConnectorState.PAUSED)
        deployed.is_live(ConnectorState.PAUSED)

        said = deployed.preview("--refresh")
        deployed.project.up("--refresh")

        assert '"running" => "paused"' in said
        deployed.is_live(ConnectorState.RUNNING)

    def test_a_deleted_connector_is_shown_and_recreated(self, deployed: Stack) -> None:
        deployed.live.delete(deployed.name)

        said = deployed.preview("--refresh")
        deployed.project.up("--refresh")

        assert "+ 1 to create" in said
        deployed.is_live(ConnectorState.RUNNING)

    @pytest.mark.parametrize("damage", ["changed", "paused", "deleted"])
    def test_up_without_refresh_corrects_drift(self, deployed: Stack, damage: str) -> None:
        before = deployed.live.config(deployed.name)
        assert before is not None
        if damage == "changed":
            deployed.live.put_config(deployed.name, before | {"tasks.max": "1"})
        elif damage == "paused":
            deployed.live.set_state(deployed.name, ConnectorState.PAUSED)
            deployed.is_live(ConnectorState.PAUSED)
        else:
            deployed.live.delete(deployed.name)

        deployed.project.up()

        deployed.is_live(ConnectorState.RUNNING)
        assert deployed.live.config(deployed.name) == before

    def test_a_password_set_by_hand_is_drift_and_is_not_stored(self, deployed: Stack) -> None:
        live = deployed.live.config(deployed.name)
        assert live is not None
        deployed.live.put_config(deployed.name, live | {"ssl.key.password": "hunter2"})

        said = deployed.preview("--refresh")

        assert HIDDEN in said
        assert "hunter2" not in said


class TestMistakes:
    def test_an_invalid_value_is_rejected_at_preview_with_its_key(self, stack: Stack) -> None:
        stack.declare({"tasks.max": "many"})

        assert "tasks.max is 'many': Invalid value many" in stack.preview(fails=True)

    def test_keys_that_connect_does_not_validate_are_rejected_at_preview(
        self, stack: Stack
    ) -> None:
        stack.declare({"task.max": 2, "consumer.max.pol.records": 9, "topics.blacklist": "orders"})

        said = stack.preview(fails=True)

        assert "did you mean `tasks.max`?" in said
        assert "did you mean `consumer.max.poll.records`?" in said
        assert "topics.blacklist was removed in Kafka 4.0" in said

    def test_an_unknown_class_is_rejected_at_preview(self, stack: Stack) -> None:
        stack.declare({"connector.class": "org.example.NoSuchConnector"})

        said = stack.preview(fails=True)

        assert "Failed to find any class" in said
        assert "org.example.NoSuchConnector" in said

    def test_a_wrong_rest_password_is_rejected_at_preview_without_being_printed(
        self, stack: Stack
    ) -> None:
        file = stack.project.directory / "rest.properties"
        file.touch(mode=0o600)
        file.write_text("username=operator\npassword=guessed-wrong\n")
        stack.declare(credentials_file=str(file))

        said = stack.preview(fails=True)

        assert "401" in said
        assert "guessed-wrong" not in said

    def test_a_wrong_source_password_fails_with_the_reason_and_can_be_corrected(
        self, stack: Stack
    ) -> None:
        stack.declare(stack.wrong_password(), ready_within=8)

        said = stack.failed_up()

        assert f"connector {stack.name} is not healthy after" in said
        assert "RUNNING without any task" in said
        assert "wrong password" in said
        assert stack.is_gone(), "nobody knows of it, so it must not stay"
        stack.declare()
        stack.project.up()
        stack.is_live(ConnectorState.RUNNING)

    def test_reverting_a_failed_update_restores_the_old_connector(self, deployed: Stack) -> None:
        deployed.declare(deployed.wrong_password(), ready_within=8)
        deployed.failed_up()
        deployed.failed_up()
        deployed.declare()

        deployed.project.up()

        (task,) = deployed.live.tasks(deployed.name)
        assert task.values["source.cluster.sasl.jaas.config"] == str(
            deployed.config()["source.cluster.sasl.jaas.config"]
        )


class TestWithoutWorker:
    def test_preview_passes_and_up_fails_until_the_worker_runs(self, stack: Stack) -> None:
        stack.worker.stop()
        try:
            stack.declare({"tasks.max": "many"})
            assert "tasks.max is 'many'" in stack.preview(fails=True)
            stack.declare(ready_within=3)
            stack.preview()
            said = stack.failed_up()
        finally:
            stack.worker.start()

        assert f"no Connect worker responds at {stack.worker.url}: connection refused" in said
        stack.declare()
        stack.project.up()
        stack.is_live(ConnectorState.RUNNING)

    def test_refresh_does_not_treat_an_unreachable_worker_as_a_deletion(
        self, deployed: Stack
    ) -> None:
        deployed.worker.stop()
        try:
            said = deployed.preview("--refresh")
            deployed.project.pulumi("refresh", "--yes", "--skip-preview")
            destroyed = deployed.project.pulumi("destroy", "--yes", "--skip-preview", fails=True)
        finally:
            deployed.worker.start()

        assert '"running" => "unreachable"' in said
        assert "no Connect worker responds" in destroyed
        assert "pulumi state delete" in destroyed
        deployed.project.up()
        deployed.project.up("--expect-no-changes")
