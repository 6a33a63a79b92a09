"""What a deployment changes on clusters that Strimzi's operators run, or did before."""

from __future__ import annotations

from collections.abc import Iterator

from mirrorstack.findings import Finding
from mirrorstack.planning.cluster_acls import ClusterAcls
from mirrorstack.planning.previous_state import PreviousState
from mirrorstack.strimzi.cluster_checks import (
    KafkaUserAcls,
    acls_given_up,
    strimzi_cluster_findings,
    topics_change_owner,
)
from mirrorstack.strimzi.strimzi_cluster import StrimziCluster


def operated_cluster_findings(
    cluster: StrimziCluster | None,
    acls: ClusterAcls,
    previous: PreviousState,
    alias: str,
    *,
    delete_topics: bool,
) -> Iterator[Finding]:
    """`cluster`: None if the stack declares no resources of Strimzi's there."""
    if previous.deletable_topics and (cluster is not None) != (alias in previous.strimzi):
        yield topics_change_owner(alias, is_strimzi=cluster is not None)
    change = KafkaUserAcls.SET if acls.of_kafka_user else KafkaUserAcls.LEFT_ALONE
    if alias in previous.kafka_users and not acls.of_kafka_user:
        change = KafkaUserAcls.GIVEN_UP
    if cluster is not None:
        yield from strimzi_cluster_findings(
            cluster,
            alias,
            principal=acls.principal,
            acls=change,
            delete_topics=delete_topics,
        )
    elif change is KafkaUserAcls.GIVEN_UP:
        yield acls_given_up(alias)
