"""What a preview says about a cluster that cannot run the workers."""

from __future__ import annotations

import base64
from dataclasses import replace
from typing import Any

import pytest

from mirrorstack.findings import Finding
from mirrorstack.kubernetes.access import ClusterAccess
from mirrorstack.kubernetes.checks import cluster_findings, has_pod_monitors
from tests.unit.kubernetes.api_server import ApiServer

PATH = ("workers", "west", "kubernetes")
REVIEW = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"
SECRET = "/api/v1/namespaces/kafka/secrets/passwords"


@pytest.fixture(autouse=True)
def usable(api: ApiServer) -> None:
    api.answers["GET", "/api/v1/namespaces/kafka"] = {"metadata": {"name": "kafka"}}
    api.answers["POST", REVIEW] = lambda _: {"spec": {}, "status": {"allowed": True}}


def findings(
    access: ClusterAccess, secret: str = "", *, port_forward: bool = True
) -> list[Finding]:
    return list(
        cluster_findings(
            access,
            PATH,
            "west",
            passwords_secret=secret,
            aliases=["west", "east"],
            port_forward=port_forward,
        )
    )


def encoded(**passwords: str) -> dict[str, Any]:
    data = {key: base64.b64encode(value.encode()).decode() for key, value in passwords.items()}
    return {"metadata": {"name": "passwords"}, "data": data}


def test_a_usable_cluster_has_no_findings(api: ApiServer) -> None:
    assert findings(api.access) == []


def test_a_missing_namespace_gets_a_suggestion(api: ApiServer) -> None:
    api.answers["GET", "/api/v1/namespaces"] = {
        "items": [{"metadata": {"name": "kafka"}}],
        "metadata": {},
    }

    (found,) = findings(replace(api.access, namespace="kafak"))

    assert found.key == "workers.west.kubernetes.namespace"
    assert "context prod-west has no namespace kafak" in found.message
    assert found.fix == "did you mean `kafka`?"


def test_who_may_not_see_namespaces_is_not_stopped(api: ApiServer) -> None:
    api.answers["GET", "/api/v1/namespaces/kafka"] = 403

    assert findings(api.access) == []


def test_missing_permissions_are_named(api: ApiServer) -> None:
    def review(body: Any) -> dict[str, Any]:
        asked = body["spec"]["resourceAttributes"]
        refused = asked["resource"] == "statefulsets" or asked.get("subresource") == "portforward"
        return {"spec": body["spec"], "status": {"allowed": not refused}}

    api.answers["POST", REVIEW] = review

    (found,) = findings(api.access)
    (without_forward,) = findings(api.access, port_forward=False)

    assert "may not patch statefulsets, get pods/portforward in namespace kafka" in found.message
    assert "rest-url" in found.fix
    assert "portforward" not in without_forward.message


def test_an_existing_secret_has_to_exist_with_a_key_for_each_cluster(api: ApiServer) -> None:
    (missing,) = findings(api.access, "passwords")
    api.answers["GET", SECRET] = encoded(west="hunter2")
    (incomplete,) = findings(api.access, "passwords")
    api.answers["GET", SECRET] = encoded(west="hunter2", east="hunter3")

    assert "has no Secret passwords" in missing.message
    assert "has no key east (keys: west)" in incomplete.message
    assert findings(api.access, "passwords") == []


def test_a_password_that_breaks_a_jaas_entry_is_found_and_not_shown(api: ApiServer) -> None:
    api.answers["GET", SECRET] = encoded(west='hun"ter2', east="hunter3\n")

    found = findings(api.access, "passwords")

    assert [each.key for each in found] == ["workers.west.kubernetes.secret"] * 2
    assert "hun" not in str(found)


def test_a_secret_that_this_user_may_not_read_is_not_checked(api: ApiServer) -> None:
    api.answers["GET", SECRET] = 403

    assert findings(api.access, "passwords") == []


def test_a_wrong_context_is_a_finding(api: ApiServer) -> None:
    (found,) = findings(replace(api.access, context="prod-wset"))

    assert found.message.startswith("workers.west.kubernetes: the kubeconfig has no context")


def test_the_kind_of_the_prometheus_operator_is_looked_up(api: ApiServer) -> None:
    monitors = "/apis/monitoring.coreos.com/v1/namespaces/kafka/podmonitors"

    assert not has_pod_monitors(api.access)
    api.answers["GET", monitors] = {"items": []}
    assert has_pod_monitors(api.access)
    api.answers["GET", monitors] = 403
    assert has_pod_monitors(api.access), "the kind exists; this user may not list it"
