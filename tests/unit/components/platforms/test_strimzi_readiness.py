"""When the stack waits for Strimzi's operator."""

from __future__ import annotations

from typing import Any

import pytest

from components.platforms import strimzi_readiness
from components.platforms.strimzi_readiness import StrimziReadinessProvider
from mirrorstack.kubernetes.access import ClusterAccess
from mirrorstack.kubernetes.strimzi_status import StrimziObject

OBJECT = StrimziObject("v1", "KafkaMirrorMaker2", "mirrorstack-dr-west")
PROPS: dict[str, Any] = {
    "access": "namespace=kafka",
    "name": OBJECT.name,
    "objects": [OBJECT.encoded],
    "replicas": 2.0,
    "revision": "a",
    "wait_seconds": 600.0,
}


def test_it_waits_for_all_resources_of_the_operator(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[tuple[Any, ...]] = []
    monkeypatch.setattr(
        strimzi_readiness,
        "wait_until_ready",
        lambda access, objects, *, replicas, **_: waits.append((access, objects, replicas)),
    )

    assert StrimziReadinessProvider().create(PROPS).id == OBJECT.name

    assert waits == [(ClusterAccess(namespace="kafka"), [OBJECT], 2)]


@pytest.mark.parametrize("ready", [True, False])
def test_resources_that_are_not_ready_are_waited_for(
    monkeypatch: pytest.MonkeyPatch, ready: bool
) -> None:
    monkeypatch.setattr(strimzi_readiness, "is_ready", lambda _access, _objects: ready)

    assert StrimziReadinessProvider().diff("id", PROPS, PROPS).changes is not ready


def test_a_longer_wait_is_no_change(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strimzi_readiness, "is_ready", lambda _access, _objects: True)
    provider = StrimziReadinessProvider()

    assert not provider.diff("id", PROPS, {**PROPS, "wait_seconds": 900.0}).changes
    assert provider.diff("id", PROPS, {**PROPS, "revision": "b"}).changes
