"""The smoke test as the last resource of a stack: `up` fails when the copy is not the original."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pulumi
from pulumi.dynamic import CreateResult, DiffResult, Resource, ResourceProvider, UpdateResult

from mirrorstack.verify.request import VerifyRequest, run

ORDER = ("stack", "settings", "passwords", "directory")


class SmokeTestProvider(ResourceProvider):
    """Verifies when it is made and when anything of the flows changes. What fails leaves no state,
    or the old one, so the next `up` verifies again. Previews verify nothing."""

    serialize_as_secret_always = False

    def create(self, props: dict[str, Any]) -> CreateResult:
        return CreateResult(id_=f"smoke-test-{props['stack']}", outs=_outs(props))

    def diff(self, _id: str, _olds: dict[str, Any], _news: dict[str, Any]) -> DiffResult:
        changed = any(_olds.get(key) != _news.get(key) for key in (*ORDER, "triggers"))
        return DiffResult(changes=changed)

    def update(self, _id: str, _olds: dict[str, Any], _news: dict[str, Any]) -> UpdateResult:
        return UpdateResult(outs=_outs(_news))


def _outs(props: Mapping[str, Any]) -> dict[str, Any]:
    given = {key: props[key] for key in ORDER}
    # As text, because numbers would come back as fractions.
    told = run(VerifyRequest(**{**given, "settings": json.loads(props["settings"])}))
    return {**props, "told": told}


class SmokeTest(Resource, module="mirrorstack", name="SmokeTest"):
    """Done when source and target are equal, record by record."""

    told: pulumi.Output[str]
    """The table that people see."""

    def __init__(
        self,
        name: str,
        order: VerifyRequest,
        triggers: Mapping[str, pulumi.Input[Any]],
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        """`triggers`: whatever changes, when it changes, it verifies again."""
        props = {
            "stack": order.stack,
            "settings": json.dumps(order.settings),
            "passwords": pulumi.Output.secret(dict(order.passwords)),
            "directory": order.directory,
            "triggers": dict(triggers),
            "told": None,
        }
        super().__init__(SmokeTestProvider(), name, props, opts)
