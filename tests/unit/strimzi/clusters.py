"""A cluster of Strimzi's, for tests."""

from __future__ import annotations

from mirrorstack.kubernetes.access import ClusterAccess
from mirrorstack.strimzi.strimzi_cluster import StrimziCluster


def strimzi_cluster(version: str = "v1", access: ClusterAccess | None = None) -> StrimziCluster:
    return StrimziCluster(
        name="my-cluster",
        access=access or ClusterAccess(namespace="kafka"),
        version=version,
        field_manager="mirrorstack-dr",
        wait_seconds=60.0,
    )
