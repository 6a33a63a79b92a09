"""Assessing a connector's health: RUNNING is not enough, and there is always a reason."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mirrorstack.connect.health import (
    HEALTHY,
    ConnectorObservation,
    ConnectorSpec,
    Expectation,
    Health,
    assess,
    summarize_trace,
)
from mirrorstack.connect.protocol import ConnectorState
from mirrorstack.connect.responses import ConnectorStatus, TaskConfig, TaskStatus

MIRROR_SOURCE = "org.apache.kafka.connect.mirror.MirrorSourceConnector"
CONFIG = {"connector.class": MIRROR_SOURCE, "topics": "orders"}
TRACE = """\
org.apache.kafka.connect.errors.ConnectException: Task could not start
\tat org.apache.kafka.connect.runtime.WorkerTask.run(WorkerTask.java:1)
\tat java.base/java.lang.Thread.run(Thread.java:840)
Caused by: org.apache.kafka.common.KafkaException: Failed to construct kafka consumer
\tat org.apache.kafka.clients.consumer.KafkaConsumer.<init>(KafkaConsumer.java:1)
\t... 8 more
Caused by: java.nio.file.NoSuchFileException: /etc/ca.pem
\t... 12 more
"""


def spec(state: ConnectorState = ConnectorState.RUNNING, **expectation: object) -> ConnectorSpec:
    expected = Expectation(**expectation)  # type: ignore[arg-type]
    return ConnectorSpec(name="orders", config=CONFIG, state=state, expectation=expected)


def status(state: str = "RUNNING", *tasks: str, trace: str = "") -> ConnectorStatus:
    of_tasks = (TaskStatus(id_, one, trace) for id_, one in enumerate(tasks))
    return ConnectorStatus(state, trace, tuple(of_tasks))


def task(*partitions: str, **changes: str) -> TaskConfig:
    own = {"name": "orders", "task.index": "0", "task.assigned.partitions": ",".join(partitions)}
    return TaskConfig({**CONFIG, **own, **changes})


def reason(spec: ConnectorSpec, observation: ConnectorObservation) -> str:
    status = assess(spec, observation)
    assert status.health is Health.PENDING, status
    return status.reason


class TestRunning:
    def test_tasks_partitions_and_offsets_make_it_healthy(self) -> None:
        expected = spec(partitions={"orders": 2}, records=frozenset({"orders"}))
        seen = ConnectorObservation(
            status("RUNNING", "RUNNING", "RUNNING"),
            (task("orders-0"), task("orders-1")),
            frozenset({"orders"}),
        )
        assert assess(expected, seen) == HEALTHY

    def test_without_tasks_it_is_pending(self) -> None:
        found = assess(spec(), ConnectorObservation(status("RUNNING")))

        assert found.health is Health.PENDING
        assert found.reason == "it is RUNNING without any task"
        assert "wrong password" in found.causes

    def test_a_checkpoint_connector_may_have_no_tasks(self) -> None:
        assert assess(spec(may_idle=True), ConnectorObservation(status("RUNNING"))) == HEALTHY

    def test_a_task_that_is_not_running_is_named(self) -> None:
        found = reason(spec(), ConnectorObservation(status("RUNNING", "RUNNING", "UNASSIGNED")))

        assert found == "1 of 2 tasks are not RUNNING: task 1 is UNASSIGNED"

    def test_missing_partitions_are_named(self) -> None:
        seen = ConnectorObservation(status("RUNNING", "RUNNING"), (task("orders-0"),))

        assert reason(spec(partitions={"orders": 3}), seen) == "no task has orders-1, orders-2"

    def test_undeclared_partitions_are_named(self) -> None:
        seen = ConnectorObservation(status("RUNNING", "RUNNING"), (task("orders-0", "salaries-0"),))

        assert "salaries-0, which are not declared" in reason(spec(partitions={"orders": 1}), seen)

    def test_partitions_that_were_added_since_are_no_reason_to_wait(self) -> None:
        seen = ConnectorObservation(status("RUNNING", "RUNNING"), (task("orders-0", "orders-1"),))

        assert assess(spec(partitions={"orders": 1}), seen) == HEALTHY

    def test_topics_that_live_patterns_match_are_no_reason_to_wait(self) -> None:
        seen = ConnectorObservation(status("RUNNING", "RUNNING"), (task("orders-0", "new-0"),))

        assert assess(spec(partitions={"orders": 1}, discovers=True), seen) == HEALTHY
        assert (
            reason(spec(partitions={"orders": 2}, discovers=True), seen) == "no task has orders-1"
        )

    @pytest.mark.parametrize("topic", ["heartbeats", "north.heartbeats"])
    def test_heartbeats_topics_are_not_undeclared(self, topic: str) -> None:
        seen = ConnectorObservation(status("RUNNING", "RUNNING"), (task("orders-0", f"{topic}-0"),))

        assert assess(spec(partitions={"orders": 1}), seen) == HEALTHY

    def test_of_many_partitions_the_first_are_named(self) -> None:
        seen = ConnectorObservation(status("RUNNING", "RUNNING"), (task(),))

        assert reason(spec(partitions={"orders": 50}), seen).endswith("and 45 more")

    def test_a_topic_with_records_needs_an_offset(self) -> None:
        seen = ConnectorObservation(status("RUNNING", "RUNNING"), (task("orders-0"),))

        assert "no record of orders has been replicated" in reason(
            spec(records=frozenset({"orders"})), seen
        )

    def test_tasks_with_the_previous_config_are_pending(self) -> None:
        seen = ConnectorObservation(
            status("RUNNING", "RUNNING"), (task(topics="payments", **{"old.key": "1"}),)
        )

        assert reason(spec(), seen) == "its tasks still run with the previous old.key, topics"

    def test_keys_that_somebody_else_derives_are_not_compared(self) -> None:
        seen = ConnectorObservation(
            status("RUNNING", "RUNNING"), (task(topics="payments", **{"derived.key": "1"}),)
        )
        declared = replace(spec(), declared_keys=frozenset({"topics"}))

        assert reason(declared, seen) == "its tasks still run with the previous topics"

    def test_other_connectors_may_pass_any_config_to_tasks(self) -> None:
        other = ConnectorSpec(name="orders", config={"connector.class": "org.example.Sink"})
        seen = ConnectorObservation(status("RUNNING", "RUNNING"), (TaskConfig({"own": "1"}),))

        assert assess(other, seen) == HEALTHY


class TestOtherStates:
    def test_without_a_status_it_is_pending(self) -> None:
        assert "no status" in reason(spec(), ConnectorObservation(None))

    @pytest.mark.parametrize("state", ConnectorState)
    def test_another_state_than_declared_is_pending(self, state: ConnectorState) -> None:
        assert reason(spec(state), ConnectorObservation(status("UNASSIGNED"))) == "it is UNASSIGNED"

    def test_a_paused_connector_has_paused_tasks(self) -> None:
        paused = spec(ConnectorState.PAUSED, partitions={"orders": 1})
        assert assess(paused, ConnectorObservation(status("PAUSED", "PAUSED"))) == HEALTHY
        assert "task 0 is RUNNING" in reason(
            paused, ConnectorObservation(status("PAUSED", "RUNNING"))
        )

    def test_a_stopped_connector_has_no_tasks(self) -> None:
        stopped = spec(ConnectorState.STOPPED)
        assert assess(stopped, ConnectorObservation(status("STOPPED"))) == HEALTHY
        assert (
            reason(stopped, ConnectorObservation(status("STOPPED", "RUNNING")))
            == "it still has 1 tasks"
        )


class TestFailures:
    @pytest.mark.parametrize(
        ("seen", "start"),
        [
            (status("FAILED", trace=TRACE), "it has FAILED: org.apache"),
            (status("RUNNING", "FAILED", "FAILED", trace=TRACE), "2 of 2 tasks have FAILED"),
        ],
    )
    def test_a_failure_has_its_trace(self, seen: ConnectorStatus, start: str) -> None:
        found = assess(spec(), ConnectorObservation(seen))

        assert found.health is Health.FAILED
        assert found.reason.startswith(start)
        assert "NoSuchFileException: /etc/ca.pem" in found.reason

    def test_a_trace_keeps_its_causes_without_its_frames(self) -> None:
        assert summarize_trace(TRACE).splitlines() == [
            "org.apache.kafka.connect.errors.ConnectException: Task could not start",
            "    Caused by: org.apache.kafka.common.KafkaException: "
            "Failed to construct kafka consumer",
            "    Caused by: java.nio.file.NoSuchFileException: /etc/ca.pem",
        ]

    def test_a_long_chain_keeps_its_head_and_its_end(self) -> None:
        chain = "\n".join(f"Caused by: E{number}" for number in range(9))

        assert [line.strip()[-2:] for line in summarize_trace(chain).splitlines()] == [
            "E0",
            "E6",
            "E7",
            "E8",
        ]

    def test_a_missing_trace_is_mentioned(self) -> None:
        assert summarize_trace("") == "no stack trace"
