"""Manifests as Pulumi resources, and what pods are restarted for."""

from __future__ import annotations

from typing import Any

import pulumi
import pytest

from components.platforms.kubernetes_objects import (
    checksum,
    declare_object,
    kubernetes_provider,
    secret_data,
    state_name,
)
from mirrorstack.kubernetes.access import ClusterAccess
from tests.unit.components.declaring import declare


def manifest(kind: str, name: str, version: str = "v1", **content: Any) -> dict[str, Any]:
    return {"apiVersion": version, "kind": kind, "metadata": {"name": name}, **content}


@pytest.mark.parametrize(
    ("kind", "name", "expected"),
    [
        ("StatefulSet", "dr-west", "stateful-set"),
        ("ConfigMap", "dr-west-config", "config-config-map"),
        ("KafkaMirrorMaker2", "dr-west", "kafka-mirror-maker2"),
    ],
)
def test_the_name_in_the_state_says_which_object_it_is(kind: str, name: str, expected: str) -> None:
    assert state_name(manifest(kind, name), "dr-west") == expected


def test_objects_of_every_kind_are_declared_with_the_provider_of_the_namespace() -> None:
    access = ClusterAccess(namespace="kafka", context="prod")

    def program() -> None:
        opts = kubernetes_provider("workers", access, pulumi.ResourceOptions())
        data = secret_data({"east": "hunter2"})
        declare_object("workers-secret", manifest("Secret", "passwords", data=data), opts)
        topic = manifest("KafkaTopic", "orders", "kafka.strimzi.io/v1", spec={"partitions": 3})
        declare_object("workers-topic", topic, opts)

    stack = declare(program)

    (provider,) = stack.of_type(":kubernetes")
    (secret,), (topic,) = stack.of_type(":Secret"), stack.of_type(":KafkaTopic")
    assert secret.inputs["data"] == {"east": "aHVudGVyMg=="}
    assert topic.inputs["spec"] == {"partitions": 3}
    assert secret.provider == topic.provider == provider.name


def test_a_changed_password_changes_the_checksum_and_is_not_in_it() -> None:
    first, second = (checksum({}, [password], "kafka") for password in ("a", "b"))

    assert first != second
    assert first == checksum({}, ["a"], "kafka")
