"""Runs components against Pulumi's mocks and records what they register."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pulumi
from pulumi.runtime import rpc
from pulumi.runtime.mocks import MockCallArgs, MockMonitor, MockResourceArgs

PROVIDER_KEY = "__provider"


@dataclass(frozen=True)
class Registration:
    """One resource as the engine gets it."""

    name: str
    type: str
    parent: str
    """The parent's name."""
    inputs: dict[str, Any]
    secrets: frozenset[str]
    """The inputs that are secrets."""
    request: Any

    @property
    def dependencies(self) -> set[str]:
        """Names of the resources that it depends on."""
        return {urn.rpartition("::")[2] for urn in self.request.dependencies}

    @property
    def provider(self) -> str:
        """The name of its explicit provider, or empty."""
        return str(self.request.provider).rpartition("::")[0].rpartition("::")[2]


class _Mocks(pulumi.runtime.Mocks):
    def new_resource(self, args: MockResourceArgs) -> tuple[str | None, dict[Any, Any]]:
        return f"{args.name}-id", _plain(args.inputs)

    def call(self, _args: MockCallArgs) -> tuple[dict[Any, Any], list[tuple[str, str]]]:
        return {}, []


class _Monitor(MockMonitor):
    def __init__(self) -> None:
        super().__init__(_Mocks())
        self.registrations: list[Registration] = []
        self.outputs: dict[str, dict[str, Any]] = {}

    def RegisterResource(self, request: Any) -> Any:  # noqa: N802 - Pulumi's name
        if request.type != "pulumi:pulumi:Stack":
            values = rpc.deserialize_properties(request.object)
            self.registrations.append(
                Registration(
                    name=request.name,
                    type=request.type,
                    parent=request.parent.rpartition("::")[2],
                    inputs={k: _plain(v) for k, v in values.items() if k != PROVIDER_KEY},
                    secrets=frozenset(k for k, v in values.items() if rpc.is_rpc_secret(v)),
                    request=request,
                )
            )
        return super().RegisterResource(request)  # type: ignore[no-untyped-call]

    def RegisterResourceOutputs(self, request: Any) -> Any:  # noqa: N802 - Pulumi's name
        name = request.urn.rpartition("::")[2]
        self.outputs[name] = _plain(rpc.deserialize_properties(request.outputs))
        return super().RegisterResourceOutputs(request)  # type: ignore[no-untyped-call]


@dataclass(frozen=True)
class Declared:
    """All that a program registered."""

    resources: dict[str, Registration]
    """By name."""
    outputs: dict[str, dict[str, Any]]
    """Of components, by name."""

    def of_type(self, ending: str) -> list[Registration]:
        return [each for each in self.resources.values() if each.type.endswith(ending)]


def declare(build: Callable[[], object]) -> Declared:
    """Calls `build`, as a program would, and waits for all outputs."""
    asyncio.set_event_loop(asyncio.new_event_loop())
    monitor = _Monitor()
    pulumi.runtime.set_mocks(
        monitor.mocks, project="mirrorstack", stack="dev", preview=False, monitor=monitor
    )

    @pulumi.runtime.test  # type: ignore[untyped-decorator]
    def program() -> None:
        build()

    program()
    return Declared({each.name: each for each in monitor.registrations}, monitor.outputs)


def _plain(value: Any) -> Any:
    """Without the wrapping of secrets."""
    if rpc.is_rpc_secret(value):
        return _plain(rpc.unwrap_rpc_secret(value))
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return value
