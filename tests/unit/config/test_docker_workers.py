"""`workers.<target>.docker` of a stack file."""

from __future__ import annotations

from typing import Any

import pytest

from mirrorstack.config.docker_workers import DockerSettings
from mirrorstack.config.passwords import check_passwords
from mirrorstack.config.settings import check, parse
from mirrorstack.findings import Finding
from tests.unit.config.stacks import FILE, FLOW
from toolchain import versions

PLAINTEXT = {"security": {"protocol": "PLAINTEXT"}}


def declared(*, sandbox: bool = False, **docker: Any) -> dict[str, Any]:
    clusters: dict[str, Any] = {
        alias: {"sandbox": "default"}
        if sandbox
        else {"bootstrap-servers": [f"{alias}:9092"], **PLAINTEXT}
        for alias in ("east", "west")
    }
    workers = {"west": {"runtime": "docker", "docker": docker}}
    return {"clusters": clusters, "flows": [FLOW], "workers": workers}


def findings(**changes: Any) -> list[Finding]:
    return check(declared(**changes))[1]


def test_the_default_image_has_the_version_that_is_tested() -> None:
    assert DockerSettings().image == f"apache/kafka:{versions.KAFKA}"


@pytest.mark.parametrize(
    "docker",
    [
        {},
        {"host": "unix:///run/user/1000/docker.sock"},
        {"host": "ssh://deploy@docker.example"},
        {"host": "tcp://docker.example:2376", "network": "kafka", "address": "10.0.0.7"},
        {"image": "registry.example:5000/team/kafka:4.3.1"},
        {"image": f"apache/kafka@sha256:{'0' * 64}"},
    ],
)
def test_containers_can_be_declared(docker: dict[str, Any]) -> None:
    assert findings(**docker) == []


@pytest.mark.parametrize(
    ("docker", "key"),
    [
        ({"host": "/var/run/docker.sock"}, "host"),
        ({"host": "http://docker.example"}, "host"),
        ({"host": "ssh://"}, "host"),
        ({"image": "apache/kafka:"}, "image"),
        ({"image": "apache kafka"}, "image"),
    ],
)
def test_a_bad_value_is_quoted_with_an_example(docker: dict[str, Any], key: str) -> None:
    (finding,) = findings(**docker)

    assert finding.key == f"workers.west.docker.{key}"
    assert f'"{docker[key]}"' in finding.message
    assert finding.fix.startswith("write ")


def test_containers_reach_a_sandbox_only_in_the_network_of_the_host() -> None:
    assert findings(sandbox=True, network="host") == []
    (finding,) = findings(sandbox=True)

    assert finding.key == "workers.west.docker.network"
    assert finding.fix == "set `network: host`"


def test_the_rest_api_needs_a_password() -> None:
    (finding,) = check_passwords(parse(declared(), FILE), {}, ())

    assert finding.key == "west-connect-password"
    assert "`pulumi config set --secret west-connect-password`" in finding.fix
    given = {"west-connect-password": "hunter2"}
    assert list(check_passwords(parse(declared(), FILE), given, given)) == []


@pytest.mark.parametrize("runtime", ["local-process", "existing"])
def test_other_runtimes_have_no_containers(runtime: str) -> None:
    values = declared(network="kafka")
    values["workers"]["west"] |= {"runtime": runtime}

    keys = [finding.key for finding in check(values)[1]]

    assert "workers.west.docker" in keys
