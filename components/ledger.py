"""What a stack has that holds offsets, so that a preview can tell what would be lost.

Policies see what is going to be, never what goes away. A resource sees both: what it was and what
it is to be. This one notes the connectors, and puts what leaves among its inputs, where the rule
`connectors-leave-on-purpose` reads it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import pulumi
from pulumi.dynamic import (
    CheckResult,
    CreateResult,
    DiffResult,
    Resource,
    ResourceProvider,
    UpdateResult,
)

from mirrorstack.connect import credentials
from mirrorstack.connect.client import ConnectClient, Patience
from mirrorstack.model.leaving import Leaving, leaving
from mirrorstack.problem import Problem

DECLARED = ("connectors", "intent")
ASKING_SECONDS = 5.0


@dataclass(frozen=True, kw_only=True)
class LedgerArgs:
    connectors: Mapping[str, Mapping[str, pulumi.Input[str]]]
    """By name, of those that mirror records: `offsets`, the topic that their offsets are in, and
    `rest_url` and `credentials_file` of the workers."""
    intent: Mapping[str, str]


class LedgerProvider(ResourceProvider):
    serialize_as_secret_always = False

    def check(self, _olds: dict[str, Any], news: dict[str, Any]) -> CheckResult:
        before = _olds.get("connectors") or {}
        left = [
            {
                key: value
                for key, value in asdict(_counted(each, before)).items()
                if value is not None
            }
            for each in leaving(_topics(before), _topics(news.get("connectors") or {}))
        ]
        return CheckResult({**news, "leaving": left}, [])

    def diff(self, _id: str, _olds: dict[str, Any], _news: dict[str, Any]) -> DiffResult:
        return DiffResult(changes=any(_olds.get(key) != _news.get(key) for key in DECLARED))

    def create(self, props: dict[str, Any]) -> CreateResult:
        return CreateResult("ledger", props)

    def update(self, _id: str, _olds: dict[str, Any], _news: dict[str, Any]) -> UpdateResult:
        return UpdateResult(_news)


def _topics(connectors: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    return {name: where["offsets"] for name, where in connectors.items()}


def _counted(left: Leaving, before: Mapping[str, Mapping[str, str]]) -> Leaving:
    """With how many records it has mirrored, if the workers answer at once."""
    where = before[left.name]
    file = Path(where.get("credentials_file", ""))
    try:
        client = ConnectClient(
            where["rest_url"],
            credentials.load(file) if file.is_file() else None,
            timeout=ASKING_SECONDS,
            patience=Patience(seconds=0),
        )
        return replace(left, mirrored=sum(at + 1 for at in client.offsets(left.name).values()))
    except (Problem, KeyError):
        return left


class Ledger(Resource, module="mirrorstack", name="Ledger"):
    """The connectors of a stack that hold offsets. It changes nothing anywhere."""

    def __init__(
        self, name: str, args: LedgerArgs, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        props = {
            "connectors": {key: dict(where) for key, where in args.connectors.items()},
            "intent": dict(args.intent),
            "leaving": None,
        }
        super().__init__(LedgerProvider(), name, props, opts)
