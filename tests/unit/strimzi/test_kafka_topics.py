"""Topics as KafkaTopics: valid for Strimzi's API, under names that Kubernetes accepts."""

from __future__ import annotations

import pytest

from mirrorstack.mm2.target_topics import TargetTopic
from mirrorstack.strimzi.kafka_topics import SUBDOMAIN, kafka_topic, resource_name
from tests.unit.kubernetes.strimzi_examples import wrong_fields
from tests.unit.strimzi.clusters import strimzi_cluster

ORDERS = TargetTopic("east.Orders", 3, 2, {"retention.ms": "1"})


@pytest.mark.parametrize("version", ["v1", "v1beta2"])
def test_the_resource_is_valid_for_the_api_of_the_operator(version: str) -> None:
    manifest = kafka_topic(strimzi_cluster(version), ORDERS)

    assert wrong_fields(manifest) == []
    assert manifest["metadata"]["labels"] == {"strimzi.io/cluster": "my-cluster"}
    assert manifest["spec"] == {
        "topicName": "east.Orders",
        "partitions": 3,
        "replicas": 2,
        "config": {"retention.ms": "1"},
    }


@pytest.mark.parametrize(("existing", "partitions"), [(1, 3), (3, 3), (5, 5)])
def test_partitions_are_only_added(existing: int, partitions: int) -> None:
    assert kafka_topic(strimzi_cluster(), ORDERS, existing)["spec"]["partitions"] == partitions


@pytest.mark.parametrize("topic", ["orders", "east.orders", "mm2-offset-syncs.east.internal", "1"])
def test_a_name_that_kubernetes_accepts_is_kept(topic: str) -> None:
    assert resource_name(topic) == topic


def test_other_names_are_made_valid_and_stay_distinct() -> None:
    topics = ["Orders", "ORDERS", "or_ders", "or__ders", "a..b", "-a", "___", "x" * 249 + "_"]

    names = [resource_name(topic) for topic in topics]

    assert len(set(names)) == len(names)
    for name in names:
        assert SUBDOMAIN.fullmatch(name)
        assert len(name) <= 253
    assert names[0].startswith("orders-")
