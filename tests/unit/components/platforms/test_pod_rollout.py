"""When the stack waits for pods."""

from __future__ import annotations

from typing import Any

import pytest

from components.platforms import pod_rollout
from components.platforms.pod_rollout import PodRolloutProvider
from mirrorstack.kubernetes.access import ClusterAccess

PROPS: dict[str, Any] = {
    "access": "namespace=kafka",
    "name": "mirrorstack-dr-west",
    "replicas": 2.0,
    "revision": "a",
}


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[tuple[ClusterAccess, str]]:
    waits: list[tuple[ClusterAccess, str]] = []
    monkeypatch.setattr(
        pod_rollout, "wait_for_rollout", lambda access, name, **_: waits.append((access, name))
    )
    return waits


def test_it_waits_for_new_and_for_changed_pods(waits: list[tuple[ClusterAccess, str]]) -> None:
    provider = PodRolloutProvider()

    assert provider.create(PROPS).id == "mirrorstack-dr-west"
    provider.update("mirrorstack-dr-west", PROPS, {**PROPS, "revision": "b"})

    assert waits == [(ClusterAccess(namespace="kafka"), "mirrorstack-dr-west")] * 2


def test_only_a_change_of_the_pods_is_a_change() -> None:
    provider = PodRolloutProvider()

    assert not provider.diff("id", PROPS, {**PROPS, "__provider": "other"}).changes
    assert provider.diff("id", PROPS, {**PROPS, "revision": "b"}).changes
    assert provider.diff("id", PROPS, {**PROPS, "replicas": 3.0}).changes
