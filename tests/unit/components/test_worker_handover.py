"""The change of workers from one runtime to another."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from components import worker_handover
from components.cluster_props import cluster_props
from components.worker_handover import WorkerHandoverProvider
from mirrorstack.connect.offset_transfer import ConnectorMove
from mirrorstack.connect.storage import OffsetsLocation
from tests.unit.components.test_connector import TARGET

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


FLOW: dict[str, Any] = {
    "group": "mirrorstack-west",
    "offsets": ["mirrorstack-west-offsets", "east-to-west-source"],
    "tasks": 2,
    "exactly_once": True,
}
CONNECT: dict[str, Any] = {
    **LOCAL,
    "naming": "stack",
    "flows": {"east-to-west": FLOW, "gone-to-west": FLOW},
    "new_topics": {"east-to-west": []},
    "cluster": cluster_props(TARGET.cluster, TARGET.password),
}
DEDICATED: dict[str, Any] = {
    **CONNECT,
    "naming": "dedicated",
    "flows": {
        "east-to-west": {
            **FLOW,
            "group": "east-mm2",
            "offsets": ["mm2-offsets.east.internal", "MirrorSourceConnector"],
        },
        "new-to-west": FLOW,
    },
    "new_topics": {"east-to-west": ["recreated"], "new-to-west": []},
}


class TestOffsets:
    """Workers that know a connector by another name."""

    def test_connectors_of_the_old_names_are_deleted(
        self,
        stopped: list[Any],
        moves: list[ConnectorMove],
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        """Workers of the same group would run them, too."""
        deleted: list[tuple[str, str]] = []
        monkeypatch.setattr(
            worker_handover,
            "delete_from_config_topic",
            lambda _cluster, topic, name: deleted.append((topic, name)),
        )
        old = {"configs": "mirrorstack-west-configs", "connectors": ["east-to-west-source"]}
        before = {**CONNECT, "flows": {"east-to-west": {**FLOW, **old}}}

        provider.update("west-workers", before, DEDICATED)

        assert deleted == [("mirrorstack-west-configs", "east-to-west-source")]

    @pytest.fixture
    def moves(self, monkeypatch: pytest.MonkeyPatch) -> list[ConnectorMove]:
        moves: list[ConnectorMove] = []

        def move(_cluster: Any, given: list[ConnectorMove], _report: Any) -> None:
            moves.extend(given)

        monkeypatch.setattr(worker_handover, "move_offsets", move)
        return moves

    def test_the_offsets_of_deployed_flows_move_after_the_old_workers_have_stopped(
        self, stopped: list[Any], moves: list[ConnectorMove]
    ) -> None:
        assert provider.diff("west-workers", CONNECT, DEDICATED).changes

        provider.update("west-workers", CONNECT, DEDICATED)

        assert stopped == [("local-process", LOCAL["options"])]
        assert moves == [
            ConnectorMove(
                "mirrorstack-west",
                OffsetsLocation("mirrorstack-west-offsets", "east-to-west-source"),
                OffsetsLocation("mm2-offsets.east.internal", "MirrorSourceConnector"),
                tasks=2,
                exactly_once=True,
                restarted=frozenset({"recreated"}),
            )
        ]

    def test_another_runtime_with_the_same_names_moves_nothing(
        self, stopped: list[Any], moves: list[ConnectorMove]
    ) -> None:
        provider.update("west-workers", CONNECT, {**CONNECT, "runtime": "docker"})

        assert len(stopped) == 1
        assert moves == []

    def test_new_topics_alone_are_no_change(self) -> None:
        news = {**CONNECT, "new_topics": {"east-to-west": ["orders"]}}

        assert provider.diff("west-workers", CONNECT, news).changes is False

    def test_a_state_that_does_not_say_where_offsets_are_is_refused(self) -> None:
        (failure,) = provider.check(LOCAL, DEDICATED).failures

        assert "run `pulumi up` once without this change" in failure.reason
        assert provider.check({}, DEDICATED).failures == []
        assert provider.check(LOCAL, CONNECT).failures == []
