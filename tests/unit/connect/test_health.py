"""The judgement: RUNNING is not enough, and every reason is told."""

from __future__ import annotations

import pytest

from mirrorstack.connect.health import (
    Declared,
    Expectation,
    Failed,
    Healthy,
    NotYet,
    Seen,
    judge,
    shorten,
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


def declared(state: ConnectorState = ConnectorState.RUNNING, **expectation: object) -> Declared:
    expected = Expectation(**expectation)  # type: ignore[arg-type]
    return Declared(name="orders", config=CONFIG, state=state, expectation=expected)


def status(state: str = "RUNNING", *tasks: str, trace: str = "") -> ConnectorStatus:
    of_tasks = (TaskStatus(id_, one, trace) for id_, one in enumerate(tasks))
    return ConnectorStatus(state, trace, tuple(of_tasks))


def task(*partitions: str, **changes: str) -> TaskConfig:
    own = {"name": "orders", "task.index": "0", "task.assigned.partitions": ",".join(partitions)}
    return TaskConfig({**CONFIG, **own, **changes})


def why(declared: Declared, seen: Seen) -> str:
    verdict = judge(declared, seen)
    assert isinstance(verdict, NotYet), verdict
    return verdict.why


class TestRunning:
    def test_tasks_partitions_and_offsets_make_it_healthy(self) -> None:
        expected = declared(partitions={"orders": 2}, records=frozenset({"orders"}))
        seen = Seen(
            status("RUNNING", "RUNNING", "RUNNING"),
            (task("orders-0"), task("orders-1")),
            frozenset({"orders"}),
        )
        assert judge(expected, seen) == Healthy()

    def test_without_tasks_it_is_not(self) -> None:
        reason = why(declared(), Seen(status("RUNNING")))

        assert "RUNNING without any task" in reason
        assert "wrong password" in reason

    def test_checkpoints_may_be_without_tasks(self) -> None:
        assert judge(declared(may_idle=True), Seen(status("RUNNING"))) == Healthy()

    def test_a_task_that_does_not_run_is_named(self) -> None:
        reason = why(declared(), Seen(status("RUNNING", "RUNNING", "UNASSIGNED")))

        assert reason == "1 of 2 tasks are not RUNNING: task 1 is UNASSIGNED"

    def test_missing_partitions_are_named(self) -> None:
        seen = Seen(status("RUNNING", "RUNNING"), (task("orders-0"),))

        assert why(declared(partitions={"orders": 3}), seen) == "no task has orders-1, orders-2"

    def test_partitions_that_nobody_declared_are_named(self) -> None:
        seen = Seen(status("RUNNING", "RUNNING"), (task("orders-0", "salaries-0"),))

        assert "salaries-0, which were not declared" in why(
            declared(partitions={"orders": 1}), seen
        )

    @pytest.mark.parametrize("topic", ["heartbeats", "north.heartbeats"])
    def test_mirror_maker_s_own_heartbeats_are_no_surprise(self, topic: str) -> None:
        seen = Seen(status("RUNNING", "RUNNING"), (task("orders-0", f"{topic}-0"),))

        assert judge(declared(partitions={"orders": 1}), seen) == Healthy()

    def test_many_partitions_are_not_all_told(self) -> None:
        seen = Seen(status("RUNNING", "RUNNING"), (task(),))

        assert why(declared(partitions={"orders": 50}), seen).endswith("and 45 more")

    def test_a_topic_with_records_needs_an_offset(self) -> None:
        seen = Seen(status("RUNNING", "RUNNING"), (task("orders-0"),))

        assert "no record of orders has been mirrored" in why(
            declared(records=frozenset({"orders"})), seen
        )

    def test_tasks_from_before_a_change_prove_nothing(self) -> None:
        seen = Seen(status("RUNNING", "RUNNING"), (task(topics="payments", **{"old.key": "1"}),))

        assert why(declared(), seen) == "its tasks still run with the former old.key, topics"

    def test_other_connectors_hand_down_to_tasks_what_they_like(self) -> None:
        other = Declared(name="orders", config={"connector.class": "org.example.Sink"})
        seen = Seen(status("RUNNING", "RUNNING"), (TaskConfig({"own": "1"}),))

        assert judge(other, seen) == Healthy()


class TestOtherStates:
    def test_no_status_yet(self) -> None:
        assert "no status" in why(declared(), Seen(None))

    @pytest.mark.parametrize("state", ConnectorState)
    def test_another_state_than_declared(self, state: ConnectorState) -> None:
        assert why(declared(state), Seen(status("UNASSIGNED"))) == "it is UNASSIGNED"

    def test_paused_with_its_tasks(self) -> None:
        paused = declared(ConnectorState.PAUSED, partitions={"orders": 1})
        assert judge(paused, Seen(status("PAUSED", "PAUSED"))) == Healthy()
        assert "task 0 is RUNNING" in why(paused, Seen(status("PAUSED", "RUNNING")))

    def test_stopped_has_no_tasks(self) -> None:
        stopped = declared(ConnectorState.STOPPED)
        assert judge(stopped, Seen(status("STOPPED"))) == Healthy()
        assert why(stopped, Seen(status("STOPPED", "RUNNING"))) == "it still has 1 tasks"


class TestFailures:
    @pytest.mark.parametrize(
        ("seen", "start"),
        [
            (status("FAILED", trace=TRACE), "it has FAILED: org.apache"),
            (status("RUNNING", "FAILED", "FAILED", trace=TRACE), "2 of 2 tasks have FAILED"),
        ],
    )
    def test_the_trace_is_told(self, seen: ConnectorStatus, start: str) -> None:
        verdict = judge(declared(), Seen(seen))

        assert isinstance(verdict, Failed)
        assert verdict.why.startswith(start)
        assert "NoSuchFileException: /etc/ca.pem" in verdict.why

    def test_a_trace_keeps_its_causes_and_loses_its_frames(self) -> None:
        assert shorten(TRACE).splitlines() == [
            "org.apache.kafka.connect.errors.ConnectException: Task could not start",
            "    Caused by: org.apache.kafka.common.KafkaException: "
            "Failed to construct kafka consumer",
            "    Caused by: java.nio.file.NoSuchFileException: /etc/ca.pem",
        ]

    def test_a_long_chain_keeps_its_head_and_its_end(self) -> None:
        chain = "\n".join(f"Caused by: E{number}" for number in range(9))

        assert [line.strip()[-2:] for line in shorten(chain).splitlines()] == [
            "E0",
            "E6",
            "E7",
            "E8",
        ]

    def test_no_trace_is_said(self) -> None:
        assert shorten("") == "without a trace"
