"""When the stack waits for pods."""

from __future__ import annotations

from typing import Any

import pytest

from components.platforms import pod_rollout
from components.platforms.pod_rollout import PodRolloutProvider
from mirrorstack.kubernetes.access import ClusterAccess, KubernetesError

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


@pytest.fixture
def rolled_out(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """What the cluster answers; the last answer stays."""
    answers = [True]
    monkeypatch.setattr(pod_rollout, "rolled_out", lambda _access, _name: answers[-1])
    return answers


def test_a_rollout_that_failed_and_was_reverted_is_waited_for(rolled_out: list[bool]) -> None:
    rolled_out.append(False)

    assert PodRolloutProvider().diff("id", PROPS, PROPS).changes


def test_a_cluster_that_does_not_answer_is_no_change(monkeypatch: pytest.MonkeyPatch) -> None:
    def unreachable(_access: ClusterAccess, _name: str) -> bool:
        raise KubernetesError("Kubernetes does not answer")

    monkeypatch.setattr(pod_rollout, "rolled_out", unreachable)

    assert not PodRolloutProvider().diff("id", PROPS, PROPS).changes


@pytest.mark.usefixtures("rolled_out")
def test_only_a_change_of_the_pods_is_a_change() -> None:
    provider = PodRolloutProvider()

    assert not provider.diff("id", PROPS, {**PROPS, "__provider": "other"}).changes
    assert provider.diff("id", PROPS, {**PROPS, "revision": "b"}).changes
    assert provider.diff("id", PROPS, {**PROPS, "replicas": 3.0}).changes
