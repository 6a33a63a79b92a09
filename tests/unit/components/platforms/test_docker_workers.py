"""Connect workers as containers: what is declared, and where the secrets are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pulumi
import pytest
from pulumi.runtime import rpc, set_all_config

from components.platforms.docker_workers import docker_workers
from mirrorstack.config.workers import WorkerSettings
from mirrorstack.local.java_properties import load_text
from mirrorstack.mm2.worker_group import WorkerGroup
from mirrorstack.planning.connections import PasswordReference
from mirrorstack.planning.deployment import WorkerDeployment
from mirrorstack.runtimes.base import DeployedWorkers
from mirrorstack.runtimes.docker import DockerRuntime
from tests.unit.components.declaring import Declared, Registration, declare

DEPLOYED = DeployedWorkers("west", ("mirrorstack-west",), "http://127.0.0.1:18500", "docker")
SECRETS = {"east-mirror-password": "hunter2", "west-connect-password": "hunter3"}


@pytest.fixture(autouse=True)
def stack_config(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DOCKER_HOST", raising=False)
    set_all_config({f"mirrorstack:{key}": value for key, value in SECRETS.items()}, [])


def declared(*, count: int = 1, heap_mb: int = 1000, **docker: Any) -> Declared:
    settings = WorkerSettings.model_validate(
        {"runtime": "docker", "count": count, "docker": docker}
    )
    runtime = DockerRuntime("dr", Path("/home"))
    placement = runtime.place_workers("west", settings, DEPLOYED)
    workers = WorkerDeployment(
        group=WorkerGroup.of("west", ()),
        settings=settings,
        placement=placement,
        configs=tuple(
            {"group.id": "mine", **runtime.worker_properties(url)} for url in placement.rest_urls
        ),
        heap_mb=heap_mb,
        passwords={"east": PasswordReference(config_key="east-mirror-password")},
    )
    return declare(lambda: docker_workers("workers", workers, pulumi.ResourceOptions()))


def uploads(container: Registration) -> dict[str, str]:
    return {each["file"]: each["content"] for each in container.inputs["uploads"]}


def test_there_is_a_container_for_each_worker_in_a_network_of_their_own() -> None:
    stack = declared(count=2)

    first, second = stack.of_type(":Container")
    assert first.inputs["name"] == "mirrorstack-dr-west-1"
    assert second.inputs["name"] == "mirrorstack-dr-west-2"
    (network,) = stack.of_type(":Network")
    assert network.inputs["name"] == "mirrorstack-dr-west"
    assert second.inputs["networksAdvanced"] == [{"name": "mirrorstack-dr-west"}]
    (port,) = second.inputs["ports"]
    assert (port["ip"], port["internal"], port["external"]) == ("127.0.0.1", 18501, 18501)


def test_workers_are_replaced_one_after_the_other() -> None:
    stack = declared(count=2)

    first, second = stack.of_type(":Container")
    health, _ = stack.of_type(":ContainerHealth")
    assert first.name in health.dependencies
    assert health.name in second.dependencies
    assert first.request.deleteBeforeReplace, "both would have the same name and port"


def test_the_network_of_the_host_has_no_published_ports() -> None:
    stack = declared(network="host")

    (container,) = stack.of_type(":Container")
    assert container.inputs["networkMode"] == "host"
    assert not container.inputs.get("ports")
    assert stack.of_type(":Network") == []


def test_a_network_that_exists_is_used() -> None:
    stack = declared(network="kafka")

    (container,) = stack.of_type(":Container")
    assert container.inputs["networksAdvanced"] == [{"name": "kafka"}]
    assert stack.of_type(":Network") == []


def test_secrets_are_in_uploaded_files_and_nowhere_else() -> None:
    (container,) = declared().of_type(":Container")

    files = uploads(container)
    secrets = {
        each.key: each.value for each in load_text(files["/etc/mirrorstack/secrets.properties"])
    }
    assert secrets == {"east": "hunter2"}
    assert "mirrorstack=hunter3" in files["/etc/mirrorstack/rest-users.properties"]
    assert "group.id=mine" in files["/etc/mirrorstack/worker.properties"]
    shown = {key: value for key, value in container.inputs.items() if key != "uploads"}
    assert "hunter" not in json.dumps(shown)


def test_uploaded_secrets_are_encrypted_in_the_state() -> None:
    (container,) = declared().of_type(":Container")

    sent = rpc.deserialize_properties(container.request.object, keep_unknowns=True)

    plain = json.dumps(sent["uploads"], default=lambda _secret: "[secret]")
    assert "uploads" in container.secrets or "hunter" not in plain


def test_the_memory_of_a_container_exceeds_the_heap() -> None:
    (container,) = declared(heap_mb=1000).of_type(":Container")

    assert "KAFKA_HEAP_OPTS=-Xmx1000m" in container.inputs["envs"]
    assert container.inputs["memory"] == container.inputs["memorySwap"] == 1506


def test_a_worker_is_restarted_and_checked() -> None:
    (container,) = declared(network="host", address="10.0.0.7").of_type(":Container")

    assert container.inputs["restart"] == "unless-stopped"
    assert container.inputs["healthcheck"]["tests"] == ["CMD", "bash", "/etc/mirrorstack/healthy"]
    assert "/dev/tcp/10.0.0.7/18500" in uploads(container)["/etc/mirrorstack/healthy"]
