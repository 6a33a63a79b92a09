"""What a stack has that holds offsets, so that a preview can tell what would be lost.

Policies see what is going to be, never what goes away. A resource sees both: what it was and what
it is to be. This one notes connectors and copies, and puts what leaves among its inputs, where the
rules of `policies/changes.py` read it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pulumi
from pulumi.dynamic import (
    CheckResult,
    CreateResult,
    DiffResult,
    Resource,
    ResourceProvider,
    UpdateResult,
)

from mirrorstack.changes import diff as ledger
from mirrorstack.changes.intents import spent
from mirrorstack.changes.replay_estimate import Amount, Spans, counted
from mirrorstack.changes.retained_topics import kept
from mirrorstack.config.settings import StackSettings
from mirrorstack.connect import credentials
from mirrorstack.connect.client import ConnectClient, Patience
from mirrorstack.findings import UserError
from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.mm2.connector_configs import ConnectorKind, connector_name
from mirrorstack.planning.clusters import StackClusters
from mirrorstack.planning.plan import Plan

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

DECLARED = ("connectors", "topics", "intent")
LEAVING = ("leaving", "untranslated", "deleted", "renamed")
ASKING_SECONDS = 5.0


@dataclass(frozen=True, kw_only=True)
class DeploymentRecordArgs:
    connectors: Mapping[str, Mapping[str, pulumi.Input[Any]]]
    """By name, of those that mirror records: as `mirrorstack.changes.diff.connector` notes them,
    with `rest_url` and `credentials_file` of the workers."""
    topics: Mapping[str, Mapping[str, Any]]
    """Copies by `target/name`, as `mirrorstack.changes.diff.copy` notes them."""
    intent: Mapping[str, str]
    spans: Mapping[str, Spans] = field(default_factory=dict)
    """By connector: what the source holds of its topics."""

    @classmethod
    def of(
        cls, plan: Plan, settings: StackSettings, clusters: StackClusters
    ) -> DeploymentRecordArgs:
        connectors, topics = ledger.noted(plan, deletes=settings.delete_topics)
        asked_at = {
            connector_name(flow.settings, ConnectorKind.SOURCE): clusters.connect_at(
                flow.settings.target
            )
            for flow in plan.flows
        }
        return cls(
            connectors={name: {**where, **asked_at[name]} for name, where in connectors.items()},
            topics=topics,
            intent=settings.intent,
            spans={
                connector_name(flow.settings, ConnectorKind.SOURCE): clusters.spans(
                    flow.settings.source, flow.topics
                )
                for flow in plan.flows
            },
        )


class DeploymentRecordProvider(ResourceProvider):
    serialize_as_secret_always = False

    def check(self, _olds: dict[str, Any], news: dict[str, Any]) -> CheckResult:
        before, after = ({key: each.get(key) or {} for key in DECLARED} for each in (_olds, news))
        used = {each["name"] for key in LEAVING for each in _olds.get(key) or ()}
        used |= set(_olds.get("spent") or ())
        for problem in kept(ledger.kept(before["topics"], after["topics"], after["connectors"])):
            # Whoever previews is to know, with the policy pack or without it.
            print(f"warning: {problem.message} Fix: {problem.fix}", flush=True)
        return CheckResult(
            {
                **news,
                **_leaving(before, after, news.get("spans") or {}),
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


def _leaving(
    before: Mapping[str, Any], after: Mapping[str, Any], spans: Mapping[str, Spans]
) -> dict[str, list[Any]]:
    """What leaves, with how many records each has mirrored, if the workers answer at once."""
    held, to_be = before["connectors"], after["connectors"]
    copies, copies_to_be = before["topics"], after["topics"]
    deleted = list(ledger.deleted(copies, copies_to_be))
    left = list(ledger.leaving(held, to_be, deleted))
    renamed = list(ledger.renamed(copies, copies_to_be))
    names = {each.name for each in left} | {each.name for each in renamed}
    names |= {each.connector for each in deleted}
    offsets = {name: _offsets(name, held.get(name)) for name in names}

    def amount(name: str, topics: Collection[str] | None = None, mirrored: bool = True) -> Amount:
        return counted(offsets[name], spans.get(name) if mirrored else None, topics)

    return {
        "leaving": [_told(each, amount(each.name)) for each in left],
        "untranslated": [_told(each) for each in ledger.untranslated(held, to_be)],
        "deleted": [
            _told(each, amount(each.connector, [copies[each.name]["topic"]], each.comes_back))
            for each in deleted
        ],
        "renamed": [_told(each, amount(each.name, each.topics)) for each in renamed],
        "wordless": [_told(each) for each in ledger.wordless(held, to_be, copies, copies_to_be)],
    }


def _told(each: DataclassInstance, amount: Amount | None = None) -> dict[str, Any]:
    """As plain values, for the state."""
    told = asdict(each) | {"amount": None} | (asdict(amount) if amount else {})
    return {key: value for key, value in told.items() if value is not None}


def _offsets(name: str, where: Mapping[str, Any] | None) -> dict[TopicPartition, int] | None:
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
    except (UserError, KeyError):
        return None


class DeploymentRecord(Resource, module="mirrorstack", name="DeploymentRecord"):
    """The connectors of a stack that hold offsets, and their copies. It changes nothing."""

    def __init__(
        self, name: str, args: DeploymentRecordArgs, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        props = {
            "connectors": {key: dict(where) for key, where in args.connectors.items()},
            "topics": {key: dict(where) for key, where in args.topics.items()},
            "intent": dict(args.intent),
            "spans": dict(args.spans),
            **dict.fromkeys((*LEAVING, "wordless", "spent")),
        }
        super().__init__(DeploymentRecordProvider(), name, props, opts)
