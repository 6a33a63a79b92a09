"""Access to a cluster by a kubeconfig, and the errors of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from kubernetes.client import CoreV1Api

from mirrorstack.kubernetes.access import ClusterAccess, KubernetesError, as_json
from tests.unit.kubernetes.api_server import ApiServer, write_kubeconfig


def test_access_is_kept_in_the_state_as_one_value() -> None:
    access = ClusterAccess(
        namespace="kafka", context="arn:aws:eks:eu:1:cluster/x&y", kubeconfig="k"
    )

    assert ClusterAccess.decode(access.encoded) == access
    assert ClusterAccess(namespace="kafka").encoded == "namespace=kafka"


def test_objects_have_the_names_of_kubernetes(api: ApiServer) -> None:
    found = {"metadata": {"name": "kafka", "creationTimestamp": "2026-01-01T00:00:00Z"}}
    api.answers["GET", "/api/v1/namespaces/kafka"] = found

    with api.access.client() as client:
        namespace = as_json(client, CoreV1Api(client).read_namespace("kafka"))

    assert namespace["metadata"]["name"] == "kafka"
    assert "creationTimestamp" in namespace["metadata"]


def test_the_message_of_the_api_is_reported(api: ApiServer) -> None:
    with (
        pytest.raises(KubernetesError, match="namespaces/kafka: NotFound") as error,
        api.access.client() as client,
    ):
        CoreV1Api(client).read_namespace("kafka")

    assert error.value.status == 404
    assert "kubectl auth can-i" in error.value.fix


def test_a_server_that_does_not_answer_is_one_error(tmp_path: Path) -> None:
    write_kubeconfig(tmp_path / "kubeconfig", 1)
    access = ClusterAccess(namespace="kafka", kubeconfig=str(tmp_path / "kubeconfig"))

    with (
        pytest.raises(KubernetesError, match=r"does not answer: connection refused\n"),
        access.client() as client,
    ):
        CoreV1Api(client).read_namespace("kafka")


def test_an_unknown_context_gets_a_suggestion(api: ApiServer) -> None:
    access = replace(api.access, context="prod-wset")

    with (
        pytest.raises(
            KubernetesError, match=r"no context 'prod-wset'.*contexts: prod-west"
        ) as error,
        access.client(),
    ):
        pass

    assert error.value.fix == "did you mean `prod-west`?"


@pytest.mark.parametrize("content", [None, "", "not: [a kubeconfig"])
def test_a_kubeconfig_that_cannot_be_used_is_one_error(tmp_path: Path, content: str | None) -> None:
    file = tmp_path / "kubeconfig"
    if content is not None:
        file.write_text(content)

    access = ClusterAccess(namespace="kafka", kubeconfig=str(file))
    with pytest.raises(KubernetesError, match="cannot be used"), access.client():
        pass
