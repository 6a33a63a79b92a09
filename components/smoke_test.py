"""The smoke test as the last resource of a stack: `up` fails when the clusters differ."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pulumi
from pulumi.dynamic import CreateResult, DiffResult, Resource, UpdateResult

from components.cluster_props import PasswordProvider
from mirrorstack.config.passwords import needed_passwords
from mirrorstack.config.settings import StackSettings, parse
from mirrorstack.planning.connections import connections_as_json, stack_connections
from mirrorstack.sandbox.connection import connection as sandbox_connection
from mirrorstack.verify.request import VerifyRequest, run

# Not the directory of the report, which differs from machine to machine.
INPUTS = ("stack", "settings", "triggers")


class SmokeTestProvider(PasswordProvider):
    """Verifies when it is created and when a flow changes. A failure leaves no state, or the old
    one, so the next `up` verifies again. Previews verify nothing."""

    def create(self, props: dict[str, Any]) -> CreateResult:
        return CreateResult(id_=f"smoke-test-{props['stack']}", outs=self._outputs(props))

    def diff(self, _id: str, olds: dict[str, Any], news: dict[str, Any]) -> DiffResult:
        return DiffResult(changes=any(olds.get(key) != news.get(key) for key in INPUTS))

    def update(self, _id: str, _olds: dict[str, Any], news: dict[str, Any]) -> UpdateResult:
        return UpdateResult(outs=self._outputs(news))

    def _outputs(self, props: Mapping[str, Any]) -> dict[str, Any]:
        declared = json.loads(props["settings"])
        settings = parse(declared, f"stack {props['stack']}")
        passwords = {key: self.secret(key) for key in needed_passwords(settings)}
        connections = stack_connections(settings, passwords, sandbox=sandbox_connection)
        summary = run(
            VerifyRequest(
                stack=props["stack"],
                settings=declared,
                connections=connections_as_json(settings, connections),
                directory=props["directory"],
            )
        )
        return {**props, "summary": summary}


@dataclass(frozen=True, kw_only=True)
class SmokeTestArgs:
    stack: str
    settings: StackSettings
    directory: str
    """Where the report goes."""
    triggers: Mapping[str, pulumi.Input[Any]]
    """Whatever changes, when it changes, it verifies again."""


class SmokeTest(Resource, module="mirrorstack", name="SmokeTest"):
    """Created when source and target are equal, record by record."""

    summary: pulumi.Output[str]
    """The result as a table."""

    def __init__(
        self, name: str, args: SmokeTestArgs, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        props = {
            "stack": args.stack,
            # As text, because the engine would return numbers as floats.
            "settings": json.dumps(args.settings.declared()),
            "directory": args.directory,
            "triggers": dict(args.triggers),
            "summary": None,
        }
        super().__init__(SmokeTestProvider(), name, props, opts)
