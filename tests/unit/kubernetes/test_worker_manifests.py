"""The manifests, against the schemas of Kubernetes and in what they say."""

from __future__ import annotations

from typing import Any

import kubernetes_validate
import pytest

from mirrorstack.kubernetes.worker_manifests import worker_manifests
from mirrorstack.kubernetes.worker_pods import Autoscaling, WorkerPods
from tests.unit.kubernetes.worker_examples import pods

VERSIONS = ("1.29", "1.33", "1.36")
EVERYTHING = pods(
    autoscaling=Autoscaling(max_replicas=4, metric="lag", target="100k"),
    metrics_port=9404,
    pull_secrets=["registry"],
    node_selector={"disk": "fast"},
    tolerations=[{"key": "kafka", "operator": "Exists", "effect": "NoSchedule"}],
    jars={"1-policy.jar": "UEs="},
    jars_directory="/opt/mirrorstack",
    labels={"team": "data"},
    annotations={"team": "data"},
)


def of_kind(workers: WorkerPods, kind: str) -> list[dict[str, Any]]:
    return [each for each in worker_manifests(workers) if each["kind"] == kind]


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("workers", [pods(), EVERYTHING], ids=["defaults", "everything"])
def test_every_manifest_is_valid(workers: WorkerPods, version: str) -> None:
    for manifest in worker_manifests(workers):
        kubernetes_validate.validate(manifest, version, strict=True)


def test_an_unknown_field_would_be_found() -> None:
    (stateful_set,) = of_kind(pods(), "StatefulSet")
    stateful_set["spec"]["replica"] = 1

    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(stateful_set, "1.36", strict=True)


def test_the_stateful_set_has_the_declared_number_of_workers() -> None:
    (stateful_set,) = of_kind(pods(), "StatefulSet")

    assert stateful_set["spec"]["replicas"] == 2
    assert stateful_set["spec"]["serviceName"] == "mirrorstack-dr-west-workers"


def test_an_autoscaler_decides_on_the_number_itself() -> None:
    (stateful_set,) = of_kind(EVERYTHING, "StatefulSet")
    (autoscaler,) = of_kind(EVERYTHING, "HorizontalPodAutoscaler")

    assert "replicas" not in stateful_set["spec"]
    assert (autoscaler["spec"]["minReplicas"], autoscaler["spec"]["maxReplicas"]) == (2, 4)
    assert autoscaler["spec"]["metrics"][0]["external"]["metric"] == {"name": "lag"}


def test_one_service_is_headless_and_one_is_for_the_rest_api() -> None:
    headless, rest = of_kind(pods(), "Service")

    assert headless["spec"]["clusterIP"] == "None"
    assert headless["spec"]["publishNotReadyAddresses"], "workers join the group before Ready"
    assert rest["metadata"]["name"] == "mirrorstack-dr-west"


def test_the_rest_port_is_open_to_other_workers_only() -> None:
    (policy,) = of_kind(pods(), "NetworkPolicy")
    (behind_ingress,) = of_kind(pods(open_rest_port=True), "NetworkPolicy")

    assert policy["spec"]["ingress"][0]["from"] == [
        {"podSelector": {"matchLabels": pods().selector}}
    ]
    assert "from" not in behind_ingress["spec"]["ingress"][0]


def test_passwords_are_in_secrets_only_and_an_existing_one_is_not_declared() -> None:
    login, passwords = of_kind(pods(), "Secret")
    (only,) = of_kind(pods(passwords=None, passwords_secret="theirs"), "Secret")

    assert passwords["data"] == {"east": "aHVudGVyMg=="}
    assert login["metadata"]["name"] == only["metadata"]["name"] == "mirrorstack-dr-west-login"
    others = [each for each in worker_manifests(pods()) if each["kind"] != "Secret"]
    assert "aHVudGVyMg==" not in repr(others)


def test_one_worker_at_a_time_may_be_disrupted() -> None:
    (budget,) = of_kind(pods(), "PodDisruptionBudget")

    assert budget["spec"]["maxUnavailable"] == 1


def test_prometheus_finds_the_metrics_where_its_operator_runs() -> None:
    assert of_kind(pods(metrics_port=9404), "PodMonitor") == []
    (monitor,) = of_kind(pods(metrics_port=9404, pod_monitor=True), "PodMonitor")

    assert monitor["spec"]["podMetricsEndpoints"] == [{"port": "metrics"}]


def test_the_account_of_the_pods_has_no_token() -> None:
    (account,) = of_kind(pods(), "ServiceAccount")

    assert account["automountServiceAccountToken"] is False
