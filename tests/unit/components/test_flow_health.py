"""The health of a flow whose connectors the stack does not create itself."""

from __future__ import annotations

import pickle
from dataclasses import replace
from typing import Any

import pytest

from components import flow_health as module
from components.flow import MirrorFlow, MirrorFlowArgs
from components.flow_health import FlowHealthProvider
from mirrorstack.config.workers import WorkerMode, WorkerSettings
from mirrorstack.connect.health import Expectation
from mirrorstack.connect.responses import ConnectorStatus, TaskConfig, TaskStatus
from mirrorstack.findings import UserError
from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.mm2.connector_configs import ConnectorKind
from mirrorstack.mm2.worker_group import ConnectorNaming, WorkerGroup
from mirrorstack.planning.deployment import WorkerDeployment
from mirrorstack.runtimes.base import WorkerPlacement
from tests.unit.components.declaring import declare
from tests.unit.components.test_connector import SOURCE, TARGET
from tests.unit.components.test_flow import FLOW

KIND = ConnectorKind.SOURCE
CONFIG = {"connector.class": KIND.java_class, "tasks.max": "1"}
WORKERS = WorkerDeployment(
    group=WorkerGroup(
        "west", "", exactly_once=True, naming=ConnectorNaming.DEDICATED, sources=("east",)
    ),
    settings=WorkerSettings(mode=WorkerMode.DEDICATED),
    placement=WorkerPlacement(
        rest_urls=("http://127.0.0.1:18083",), options={"directory": "/workers/dev/west"}
    ),
    configs=(),
    heap_mb=512,
)
provider = FlowHealthProvider()


def props(**changes: Any) -> dict[str, Any]:
    connector = {
        "name": KIND.class_name,
        "kind": KIND.value,
        "config": CONFIG,
        "state": "running",
        "expect": Expectation(partitions={"orders": 1}, records=frozenset({"orders"})).encoded(),
    }
    declared = declare(lambda: flow(WORKERS)).resources["flow-health"].inputs
    return {**declared, "connectors": [connector], **changes}


def flow(workers: WorkerDeployment) -> MirrorFlow:
    args = MirrorFlowArgs(
        flow=FLOW, source=SOURCE, target=TARGET, rest_url="http://127.0.0.1:1", workers=workers
    )
    return MirrorFlow("flow", args)


class FakeReader:
    """The internal topics of a Connect group."""

    state = "RUNNING"
    replicated = True

    def __init__(self, *_: object) -> None:
        pass

    def status(self, _name: str) -> ConnectorStatus:
        return ConnectorStatus("RUNNING", "", (TaskStatus(0, self.state, "because"),))

    def tasks(self, _name: str) -> tuple[TaskConfig, ...]:
        return (TaskConfig({**CONFIG, "task.assigned.partitions": "orders-0"}),)

    def offsets(self, _name: str) -> dict[TopicPartition, int]:
        return {TopicPartition("orders", 0): 41} if self.replicated else {}


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> type[FakeReader]:
    class Reader(FakeReader):
        pass

    monkeypatch.setattr(module, "InternalTopicsReader", Reader)
    monkeypatch.setattr(module, "topics_with_backlog", lambda *_: frozenset())
    monkeypatch.setattr(module, "StallInspector", lambda *_: lambda *_: ())
    return Reader


def test_the_flow_has_no_connectors_of_its_own() -> None:
    declared = declare(lambda: flow(WORKERS))

    assert set(declared.resources) == {"flow", "flow-health"}
    inputs = declared.resources["flow-health"].inputs
    assert inputs["name"] == "east-to-west-source"
    assert inputs["storage"]["offsets_topic"] == "mm2-offsets.east.internal"
    assert {each["kind"] for each in inputs["connectors"]} == set(ConnectorKind)


def test_heartbeats_on_workers_of_their_own_are_not_waited_for() -> None:
    """Their state is in another Connect group."""
    group = replace(
        WORKERS.group, group="mine", naming=ConnectorNaming.STRIMZI, separate_heartbeats=True
    )

    declared = declare(lambda: flow(replace(WORKERS, group=group)))

    connectors = declared.resources["flow-health"].inputs["connectors"]
    assert [each["kind"] for each in connectors if each["elsewhere"]] == ["heartbeat"]
    assert all("connector.class" in each["declared_keys"] for each in connectors)


def test_its_pickle_is_a_reference() -> None:
    assert len(pickle.dumps(provider)) < 80


def test_it_is_complete_when_the_connectors_are_healthy(
    reader: type[FakeReader], clock: list[float]
) -> None:
    declared = props()

    assert provider.create(declared).outs == declared
    assert provider.diff("id", declared, dict(declared)).changes is False


def test_a_topic_that_is_not_replicated_ends_the_deployment_with_the_name_of_the_flow(
    reader: type[FakeReader], clock: list[float]
) -> None:
    reader.replicated = False

    with pytest.raises(UserError, match=r"flow east-to-west: connector MirrorSourceConnector"):
        provider.create(props())


def test_a_failed_task_shows_as_a_change_and_its_workers_are_restarted(
    reader: type[FakeReader], clock: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    reader.state = "FAILED"
    restarted: list[tuple[str, Any]] = []

    def restart(runtime: str, options: Any) -> None:
        restarted.append((runtime, options))
        reader.state = "RUNNING"

    monkeypatch.setattr(module, "restart_workers", restart)
    declared = props()
    assert provider.diff("id", declared, dict(declared)).changes

    provider.update("id", declared, dict(declared))

    assert restarted == [("local-process", {"directory": "/workers/dev/west"})]


def test_a_cluster_that_does_not_answer_is_no_change(
    reader: type[FakeReader], monkeypatch: pytest.MonkeyPatch
) -> None:
    def unreachable(*_: object) -> None:
        raise UserError("Cluster west does not answer")

    monkeypatch.setattr(reader, "status", unreachable)
    declared = props()

    assert provider.diff("id", declared, dict(declared)).changes is False


def test_a_change_of_naming_that_would_skip_records_is_refused() -> None:
    def renamed(policy: str) -> dict[str, Any]:
        declared = props()
        declared["connectors"][0]["config"] = CONFIG | {"replication.policy.class": policy}
        return {**declared, "new_topics": []}

    failures = provider.check(renamed("a.Prefixed"), renamed("a.Identity")).failures

    assert any("replication.policy.class changes" in each.reason for each in failures)
