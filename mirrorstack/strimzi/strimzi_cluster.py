"""A Kafka cluster of Strimzi's: where its KafkaTopics and KafkaUsers are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from mirrorstack.config.strimzi_clusters import StrimziClusterSettings
from mirrorstack.kubernetes.access import ClusterAccess
from mirrorstack.kubernetes.strimzi_resources import GROUP
from mirrorstack.kubernetes.worker_pods import Manifest
from mirrorstack.runtimes.kubernetes import namespace_access

CLUSTER_LABEL = "strimzi.io/cluster"
"""The operators select their resources by it."""


@dataclass(frozen=True, kw_only=True)
class StrimziCluster:
    name: str
    """Of the Kafka resource."""
    access: ClusterAccess
    version: str
    """Of the API kafka.strimzi.io."""
    field_manager: str
    """That owns what the stack sets in resources of others."""
    wait_seconds: float

    @classmethod
    def of(cls, settings: StrimziClusterSettings, stack: str) -> StrimziCluster:
        return cls(
            name=settings.cluster,
            access=namespace_access(settings),
            version=settings.api_version.value,
            field_manager=f"mirrorstack-{stack}",
            wait_seconds=settings.wait_seconds,
        )

    def manifest(self, kind: str, metadata: dict[str, Any], spec: dict[str, Any]) -> Manifest:
        return {
            "apiVersion": f"{GROUP}/{self.version}",
            "kind": kind,
            "metadata": {"namespace": self.access.namespace, **metadata},
            "spec": spec,
        }
