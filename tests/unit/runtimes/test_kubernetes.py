"""Where the pods of a stack are, and how their REST API is reached."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mirrorstack.config.workers import WorkerSettings
from mirrorstack.kubernetes.access import ClusterAccess
from mirrorstack.kubernetes.port_forward import PortForward
from mirrorstack.runtimes import kubernetes
from mirrorstack.runtimes.base import WorkerPlacement
from mirrorstack.runtimes.kubernetes import KubernetesRuntime

NAME = "mirrorstack-dr-west"


@pytest.fixture
def runtime(tmp_path: Path) -> KubernetesRuntime:
    return KubernetesRuntime("dr", tmp_path)


def placed(runtime: KubernetesRuntime, **workers: Any) -> WorkerPlacement:
    settings = WorkerSettings.model_validate({"runtime": "kubernetes", **workers})
    return runtime.place_workers("west", settings, None)


def test_without_an_address_the_rest_api_is_reached_by_a_port_forward(
    runtime: KubernetesRuntime,
) -> None:
    placement = placed(runtime, count=3, kubernetes={"namespace": "kafka", "context": "prod"})

    assert placement.rest_urls == (f"http://{NAME}.kafka.svc:8083",)
    assert PortForward.decode(placement.login.port_forward) == PortForward(
        ClusterAccess(namespace="kafka", context="prod"), f"app.kubernetes.io/instance={NAME}"
    )
    assert placement.login.username == "mirrorstack"
    assert placement.login.password_key == "west-connect-password"


def test_an_ingress_is_used_with_its_certificates(
    runtime: KubernetesRuntime, tmp_path: Path
) -> None:
    security = {"ca-file": str(tmp_path / "ca.pem")}
    placement = placed(
        runtime, **{"rest-url": "https://connect.example/", "rest-security": security}
    )

    assert placement.rest_url == "https://connect.example"
    assert placement.login.port_forward == ""
    assert placement.login.ca_file == str(tmp_path / "ca.pem")


def test_passwords_and_addresses_are_references(runtime: KubernetesRuntime) -> None:
    properties = runtime.worker_properties("")

    reference = runtime.secret_reference("west", "east")
    assert reference == "${directory:/etc/mirrorstack/passwords:east}"
    assert properties["rest.advertised.host.name"] == "${env:MIRRORSTACK_ADDRESS}"
    assert properties["config.providers"] == "directory,env"
    assert not runtime.reads_local_files


def test_a_derived_name_that_kubernetes_refuses_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kubernetes, "cluster_findings", lambda *_, **__: ())
    runtime = KubernetesRuntime("DR_prod", tmp_path)
    placement = placed(runtime)

    (found,) = runtime.check_host(placement, "west", ["west"])

    assert found.key == "workers.west.kubernetes.name"
    assert "mirrorstack-DR_prod-west" in found.message


def test_the_cluster_is_asked_for_the_aliases_of_an_existing_secret(
    runtime: KubernetesRuntime, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[dict[str, Any]] = []

    def cluster_findings(*_: Any, **options: Any) -> tuple[()]:
        asked.append(options)
        return ()

    monkeypatch.setattr(kubernetes, "cluster_findings", cluster_findings)
    placement = placed(runtime, kubernetes={"secret": "theirs"})

    assert list(runtime.check_host(placement, "west", ["west", "east"])) == []

    (options,) = asked
    assert options == {
        "passwords_secret": "theirs",
        "aliases": ["west", "east"],
        "port_forward": True,
    }


def test_the_kind_of_the_prometheus_operator_is_looked_up_only_for_metrics(
    runtime: KubernetesRuntime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kubernetes, "has_pod_monitors", lambda _: True)

    assert placed(runtime).options["pod_monitor"] == ""
    metrics = {"agent": "/opt/jmx.jar"}
    assert placed(runtime, kubernetes={"metrics": metrics}).options["pod_monitor"] == "true"


def test_workers_are_stopped_by_what_the_state_knows(
    runtime: KubernetesRuntime, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped: list[tuple[ClusterAccess, str]] = []
    monkeypatch.setattr(
        kubernetes, "stop_pods", lambda access, name, **_: stopped.append((access, name))
    )
    options = placed(runtime, kubernetes={"namespace": "kafka"}).options

    KubernetesRuntime.stop_workers(options)

    assert stopped == [(ClusterAccess(namespace="kafka"), NAME)]
