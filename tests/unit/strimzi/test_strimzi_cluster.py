"""Where the resources of a cluster of Strimzi's are."""

from __future__ import annotations

from mirrorstack.config.strimzi_clusters import StrimziClusterSettings
from mirrorstack.kubernetes.access import ClusterAccess
from mirrorstack.strimzi.strimzi_cluster import StrimziCluster
from tests.unit.strimzi.clusters import strimzi_cluster


def test_it_is_read_from_the_settings() -> None:
    settings = StrimziClusterSettings.model_validate(
        {"cluster": "my-cluster", "namespace": "kafka", "context": "west", "api-version": "v1beta2"}
    )

    cluster = StrimziCluster.of(settings, "dr")

    assert cluster.name == "my-cluster"
    assert cluster.access == ClusterAccess(namespace="kafka", context="west")
    assert cluster.version == "v1beta2"
    assert cluster.field_manager == "mirrorstack-dr"


def test_a_manifest_names_its_namespace() -> None:
    manifest = strimzi_cluster().manifest("KafkaTopic", {"name": "orders"}, {"partitions": 1})

    assert manifest == {
        "apiVersion": "kafka.strimzi.io/v1",
        "kind": "KafkaTopic",
        "metadata": {"namespace": "kafka", "name": "orders"},
        "spec": {"partitions": 1},
    }
