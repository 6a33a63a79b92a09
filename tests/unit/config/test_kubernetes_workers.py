"""`workers.<target>.kubernetes` of a stack file."""

from __future__ import annotations

from typing import Any

import pytest

from mirrorstack.config.kubernetes_workers import KubernetesSettings, name_findings
from mirrorstack.config.passwords import check_passwords
from mirrorstack.config.settings import check, parse
from mirrorstack.findings import Finding
from tests.unit.config.stacks import FILE, FLOW
from toolchain import versions

PLAINTEXT = {"security": {"protocol": "PLAINTEXT"}}
SCALING = {"max": 4, "metric": "lag", "target": "100k"}


def declared(*, sandbox: bool = False, **kubernetes: Any) -> dict[str, Any]:
    clusters: dict[str, Any] = {
        alias: {"sandbox": "default"}
        if sandbox
        else {"bootstrap-servers": [f"{alias}:9092"], **PLAINTEXT}
        for alias in ("east", "west")
    }
    workers = {"west": {"runtime": "kubernetes", "kubernetes": kubernetes}}
    return {"clusters": clusters, "flows": [FLOW], "workers": workers}


def findings(**changes: Any) -> list[Finding]:
    return check(declared(**changes))[1]


def of_workers(**workers: Any) -> list[Finding]:
    values = declared()
    values["workers"]["west"] |= workers
    return check(values)[1]


def test_the_default_image_has_the_version_that_is_tested() -> None:
    assert KubernetesSettings().image == f"apache/kafka:{versions.KAFKA}"


def test_names_are_derived_from_stack_and_target() -> None:
    assert KubernetesSettings().object_name("dr", "west") == "mirrorstack-dr-west"
    assert KubernetesSettings(name="mine").object_name("dr", "west") == "mine"


@pytest.mark.parametrize(
    "kubernetes",
    [
        {},
        {"namespace": "kafka", "context": "prod-west", "kubeconfig": "~/.kube/prod"},
        {"image-pull-policy": "Always", "image-pull-secrets": ["registry"]},
        {"cpu": 2},
        {"cpu": "500m", "secret": "kafka.passwords"},
        {"metrics": {"agent": "/opt/jmx.jar", "port": 9999}, "autoscaling": SCALING},
        {"node-selector": {"fast": True}, "tolerations": [{"operator": "Exists"}]},
        {"labels": {"team": "data"}, "annotations": {"a": 1}},
    ],
)
def test_pods_can_be_declared(kubernetes: dict[str, Any]) -> None:
    assert findings(**kubernetes) == []


@pytest.mark.parametrize(
    ("kubernetes", "key"),
    [
        ({"namespace": "Kafka"}, "namespace"),
        ({"image": "apache kafka"}, "image"),
        ({"secret": "My_Secret"}, "secret"),
        ({"cpu": "much"}, "cpu"),
        ({"name": "mirrorstack_west"}, "name"),
        ({"name": "x" * 53}, "name"),
        ({"image-pull-policy": "Sometimes"}, "image-pull-policy"),
        ({"autoscaling": {**SCALING, "target": "many"}}, "autoscaling.target"),
        ({"autoscaling": {**SCALING, "max": 1}}, "autoscaling.max"),
        ({"autoscaling": {"max": 3}}, "autoscaling.metric"),
        ({"metrics": {"agent": "/a.jar", "port": 80}}, "metrics.port"),
    ],
)
def test_a_bad_value_is_one_finding_with_a_fix(kubernetes: dict[str, Any], key: str) -> None:
    found = {each.key: each for each in findings(**kubernetes)}

    assert f"workers.west.kubernetes.{key}" in found
    assert found[f"workers.west.kubernetes.{key}"].fix


def test_a_negative_number_of_workers_is_refused() -> None:
    (finding,) = of_workers(count=-1)

    assert finding.key == "workers.west.count"


def test_the_largest_number_of_workers_exceeds_the_smallest() -> None:
    (finding,) = of_workers(count=4, kubernetes={"autoscaling": SCALING})

    assert finding.message.endswith("4 is not more than `count`, which is 4")


def test_pods_do_not_reach_a_sandbox() -> None:
    (finding,) = findings(sandbox=True)

    assert finding.key == "workers.west.kubernetes"


def test_the_rest_api_needs_a_password() -> None:
    (finding,) = check_passwords(parse(declared(), FILE), {}, ())

    assert finding.key == "west-connect-password"


def test_an_ingress_has_an_address_and_certificates_but_no_user_of_its_own() -> None:
    url = "https://connect.example"

    assert of_workers(**{"rest-url": url, "rest-security": {"ca-file": "ca.pem"}}) == []
    security = {"authentication": "basic", "username": "me"}
    keys = [each.key for each in of_workers(**{"rest-url": url, "rest-security": security})]
    assert keys == [
        "workers.west.rest-security.authentication",
        "workers.west.rest-security.username",
    ]
    (finding,) = of_workers(**{"rest-security": {"ca-file": "ca.pem"}})
    assert finding.message.endswith("has no meaning without `rest-url`")
    (finding,) = of_workers(**{"rest-url": "connect.example"})
    assert finding.key == "workers.west.rest-url"


@pytest.mark.parametrize("runtime", ["local-process", "existing", "docker"])
def test_other_runtimes_have_no_pods(runtime: str) -> None:
    values = declared(namespace="kafka")
    values["workers"]["west"] |= {"runtime": runtime}

    keys = [finding.key for finding in check(values)[1]]

    assert "workers.west.kubernetes" in keys


def test_a_derived_name_may_be_invalid_too() -> None:
    (finding,) = name_findings("mirrorstack-DR_prod-west", ("kubernetes",), "west")

    assert "set it, such as" in finding.fix
    assert list(name_findings("mirrorstack-dr-west", ("kubernetes",), "west")) == []
