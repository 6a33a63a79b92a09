"""The config of the Connect workers next to a target."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mirrorstack.config.flows import FlowSettings
from mirrorstack.kafka.java_client import ClientAccess
from mirrorstack.mm2.key_scopes import worker_scope
from mirrorstack.mm2.worker_configs import worker_config
from mirrorstack.mm2.worker_group import WorkerGroup
from mirrorstack.rules.keys.checks import key_findings
from mirrorstack.runtimes.local import LocalRuntime
from tests.unit.mm2.accesses import ACCESSES


def flow(**changes: Any) -> FlowSettings:
    return FlowSettings.model_validate(
        {"from": "east", "to": "west", "topics": ["orders"], **changes}
    )


@pytest.mark.parametrize("access", ACCESSES, ids=lambda access: access.protocol)
@pytest.mark.parametrize("exactly_once", [True, False])
def test_kafka_knows_every_key_of_a_worker(
    access: ClientAccess, exactly_once: bool, tmp_path: Path
) -> None:
    group = WorkerGroup("west", "mirrorstack-west", exactly_once)
    of_runtime = LocalRuntime("dev", tmp_path).worker_properties("http://127.0.0.1:8083")
    config = worker_config(group, access, 1, of_runtime)

    assert [
        one for key in config for one in key_findings(worker_scope(), key, config[key], config)
    ] == []


def test_the_group_and_its_topics_are_named_after_the_target_or_as_declared() -> None:
    assert WorkerGroup.of("west", [flow()]).group == "mirrorstack-west"
    assert WorkerGroup.of("west", [flow()], "own").internal_topics == {
        "own-configs": 1,
        "own-offsets": 5,
        "own-status": 5,
    }


def test_workers_support_exactly_once_if_a_flow_to_their_target_uses_it() -> None:
    without = flow(**{"exactly-once": False})

    assert WorkerGroup.of("west", [without, flow(**{"from": "north"})]).exactly_once
    assert not WorkerGroup.of("west", [without, flow(to="south")]).exactly_once


def test_heartbeats_may_have_a_group_and_topics_of_their_own() -> None:
    group = WorkerGroup.of("west", [flow()], separate_heartbeats=True)

    assert group.groups == ("mirrorstack-west", "mirrorstack-west-heartbeats")
    assert len(group.internal_topics) == 6
    silent = WorkerGroup.of("west", [flow(heartbeats=False)], separate_heartbeats=True)
    assert silent.heartbeats is None
    assert WorkerGroup.of("west", [flow()]).groups == ("mirrorstack-west",)
