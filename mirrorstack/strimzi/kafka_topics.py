"""Topics as KafkaTopics, from which Strimzi's Topic Operator creates them."""

from __future__ import annotations

import hashlib
import re

from mirrorstack.kubernetes.worker_pods import Manifest
from mirrorstack.mm2.target_topics import TargetTopic
from mirrorstack.strimzi.strimzi_cluster import CLUSTER_LABEL, StrimziCluster

KIND = "KafkaTopic"
SUBDOMAIN = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")
"""What Kubernetes accepts as a name (RFC 1123)."""
NAME_CHARACTERS = 253
HASH_CHARACTERS = 8


def kafka_topic(cluster: StrimziCluster, topic: TargetTopic, existing: int = 0) -> Manifest:
    """`existing`: the partitions that the topic has. The operator removes none, and refuses a
    resource with fewer."""
    return cluster.manifest(
        KIND,
        {"name": resource_name(topic.name), "labels": {CLUSTER_LABEL: cluster.name}},
        {
            "topicName": topic.name,
            "partitions": max(topic.partitions, existing),
            "replicas": topic.replication_factor,
            "config": dict(topic.config),
        },
    )


def resource_name(topic: str) -> str:
    """The topic's name, if Kubernetes accepts it; otherwise one that is made from it, with a hash
    that keeps `Orders` and `orders` apart."""
    if SUBDOMAIN.fullmatch(topic) and len(topic) <= NAME_CHARACTERS:
        return topic
    digest = hashlib.sha256(topic.encode()).hexdigest()[:HASH_CHARACTERS]
    readable = re.sub(r"[^a-z0-9]+", "-", topic.lower()).strip("-")
    shortened = readable[: NAME_CHARACTERS - HASH_CHARACTERS - 1].strip("-")
    return f"{shortened}-{digest}".strip("-")
