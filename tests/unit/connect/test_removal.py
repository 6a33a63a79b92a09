"""Deleting a connector, with and without workers."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from confluent_kafka import KafkaError

from mirrorstack.connect import removal as module
from mirrorstack.connect.client import ConnectClient, RetryPolicy
from mirrorstack.connect.removal import ConnectGroup, delete_connector
from mirrorstack.findings import UserError
from tests.loopback import refused_connections
from tests.unit.connect.scripted import Script
from tests.unit.kafka.fakes import FakeAdmin, cluster, failed

MEMBER = SimpleNamespace(members=["worker-1"])
EMPTY = SimpleNamespace(members=[])

pytestmark = pytest.mark.usefixtures("clock")


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """Topics and connectors that tombstones are written for."""
    written: list[tuple[str, str]] = []
    monkeypatch.setattr(
        module,
        "delete_from_config_topic",
        lambda _cluster, topic, name: written.append((topic, name)),
    )
    monkeypatch.setattr(module, "is_in_config_topic", lambda *_: True)
    return written


@pytest.fixture
def gone() -> Iterator[ConnectClient]:
    """Connect without workers."""
    with refused_connections() as url:
        yield ConnectClient(url, retries=RetryPolicy(seconds=0))


def group(*answers: Any) -> ConnectGroup:
    """A group with these members each time that the cluster is asked; the last one stays."""
    every = list(answers)

    class Groups(dict[str, Any]):
        def get(self, _group: str, _default: Any = None) -> Any:
            return [every.pop(0) if len(every) > 1 else every[0]]

    return ConnectGroup(cluster(FakeAdmin({"list_groups": Groups()})), "g", "g-configs")


def test_a_connect_that_responds_deletes_it(
    connect: Script, written: list[tuple[str, str]]
) -> None:
    connect["DELETE /connectors/orders"] = (204, None)

    delete_connector(ConnectClient(connect.url), "orders", lambda: group(MEMBER))

    assert connect.count("DELETE /connectors/orders") == 1
    assert written == []


@pytest.mark.parametrize("answers", [[EMPTY], [MEMBER, MEMBER, EMPTY]])
def test_without_members_it_is_deleted_in_the_config_topic(
    gone: ConnectClient, written: list[tuple[str, str]], answers: list[Any]
) -> None:
    delete_connector(gone, "orders", lambda: group(*answers))

    assert written == [("g-configs", "orders")]


def test_with_members_it_is_an_error(gone: ConnectClient, written: list[tuple[str, str]]) -> None:
    with pytest.raises(UserError, match="but the group g has members") as raised:
        delete_connector(gone, "orders", lambda: group(MEMBER))

    assert "start the workers" in raised.value.fix
    assert written == []


def test_workers_that_know_it_by_another_name_need_not_delete_it(
    gone: ConnectClient, written: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "is_in_config_topic", lambda *_: False)

    delete_connector(gone, "orders", lambda: group(MEMBER))

    assert written == []


def test_an_unknown_group_is_the_error_of_connect(gone: ConnectClient) -> None:
    with pytest.raises(UserError, match="no Connect worker responds") as raised:
        delete_connector(gone, "orders", lambda: None)

    assert "pulumi state delete" in raised.value.fix


def test_an_unreachable_target_cluster_is_one_error_with_a_fix(gone: ConnectClient) -> None:
    admin = FakeAdmin({"list_topics": failed(KafkaError._TRANSPORT, "all brokers are down")})
    unreachable = ConnectGroup(cluster(admin), "g", "g-configs")

    with pytest.raises(UserError, match="connector orders cannot be deleted") as raised:
        delete_connector(gone, "orders", lambda: unreachable)

    (finding,) = raised.value.findings
    assert "no Connect worker responds" in finding.message
    assert "all brokers are down" in finding.message
    assert finding.fix.startswith("start the brokers; ")
