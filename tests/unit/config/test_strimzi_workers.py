"""`workers.<target>.strimzi` of a stack file."""

from __future__ import annotations

from typing import Any

import pytest

from mirrorstack.config.settings import check, parse
from mirrorstack.config.strimzi_workers import StrimziSettings, StrimziVersion
from mirrorstack.findings import Finding
from tests.unit.config.stacks import FILE, FLOW

PLAINTEXT = {"security": {"protocol": "PLAINTEXT"}}


def declared(*, sandbox: bool = False, **workers: Any) -> dict[str, Any]:
    clusters: dict[str, Any] = {
        alias: {"sandbox": "default"}
        if sandbox
        else {"bootstrap-servers": [f"{alias}:9092"], **PLAINTEXT}
        for alias in ("east", "west")
    }
    return {
        "clusters": clusters,
        "flows": [FLOW],
        "workers": {"west": {"runtime": "strimzi", **workers}},
    }


def findings(**changes: Any) -> list[Finding]:
    return check(declared(**changes))[1]


def test_names_are_derived_from_stack_and_target() -> None:
    assert StrimziSettings().object_name("dr", "west") == "mirrorstack-dr-west"
    assert StrimziSettings().api_version is StrimziVersion.V1


@pytest.mark.parametrize(
    "strimzi",
    [
        {},
        {"namespace": "kafka", "context": "prod-west", "name": "mine"},
        {"api-version": "v1beta2", "version": "4.1.0", "image": "registry.example:5000/kafka:1"},
        {"cpu": 2, "secret": "passwords", "wait-seconds": 60, "labels": {"team": "data"}},
    ],
)
def test_settings_are_accepted(strimzi: dict[str, Any]) -> None:
    assert findings(strimzi=strimzi, count=3) == []


@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({"strimzi": {"namespace": "Kafka"}}, "workers.west.strimzi.namespace"),
        ({"strimzi": {"api-version": "v2"}}, "workers.west.strimzi.api-version"),
        ({"strimzi": {"name": "My_Name"}}, "workers.west.strimzi.name"),
        ({"strimzi": {"image": "two words"}}, "workers.west.strimzi.image"),
        ({"strimzi": {"wait-seconds": 0}}, "workers.west.strimzi.wait-seconds"),
        ({"rest-port": 8083}, "workers.west.rest-port"),
        ({"rest-url": "https://connect.example"}, "workers.west.rest-url"),
        ({"kubernetes": {"namespace": "kafka"}}, "workers.west.kubernetes"),
        ({"sandbox": True}, "workers.west.strimzi"),
    ],
)
def test_bad_settings_are_found(changes: dict[str, Any], key: str) -> None:
    (found,) = findings(**changes)

    assert found.key == key


def test_settings_of_strimzi_mean_nothing_for_another_runtime() -> None:
    (found,) = findings(runtime="kubernetes", strimzi={"namespace": "kafka"})

    assert found.key == "workers.west.strimzi"


@pytest.mark.parametrize(
    ("strimzi", "heartbeats", "separate"),
    [({}, True, True), ({}, False, False), ({"api-version": "v1beta2"}, True, False)],
)
def test_heartbeats_have_a_group_of_their_own_in_the_api_version_v1(
    strimzi: dict[str, Any], heartbeats: bool, separate: bool
) -> None:
    values = declared(strimzi=strimzi)
    values["flows"] = [{**FLOW, "heartbeats": heartbeats}]

    group = parse(values, FILE).worker_group("west")

    assert group.separate_heartbeats is separate
