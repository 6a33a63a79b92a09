"""When the stack waits for what it has declared."""

from __future__ import annotations

from typing import Any

from components.platforms.waiting_provider import WaitingProvider
from mirrorstack.findings import UserError

PROPS: dict[str, Any] = {"name": "workers", "revision": "a"}


class Waiting(WaitingProvider):
    inputs = ("revision",)

    def __init__(self, *, there: bool | None = True) -> None:
        self.waits: list[str] = []
        self.there = there

    def wait(self, props: dict[str, Any]) -> None:
        self.waits.append(props["revision"])

    def is_there(self, _props: dict[str, Any]) -> bool:
        if self.there is None:
            raise UserError("the cluster does not answer")
        return self.there


def test_it_waits_when_it_is_created_and_changed() -> None:
    provider = Waiting()

    assert provider.create(PROPS).id == "workers"
    provider.update("workers", PROPS, {**PROPS, "revision": "b"})

    assert provider.waits == ["a", "b"]


def test_a_change_of_its_inputs_is_a_change() -> None:
    assert Waiting().diff("id", PROPS, {**PROPS, "revision": "b"}).changes
    assert not Waiting().diff("id", PROPS, {**PROPS, "__provider": "other"}).changes


def test_what_is_not_there_is_waited_for_without_a_change() -> None:
    assert Waiting(there=False).diff("id", PROPS, PROPS).changes


def test_what_cannot_be_asked_is_no_change() -> None:
    assert not Waiting(there=None).diff("id", PROPS, PROPS).changes
