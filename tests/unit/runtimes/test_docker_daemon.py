"""What a preview knows of a Docker daemon, from one that is scripted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from mirrorstack.findings import Finding, UserError
from mirrorstack.runtimes.docker_daemon import daemon_findings, stop_containers
from tests.unit.connect.scripted import Script, playing

VERSION = {"ApiVersion": "1.41", "MinAPIVersion": "1.12", "Version": "20.10.24"}
IMAGE = "apache/kafka:4.3.1"


@pytest.fixture
def daemon() -> Iterator[Script]:
    with playing() as script:
        script["GET /version"] = (200, VERSION)
        script["GET /v1.41/_ping"] = (200, "OK")
        script[f"GET /v1.41/images/{IMAGE}/json"] = (200, {"Id": "1", "RepoTags": [IMAGE]})
        script["GET /v1.41/networks/kafka"] = (200, {"Id": "1", "Name": "kafka"})
        script["GET /v1.41/networks?filters=%7B%7D"] = (200, [{"Id": "1", "Name": "kafka"}])
        yield script


def address(daemon: Script) -> str:
    return daemon.url.replace("http://", "tcp://")


def found(address: str, *, network: str = "") -> list[Finding]:
    return list(daemon_findings(address, IMAGE, network, "west"))


def test_a_daemon_with_the_image_and_the_network_is_fine(daemon: Script) -> None:
    assert found(address(daemon), network="kafka") == []
    assert found(address(daemon), network="host") == []


def test_an_image_that_is_nowhere_is_reported(daemon: Script) -> None:
    daemon[f"GET /v1.41/images/{IMAGE}/json"] = (404, {"message": "no such image"})
    daemon[f"GET /v1.41/distribution/{IMAGE}/json"] = (403, {"message": "pull access denied"})

    (finding,) = found(address(daemon))

    assert finding.key == "workers.west.docker.image"
    assert "cannot pull it: pull access denied" in finding.message


def test_a_network_that_does_not_exist_is_reported_with_those_that_do(
    daemon: Script,
) -> None:
    daemon["GET /v1.41/networks/kafak"] = (404, {"message": "network kafak not found"})

    (finding,) = found(address(daemon), network="kafak")

    assert finding.key == "workers.west.docker.network"
    assert "use one of kafka" in finding.fix


def test_the_containers_of_one_target_are_stopped(daemon: Script) -> None:
    names = {"1": "/mirrorstack-dr-west-1", "2": "/mirrorstack-dr-west-2-x", "3": "/other"}
    every = "GET /v1.41/containers/json?limit=-1&all=0&size=0&trunc_cmd=0"
    daemon[every] = (200, [{"Id": each} for each in names])
    for each, name in names.items():
        daemon[f"GET /v1.41/containers/{each}/json"] = (200, {"Id": each, "Name": name})
    daemon["POST /v1.41/containers/1/stop"] = (204, None)

    stop_containers(address(daemon), "mirrorstack-dr-west")

    assert daemon.count("POST /v1.41/containers/1/stop") == 1


def test_containers_that_cannot_be_stopped_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"mirrorstack-dr-west-\* .* cannot be stopped") as raised:
        stop_containers(f"unix://{tmp_path}/docker.sock", "mirrorstack-dr-west")

    assert "must not run beside the old ones" in raised.value.fix


def test_a_daemon_that_does_not_answer_is_reported(tmp_path: Path) -> None:
    (finding,) = found(f"unix://{tmp_path}/docker.sock")

    assert finding.key == "workers.west.docker.host"
    assert f"unix://{tmp_path}/docker.sock does not answer" in finding.message
    assert "`docker info` must work" in finding.fix
