"""`clusters.<alias>.strimzi` of a stack file."""

from __future__ import annotations

from typing import Any

import pytest

from mirrorstack.config.settings import check, parse
from mirrorstack.config.strimzi_workers import StrimziVersion
from mirrorstack.findings import Finding
from tests.unit.config.stacks import FILE, FLOW

STRIMZI = {"cluster": "my-cluster", "namespace": "kafka"}


def declared(**west: Any) -> dict[str, Any]:
    plain = {"security": {"protocol": "PLAINTEXT"}, "principals": {"mirror": "mirror"}}
    clusters: dict[str, Any] = {
        alias: {"bootstrap-servers": [f"{alias}:9092"], **plain} for alias in ("east", "west")
    }
    clusters["west"] |= {"strimzi": STRIMZI, **west}
    return {"clusters": clusters, "flows": [FLOW]}


def findings(**west: Any) -> list[Finding]:
    return check(declared(**west))[1]


def test_the_name_of_the_cluster_is_enough() -> None:
    strimzi = parse(declared(), FILE).clusters["west"].strimzi

    assert strimzi is not None
    assert strimzi.cluster == "my-cluster"
    assert strimzi.api_version is StrimziVersion.V1
    assert strimzi.wait_seconds == 300


@pytest.mark.parametrize("acls", ["managed", "exported", "none"])
def test_acls_of_one_stack_or_of_the_owner_are_accepted(acls: str) -> None:
    assert findings(acls=acls) == []


@pytest.mark.parametrize(
    ("changes", "key", "said"),
    [
        ({"acls": "shared"}, "clusters.west.acls", "two stacks cannot own it"),
        ({"principals": {}}, "clusters.west.principals.mirror", "name of the KafkaUser"),
        (
            {"strimzi": {**STRIMZI, "namespace": "My Kafka"}},
            "clusters.west.strimzi.namespace",
            "not a value that Kubernetes accepts",
        ),
        (
            {"strimzi": {**STRIMZI, "cluster": "My_Cluster"}},
            "clusters.west.strimzi.cluster",
            "not the name of a Kafka resource",
        ),
        ({"strimzi": {}}, "clusters.west.strimzi.cluster", "required"),
        ({"strimzi": {**STRIMZI, "wait-seconds": 0}}, "clusters.west.strimzi.wait-seconds", ""),
    ],
)
def test_bad_settings_are_found(changes: dict[str, Any], key: str, said: str) -> None:
    (found,) = findings(**changes)

    assert found.key == key
    assert said in found.message


def test_a_cluster_whose_owner_creates_everything_is_refused() -> None:
    stack = declared(administer=False)
    stack["flows"] = [{**FLOW, "from": "west", "to": "east"}]

    (found,) = check(stack)[1]

    assert found.key == "clusters.west.strimzi"
    assert "`administer: false`" in found.message


def test_a_sandbox_has_no_operator() -> None:
    stack = declared()
    stack["clusters"] = {
        "east": {"sandbox": "default"},
        "west": {"sandbox": "default", "acls": "none", "strimzi": STRIMZI},
    }

    (found,) = check(stack)[1]

    assert found.key == "clusters.west.strimzi"
    assert "no operator runs" in found.message
