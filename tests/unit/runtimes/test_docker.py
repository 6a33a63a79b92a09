"""Where the containers of a stack listen, and the properties of their workers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mirrorstack.config.workers import WorkerSettings
from mirrorstack.runtimes.base import DeployedWorkers, WorkerPlacement
from mirrorstack.runtimes.docker import DockerRuntime

DEPLOYED = DeployedWorkers("west", ("mirrorstack-west",), "http://127.0.0.1:18500", "docker")


@pytest.fixture
def runtime(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> DockerRuntime:
    monkeypatch.delenv("DOCKER_HOST", raising=False)
    return DockerRuntime("dr", tmp_path)


def placed(runtime: DockerRuntime, *, count: int = 1, **docker: Any) -> WorkerPlacement:
    settings = WorkerSettings.model_validate(
        {"runtime": "docker", "count": count, "docker": docker}
    )
    return runtime.place_workers("west", settings, DEPLOYED)


def test_containers_of_this_machine_are_published_on_loopback(runtime: DockerRuntime) -> None:
    placement = placed(runtime, count=2)

    assert placement.rest_urls == ("http://127.0.0.1:18500", "http://127.0.0.1:18501")
    assert placement.options["publish"] == "127.0.0.1"
    assert placement.options["daemon"] == "unix:///var/run/docker.sock"


def test_the_daemon_of_the_environment_is_used(
    runtime: DockerRuntime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOCKER_HOST", "ssh://deploy@docker.example")

    placement = placed(runtime)

    assert placement.options["daemon"] == "ssh://deploy@docker.example"
    assert placement.rest_url == "http://docker.example:18500"
    assert placement.options["publish"] == "0.0.0.0"  # noqa: S104


def test_workers_reach_each_other_by_the_names_of_their_containers(
    runtime: DockerRuntime,
) -> None:
    _, second = placed(runtime, count=2).rest_urls

    properties = runtime.worker_properties(second)

    assert properties["listeners"] == "http://0.0.0.0:18501"
    assert properties["rest.advertised.host.name"] == "mirrorstack-dr-west-2"
    assert properties["rest.advertised.port"] == "18501"


def test_in_the_network_of_the_host_they_listen_only_at_its_address(
    runtime: DockerRuntime,
) -> None:
    placement = placed(runtime, network="host", address="10.0.0.7")

    properties = runtime.worker_properties(placement.rest_url)

    assert properties["listeners"] == "http://10.0.0.7:18500"
    assert properties["rest.advertised.host.name"] == "10.0.0.7"


def test_the_login_and_the_passwords_are_references(runtime: DockerRuntime) -> None:
    login = placed(runtime).login

    assert login.as_props() == {"username": "mirrorstack", "password_key": "west-connect-password"}
    reference = runtime.secret_reference("west", "east")
    assert reference == "${file:/etc/mirrorstack/secrets.properties:east}"
    assert not runtime.reads_local_files
