"""What a stack has that holds offsets, so that a preview can tell what would be lost.

Policies see what is going to be, never what goes away. A resource sees both: what it was and what
it is to be. This one notes connectors and copies, and puts what leaves among its inputs, where the
rules of `policies/changes.py` read it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
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
from mirrorstack.connect.answers import Partition
from mirrorstack.connect.client import ConnectClient, Patience
from mirrorstack.kafka.stack import StackClusters
from mirrorstack.model import ledger
from mirrorstack.model.connectors import Kind
from mirrorstack.model.intents import spent
from mirrorstack.model.leaving import Deleted, Leaving, Untranslated
from mirrorstack.model.plan import Plan
from mirrorstack.model.settings import StackSettings
from mirrorstack.problem import Problem

DECLARED = ("connectors", "topics", "intent")
LEAVING = ("leaving", "untranslated", "deleted")
ASKING_SECONDS = 5.0


@dataclass(frozen=True, kw_only=True)
class LedgerArgs:
    connectors: Mapping[str, Mapping[str, pulumi.Input[Any]]]
    """By name, of those that mirror records: as `mirrorstack.model.ledger.connector` notes them,
    with `rest_url` and `credentials_file` of the workers."""
    topics: Mapping[str, Mapping[str, Any]]
    """Copies by `target/name`, as `mirrorstack.model.ledger.copy` notes them."""
    intent: Mapping[str, str]

    @classmethod
    def of(cls, plan: Plan, settings: StackSettings, clusters: StackClusters) -> LedgerArgs:
        connectors, topics = ledger.noted(plan, deletes=settings.delete_topics)
        asked_at = {
            f"{flow.settings.name}-{Kind.SOURCE}": clusters.connect_at(flow.settings.target)
            for flow in plan.flows
        }
        return cls(
            connectors={name: {**where, **asked_at[name]} for name, where in connectors.items()},
            topics=topics,
            intent=settings.intent,
        )


class LedgerProvider(ResourceProvider):
    serialize_as_secret_always = False

    def check(self, _olds: dict[str, Any], news: dict[str, Any]) -> CheckResult:
        before, after = ({key: each.get(key) or {} for key in DECLARED} for each in (_olds, news))
        used = {each["name"] for key in LEAVING for each in _olds.get(key) or ()}
        used |= set(_olds.get("spent") or ())
        return CheckResult(
            {
                **news,
                **_leaving(before, after),
                "spent": list(spent(before["intent"], after["intent"], used)),
            },
            [],
        )

    def diff(self, _id: str, _olds: dict[str, Any], _news: dict[str, Any]) -> DiffResult:
        return DiffResult(changes=any(_olds.get(key) != _news.get(key) for key in DECLARED))

    def create(self, props: dict[str, Any]) -> CreateResult:
        return CreateResult("ledger", props)

    def update(self, _id: str, _olds: dict[str, Any], _news: dict[str, Any]) -> UpdateResult:
        return UpdateResult(_news)


def _leaving(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, list[Any]]:
    """What leaves, with how many records each has mirrored, if the workers answer at once."""
    held, to_be = before["connectors"], after["connectors"]
    deleted = list(ledger.deleted(before["topics"], after["topics"]))
    left = list(ledger.leaving(held, to_be, deleted))
    asked = {name: _offsets(name, held.get(name)) for name in _names(left, deleted)}
    topic_of = {name: where["topic"] for name, where in before["topics"].items()}
    return {
        "leaving": [_told(each, mirrored=_records(asked[each.name])) for each in left],
        "untranslated": [_told(each) for each in ledger.untranslated(held, to_be)],
        "deleted": [
            _told(each, mirrored=_records(asked[each.connector], topic_of[each.name]))
            for each in deleted
        ],
    }


def _names(left: Sequence[Leaving], deleted: Sequence[Deleted]) -> set[str]:
    return {each.name for each in left} | {each.connector for each in deleted}


def _told(each: Leaving | Deleted | Untranslated, **more: Any) -> dict[str, Any]:
    return {key: value for key, value in (asdict(each) | more).items() if value is not None}


def _records(offsets: Mapping[Partition, int] | None, topic: str | None = None) -> int | None:
    if offsets is None:
        return None
    return sum(at + 1 for (name, _), at in offsets.items() if topic in (None, name))


def _offsets(name: str, where: Mapping[str, Any] | None) -> dict[Partition, int] | None:
    """Where a connector is, by partition of the source; None where nobody can say."""
    if where is None:
        return None
    file = Path(where.get("credentials_file", ""))
    try:
        client = ConnectClient(
            where["rest_url"],
            credentials.load(file) if file.is_file() else None,
            timeout=ASKING_SECONDS,
            patience=Patience(seconds=0),
        )
        return client.offsets(name)
    except (Problem, KeyError):
        return None


class Ledger(Resource, module="mirrorstack", name="Ledger"):
    """The connectors of a stack that hold offsets, and their copies. It changes nothing."""

    def __init__(
        self, name: str, args: LedgerArgs, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        props = {
            "connectors": {key: dict(where) for key, where in args.connectors.items()},
            "topics": {key: dict(where) for key, where in args.topics.items()},
            "intent": dict(args.intent),
            **dict.fromkeys((*LEAVING, "spent")),
        }
        super().__init__(LedgerProvider(), name, props, opts)
