"""Where the resources of Strimzi's operator are, and how they are stopped."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mirrorstack.config.workers import WorkerSettings
from mirrorstack.kubernetes.access import ClusterAccess
from mirrorstack.kubernetes.strimzi_status import StrimziObject
from mirrorstack.runtimes import strimzi
from mirrorstack.runtimes.base import WorkerPlacement
from mirrorstack.runtimes.strimzi import StrimziRuntime

NAME = "mirrorstack-dr-west"


@pytest.fixture
def runtime(tmp_path: Path) -> StrimziRuntime:
    return StrimziRuntime("dr", tmp_path)


def placed(runtime: StrimziRuntime, **settings: Any) -> WorkerPlacement:
    values = {"runtime": "strimzi", "strimzi": {"namespace": "kafka", **settings}}
    return runtime.place_workers("west", WorkerSettings.model_validate(values), None)


def test_the_rest_api_is_that_of_the_operator(runtime: StrimziRuntime) -> None:
    placement = placed(runtime, context="prod")

    assert placement.rest_urls == (f"http://{NAME}-mirrormaker2-api.kafka.svc:8083",)
    access = ClusterAccess.decode(placement.options["access"])
    assert access == ClusterAccess(namespace="kafka", context="prod")
    assert runtime.worker_properties(placement.rest_url) == {}


def test_connectors_refer_to_passwords_as_the_operator_does(runtime: StrimziRuntime) -> None:
    placed(runtime)
    reference = runtime.secret_reference("west", "east")
    assert reference == f"${{strimzisecrets:kafka/{NAME}-passwords:east}}"

    placed(runtime, secret="theirs")
    assert runtime.secret_reference("west", "east") == "${strimzisecrets:kafka/theirs:east}"


@pytest.mark.parametrize(
    ("version", "kinds"),
    [
        ("v1", ["KafkaMirrorMaker2", "KafkaConnect", "KafkaConnector"]),
        ("v1beta2", ["KafkaMirrorMaker2"]),
    ],
)
def test_the_cluster_is_asked_for_the_kinds_that_are_declared(
    runtime: StrimziRuntime, monkeypatch: pytest.MonkeyPatch, version: str, kinds: list[str]
) -> None:
    asked: list[dict[str, Any]] = []

    def strimzi_findings(*_: Any, **options: Any) -> tuple[()]:
        asked.append(options)
        return ()

    monkeypatch.setattr(strimzi, "strimzi_findings", strimzi_findings)
    placement = placed(runtime, **{"api-version": version, "secret": "theirs"})

    assert list(runtime.check_host(placement, "west", ["west", "east"])) == []

    assert asked == [
        {
            "version": version,
            "kinds": kinds,
            "passwords_secret": "theirs",
            "aliases": ["west", "east"],
        }
    ]


def test_a_derived_name_that_kubernetes_refuses_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(strimzi, "strimzi_findings", lambda *_, **__: ())
    runtime = StrimziRuntime("DR_prod", tmp_path)

    (found,) = runtime.check_host(placed(runtime), "west", ["west"])

    assert found.key == "workers.west.strimzi.name"


def test_workers_are_stopped_by_what_the_state_knows(
    runtime: StrimziRuntime, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped: list[tuple[ClusterAccess, list[StrimziObject]]] = []
    monkeypatch.setattr(
        strimzi,
        "stop_resources",
        lambda access, objects, _deadline: stopped.append((access, objects)),
    )

    StrimziRuntime.stop_workers(placed(runtime).options)

    assert stopped == [
        (
            ClusterAccess(namespace="kafka"),
            [
                StrimziObject("v1", "KafkaMirrorMaker2", NAME),
                StrimziObject("v1", "KafkaConnect", f"{NAME}-heartbeats"),
            ],
        )
    ]
