"""The change of workers from one runtime to another."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from components import worker_handover
from components.worker_handover import WorkerHandoverProvider

LOCAL: dict[str, Any] = {
    "target": "west",
    "runtime": "local-process",
    "options": {"directory": "/workers/dev/west"},
}
DOCKER: dict[str, Any] = {
    "target": "west",
    "runtime": "docker",
    "options": {"daemon": "unix:///docker.sock", "name": "mirrorstack-dev-west"},
}
provider = WorkerHandoverProvider()


@pytest.fixture
def stopped(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Mapping[str, str]]]:
    stopped: list[tuple[str, Mapping[str, str]]] = []

    def stop(runtime: str, options: Mapping[str, str]) -> None:
        stopped.append((runtime, options))

    monkeypatch.setattr(worker_handover, "stop_workers", stop)
    return stopped


def test_a_first_deployment_stops_nothing(stopped: list[Any]) -> None:
    assert provider.create(LOCAL).outs == LOCAL
    assert stopped == []


def test_the_same_workers_are_no_change() -> None:
    assert provider.diff("west-workers", LOCAL, dict(LOCAL)).changes is False


def test_another_runtime_stops_the_workers_of_the_old_one(stopped: list[Any]) -> None:
    assert provider.diff("west-workers", LOCAL, DOCKER).changes

    assert provider.update("west-workers", LOCAL, DOCKER).outs == DOCKER

    assert stopped == [("local-process", LOCAL["options"])]


def test_other_options_of_the_same_runtime_are_only_recorded(stopped: list[Any]) -> None:
    moved = DOCKER | {"options": DOCKER["options"] | {"daemon": "ssh://docker.example"}}

    assert provider.update("west-workers", DOCKER, moved).outs == moved

    assert stopped == []
