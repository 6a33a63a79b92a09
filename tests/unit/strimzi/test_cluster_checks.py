"""What a preview says about a cluster of Strimzi's and its KafkaUser."""

from __future__ import annotations

from typing import Any

import pytest

from mirrorstack.findings import Finding
from mirrorstack.strimzi.cluster_checks import (
    KafkaUserAcls,
    acls_given_up,
    strimzi_cluster_findings,
    topics_change_owner,
)
from tests.unit.kubernetes.api_server import ApiServer
from tests.unit.strimzi.clusters import strimzi_cluster

REVIEW = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"
GROUP = "kafka.strimzi.io"
USERS = f"/apis/{GROUP}/v1/namespaces/kafka/kafkausers"


def user(cluster: str | None = "my-cluster", owner: str = "") -> dict[str, Any]:
    owned = {"manager": owner, "fieldsV1": {"f:spec": {"f:authorization": {}}}}
    return {
        "metadata": {
            "name": "mirror",
            "labels": {"strimzi.io/cluster": cluster} if cluster else {},
            "managedFields": [owned] if owner else [],
        }
    }


@pytest.fixture
def strimzi(api: ApiServer) -> ApiServer:
    """With Strimzi's API, every permission and the KafkaUser."""
    resources: list[dict[str, Any]] = [
        {"name": each, "singularName": "", "namespaced": True, "kind": "K", "verbs": []}
        for each in ("kafkatopics", "kafkausers")
    ]
    versions = [{"groupVersion": f"{GROUP}/v1", "version": "v1"}]
    api.answers |= {
        ("GET", "/api/v1/namespaces/kafka"): {"metadata": {"name": "kafka"}},
        ("POST", REVIEW): {"spec": {}, "status": {"allowed": True}},
        ("GET", "/apis/"): {"groups": [{"name": GROUP, "versions": versions}]},
        ("GET", f"/apis/{GROUP}/v1"): {"groupVersion": f"{GROUP}/v1", "resources": resources},
        ("GET", f"{USERS}/mirror"): user(),
        ("GET", USERS): {"items": [user()]},
    }
    return api


def findings(
    api: ApiServer,
    principal: str = "mirror",
    version: str = "v1",
    acls: KafkaUserAcls = KafkaUserAcls.SET,
) -> list[Finding]:
    cluster = strimzi_cluster(version, api.access)
    return list(
        strimzi_cluster_findings(
            cluster, "west", principal=principal, acls=acls, delete_topics=True
        )
    )


def test_a_cluster_with_its_kafka_user_has_no_findings(strimzi: ApiServer) -> None:
    assert findings(strimzi) == []
    asked = {
        (body["spec"]["resourceAttributes"]["resource"], body["spec"]["resourceAttributes"]["verb"])
        for _, path, body in strimzi.requests
        if path == REVIEW
    }
    topics = {("kafkatopics", verb) for verb in ("patch", "list", "delete")}
    assert asked == topics | {("kafkausers", verb) for verb in ("patch", "get")}


def test_a_missing_kafka_user_is_found_with_a_similar_name(strimzi: ApiServer) -> None:
    (found,) = findings(strimzi, "mirrror")

    assert found.key == "clusters.west.principals.mirror"
    assert "has no KafkaUser mirrror" in found.message
    assert "`mirror`" in found.fix
    (found,) = findings(strimzi, "somebody")
    assert "label strimzi.io/cluster=my-cluster" in found.fix


@pytest.mark.parametrize(
    ("label", "said", "fix"),
    [
        ("other", "has strimzi.io/cluster=other, and not my-cluster", "set `cluster: other`"),
        (None, "has no label strimzi.io/cluster, and not my-cluster", "label kafkauser mirror"),
    ],
)
def test_a_kafka_user_of_another_cluster_is_found(
    strimzi: ApiServer, label: str | None, said: str, fix: str
) -> None:
    strimzi.answers[("GET", f"{USERS}/mirror")] = user(label)

    (found,) = findings(strimzi)

    assert found.key == "clusters.west.strimzi.cluster"
    assert said in found.message
    assert fix in found.fix


def test_another_owner_of_the_acls_is_found(strimzi: ApiServer) -> None:
    strimzi.answers[("GET", f"{USERS}/mirror")] = user(owner="flux")

    (found,) = findings(strimzi)

    assert found.key == "clusters.west.acls"
    assert "belongs to flux" in found.message
    assert "`acls: exported`" in found.fix


def test_the_stack_itself_may_own_them(strimzi: ApiServer) -> None:
    strimzi.answers[("GET", f"{USERS}/mirror")] = user(owner="mirrorstack-dr")

    assert findings(strimzi) == []


def test_without_acls_of_the_stack_the_kafka_user_is_not_read(strimzi: ApiServer) -> None:
    del strimzi.answers[("GET", f"{USERS}/mirror")]

    assert findings(strimzi, acls=KafkaUserAcls.LEFT_ALONE) == []


def test_a_missing_version_is_the_only_finding(strimzi: ApiServer) -> None:
    (found,) = findings(strimzi, version="v1beta2")

    assert found.key == "clusters.west.strimzi.api-version"


def test_missing_permissions_are_found(strimzi: ApiServer) -> None:
    strimzi.answers[("POST", REVIEW)] = {"spec": {}, "status": {"allowed": False}}

    (found,) = findings(strimzi)

    assert "patch kafkatopics" in found.message
    assert found.key == "clusters.west.strimzi.context"


def test_an_unreadable_kafka_user_is_one_finding(strimzi: ApiServer) -> None:
    strimzi.answers[("GET", f"{USERS}/mirror")] = 403

    (found,) = findings(strimzi)

    assert found.key == "clusters.west.strimzi"


def test_topics_that_would_be_deleted_by_the_change_are_refused() -> None:
    found = topics_change_owner("west", is_strimzi=True)

    assert "this deployment adds it" in found.message
    assert "without `delete-topics`" in found.fix


def test_acls_are_given_up_only_to_another_owner(strimzi: ApiServer) -> None:
    strimzi.answers[("GET", f"{USERS}/mirror")] = user(owner="mirrorstack-dr")

    (found,) = findings(strimzi, acls=KafkaUserAcls.GIVEN_UP)

    assert found.key == "clusters.west.acls"
    assert "nobody else owns it" in found.message
    assert "kubectl apply --server-side" in found.fix
    strimzi.answers[("GET", f"{USERS}/mirror")] = user(owner="flux")
    assert findings(strimzi, acls=KafkaUserAcls.GIVEN_UP) == []


def test_without_strimzi_the_acls_would_be_given_up_to_nobody() -> None:
    assert "`acls: exported` first" in acls_given_up("west").fix
