"""What a preview says about a cluster without Strimzi, or with another version of its API."""

from __future__ import annotations

from typing import Any

import pytest

from mirrorstack.findings import Finding
from mirrorstack.kubernetes.strimzi_checks import strimzi_findings
from tests.unit.kubernetes.api_server import ApiServer

REVIEW = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"
GROUP = "kafka.strimzi.io"
KINDS = ("KafkaMirrorMaker2", "KafkaConnect")
PLURALS = ("kafkamirrormaker2s", "kafkaconnects")


@pytest.fixture
def strimzi(api: ApiServer) -> ApiServer:
    """With Strimzi's API in the version v1, and every permission."""
    api.answers[("GET", "/api/v1/namespaces/kafka")] = {"metadata": {"name": "kafka"}}
    api.answers[("POST", REVIEW)] = review
    serve(api, "v1")
    return api


def review(_body: Any, *, allowed: bool = True) -> dict[str, Any]:
    return {"spec": {}, "status": {"allowed": allowed}}


def serve(api: ApiServer, *versions: str) -> None:
    found = [{"groupVersion": f"{GROUP}/{each}", "version": each} for each in versions]
    groups = [{"name": GROUP, "versions": found}] if versions else []
    api.answers[("GET", "/apis/")] = {"kind": "APIGroupList", "groups": groups}
    for version in versions:
        api.answers[("GET", f"/apis/{GROUP}/{version}")] = {
            "groupVersion": f"{GROUP}/{version}",
            "resources": [
                {"name": each, "singularName": "", "namespaced": True, "kind": "K", "verbs": []}
                for each in PLURALS
            ],
        }


def findings(api: ApiServer, version: str = "v1", secret: str = "") -> list[Finding]:
    return list(
        strimzi_findings(
            api.access,
            ("workers", "west", "strimzi"),
            "west",
            version=version,
            kinds=KINDS,
            passwords_secret=secret,
            aliases=["west"],
        )
    )


def test_a_cluster_with_strimzi_has_no_findings(strimzi: ApiServer) -> None:
    assert findings(strimzi) == []


def test_a_cluster_without_strimzi_is_found(strimzi: ApiServer) -> None:
    serve(strimzi)

    (found,) = findings(strimzi)

    assert found.key == "workers.west.strimzi"
    assert "kafkaconnects.kafka.strimzi.io, which Strimzi installs" in found.message


def test_another_version_of_the_api_is_named(strimzi: ApiServer) -> None:
    serve(strimzi, "v1beta2")

    (found,) = findings(strimzi)

    assert found.key == "workers.west.strimzi.api-version"
    assert "serves kafkamirrormaker2s.kafka.strimzi.io as v1beta2, and not as v1" in found.message
    assert findings(strimzi, "v1beta2") == []


def test_a_missing_namespace_is_the_only_finding(strimzi: ApiServer) -> None:
    serve(strimzi)
    del strimzi.answers[("GET", "/api/v1/namespaces/kafka")]

    (found,) = findings(strimzi)

    assert found.key == "workers.west.strimzi.namespace"


def test_missing_permissions_and_secrets_are_found(strimzi: ApiServer) -> None:
    strimzi.answers[("POST", REVIEW)] = lambda body: review(body, allowed=False)

    permission, secret = findings(strimzi, secret="theirs")

    assert "patch kafkamirrormaker2s" in permission.message
    assert "kafkamirrormaker2s/scale" in permission.message
    assert secret.key == "workers.west.strimzi.secret"


def test_an_api_server_that_does_not_answer_is_one_finding(api: ApiServer) -> None:
    api.answers[("GET", "/apis/")] = 500

    (found,) = findings(api)

    assert found.key == "workers.west.strimzi"
