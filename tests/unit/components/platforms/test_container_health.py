"""When the stack waits for a container."""

from __future__ import annotations

from typing import Any

import pytest

from components.platforms import container_health
from components.platforms.container_health import ContainerHealthProvider

PROPS: dict[str, Any] = {
    "daemon": "unix:///docker.sock",
    "name": "mirrorstack-dr-west-1",
    "container": "c0ffee",
}


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    waits: list[tuple[str, str]] = []
    monkeypatch.setattr(
        container_health,
        "wait_for_container",
        lambda daemon, name, **_: waits.append((daemon, name)),
    )
    return waits


def test_it_waits_for_a_new_container_and_for_one_that_replaces_it(
    waits: list[tuple[str, str]],
) -> None:
    provider = ContainerHealthProvider()

    assert provider.create(PROPS).id == "mirrorstack-dr-west-1"
    provider.update("mirrorstack-dr-west-1", PROPS, {**PROPS, "container": "new"})

    assert waits == [("unix:///docker.sock", "mirrorstack-dr-west-1")] * 2


@pytest.mark.parametrize("healthy", [True, False])
def test_another_container_is_a_change_and_one_that_is_not_healthy(
    monkeypatch: pytest.MonkeyPatch, healthy: bool
) -> None:
    monkeypatch.setattr(container_health, "is_healthy", lambda *_: healthy)
    provider = ContainerHealthProvider()

    assert provider.diff("id", PROPS, {**PROPS, "__provider": "other"}).changes is not healthy
    assert provider.diff("id", PROPS, {**PROPS, "container": "new"}).changes
