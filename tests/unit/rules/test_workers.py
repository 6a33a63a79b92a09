"""Rules about Connect workers."""

from __future__ import annotations

import pytest

from mirrorstack.mm2.connector_configs import ConnectorKind
from mirrorstack.rules.subjects import ConnectorOnWorker, NamedConnector, NamedWorker, NamedWorkers
from mirrorstack.rules.workers import (
    consistent_worker_groups,
    exactly_once_support,
    workers_on_target_cluster,
)


def worker(group: str, topics: str, at: str = "west:9093") -> NamedWorker:
    names = {f"{each}.storage.topic": f"{topics}-{each}" for each in ("config", "offset", "status")}
    return NamedWorker(group, {"bootstrap.servers": at, "group.id": group, **names})


def placed(
    connector: dict[str, str],
    worker: dict[str, str],
    kind: ConnectorKind = ConnectorKind.SOURCE,
) -> ConnectorOnWorker:
    config = {"connector.class": kind.java_class, **connector}
    return ConnectorOnWorker(NamedConnector("c", config), NamedWorker("w", worker))


@pytest.mark.parametrize(
    ("workers", "count"),
    [
        ([worker("a", "a"), worker("a", "a"), worker("b", "b")], 0),
        ([worker("a", "a"), worker("b", "a", at="east:9093")], 0),
        ([worker("a", "a"), worker("b", "a")], 1),
        ([worker("a", "a"), worker("a", "b")], 1),
    ],
)
def test_a_group_shares_its_topics_and_two_groups_do_not(
    workers: list[NamedWorker], count: int
) -> None:
    assert len(list(consistent_worker_groups.findings(NamedWorkers(workers)))) == count


@pytest.mark.parametrize(
    ("target", "at", "count"),
    [("w1:1,w2:1", "W2:1", 0), ("w1:1", "e1:1", 1), ("", "e1:1", 0), ("w1:1", "", 0)],
)
def test_a_connector_runs_on_workers_of_its_target(target: str, at: str, count: int) -> None:
    given = placed({"target.cluster.bootstrap.servers": target}, {"bootstrap.servers": at})

    assert len(list(workers_on_target_cluster.findings(given))) == count


@pytest.mark.parametrize(
    ("kind", "support", "count"),
    [
        (ConnectorKind.SOURCE, {"exactly.once.source.support": "enabled"}, 0),
        (ConnectorKind.SOURCE, {"exactly.once.source.support": "preparing"}, 1),
        (ConnectorKind.SOURCE, {}, 1),
        (ConnectorKind.CHECKPOINT, {}, 0),
    ],
)
def test_exactly_once_needs_support_by_the_worker(
    kind: ConnectorKind, support: dict[str, str], count: int
) -> None:
    given = placed({"exactly.once.support": "required"}, support, kind)

    assert len(list(exactly_once_support.findings(given))) == count
