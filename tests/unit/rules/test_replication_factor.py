"""Replication factors against the number of brokers."""

from __future__ import annotations

import pytest

from mirrorstack.mm2.connector_configs import ConnectorKind
from mirrorstack.rules.replication_factor import (
    CONNECTOR_FACTORS,
    WORKER_FACTORS,
    connector_factors,
    internal_topic_replication_factor,
    topic_replication_factor,
    writable_topics,
)
from mirrorstack.rules.subjects import InternalTopics, TopicConfig, TopicOnCluster

SOURCE = {"connector.class": ConnectorKind.SOURCE.java_class}


@pytest.mark.parametrize(
    ("config", "factors", "brokers", "count"),
    [
        (SOURCE, CONNECTOR_FACTORS["MirrorSourceConnector"], 1, 2),
        (SOURCE, CONNECTOR_FACTORS["MirrorSourceConnector"], 2, 1),
        ({}, WORKER_FACTORS, 3, 0),
        (dict.fromkeys(WORKER_FACTORS, "-1"), WORKER_FACTORS, 1, 0),
    ],
)
def test_internal_topics_are_checked_with_their_defaults(
    config: dict[str, str], factors: dict[str, int], brokers: int, count: int
) -> None:
    given = InternalTopics("c", config, factors, "west", brokers)

    assert len(list(internal_topic_replication_factor.findings(given))) == count


def test_a_connector_has_the_factors_of_its_class() -> None:
    assert connector_factors(SOURCE) == CONNECTOR_FACTORS["MirrorSourceConnector"]
    assert connector_factors({"connector.class": "io.example.Sink"}) == {}


@pytest.mark.parametrize(
    ("factor", "brokers", "count"), [(3, 3, 0), (4, 3, 1), (None, 3, 0), (4, None, 0)]
)
def test_a_topic_has_at_most_as_many_replicas_as_there_are_brokers(
    factor: int | None, brokers: int | None, count: int
) -> None:
    placed = TopicOnCluster(TopicConfig("orders", factor, {}), "west", brokers, read_only=False)
    found = list(topic_replication_factor.findings(placed))

    assert [finding.cluster for finding in found] == ["west"] * count


@pytest.mark.parametrize(("factor", "count"), [(2, 0), (1, 1), (None, 0)])
def test_a_topic_has_enough_replicas_for_its_producers(factor: int | None, count: int) -> None:
    topic = TopicConfig("orders", factor, {"min.insync.replicas": "2"})

    assert len(list(writable_topics.findings(topic))) == count
