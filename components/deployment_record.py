"""Records a stack's connectors, target topics and ACLs, so that a preview can report what it
removes, and knows which ACLs are the stack's own.

Policies see the next deployment only, never what is removed. A resource provider sees both its
previous and its next inputs. This one compares them and adds the changes to its inputs, where the
rules of `mirrorstack/changes/rules.py` read them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import pulumi
from pulumi.dynamic import (
    CheckResult,
    CreateResult,
    DiffResult,
    Resource,
    UpdateResult,
)

from components.cluster_props import PasswordProvider, cluster_props
from mirrorstack.changes.deployment_changes import CHANGE_KEYS, DeploymentChanges
from mirrorstack.changes.diff import (
    RecordedStack,
    compare,
    decode_topics,
    encode_topics,
    retained_topics,
)
from mirrorstack.changes.intents import used_intents
from mirrorstack.changes.removals import check_retained_topics
from mirrorstack.changes.replay_estimate import (
    ConnectorOffsets,
    ReplayEstimate,
    TopicOffsetRanges,
    estimate,
)
from mirrorstack.connect.client import RetryPolicy
from mirrorstack.connect.rest_login import RestLogin, Secrets
from mirrorstack.findings import UserError
from mirrorstack.kafka.record_scan import connect_offsets
from mirrorstack.planning.deployment import ClusterDeployment, Deployment, RecordContent

DECLARED = ("connectors", "topics", "intent", "acls")
CONNECT_TIMEOUT_SECONDS = 5.0


@dataclass(frozen=True, kw_only=True)
class DeploymentRecordArgs:
    record: RecordContent
    targets: Mapping[str, ClusterDeployment] = field(default_factory=dict)
    """Clusters from whose internal topics the offsets of connectors are read, because their workers
    have no REST API; by alias."""

    @classmethod
    def of(cls, deployment: Deployment) -> DeploymentRecordArgs:
        targets = {
            target: deployment.clusters[target]
            for target, workers in deployment.workers.items()
            if not workers.group.has_rest_api
        }
        return cls(record=deployment.record, targets=targets)


class DeploymentRecordProvider(PasswordProvider):
    def check(self, olds: dict[str, Any], news: dict[str, Any]) -> CheckResult:
        before, after = (
            RecordedStack(each.get("connectors") or {}, decode_topics(each.get("topics") or {}))
            for each in (olds, news)
        )
        for finding in check_retained_topics(retained_topics(before, after)):
            # Shown in every preview, with the policy pack or without it.
            print(f"warning: {finding}", flush=True)
        used = {*DeploymentChanges.from_state(olds).names, *(olds.get("used_intents") or ())}
        intent_before, intent = (each.get("intent") or {} for each in (olds, news))
        return CheckResult(
            {
                **news,
                **_changes(
                    before,
                    after,
                    json.loads(news.get("offset_ranges") or "{}"),
                    lambda name, record: self._offsets(name, record, olds.get("targets") or {}),
                ).to_state(),
                "used_intents": list(used_intents(intent_before, intent, used)),
            },
            [],
        )

    def _offsets(
        self, name: str, record: Mapping[str, Any], targets: Mapping[str, Any]
    ) -> ConnectorOffsets:
        if "rest_url" in record:
            return _from_connect(name, record, self.secret)
        topic = record["offsets_topic"]
        cluster = self.cluster(targets[record["target"]])
        described = cluster.describe_topics([topic])
        partitions = described[topic].partitions if described else 0
        return connect_offsets(cluster, topic, partitions, record.get("offsets_name", name))

    def diff(self, _id: str, olds: dict[str, Any], news: dict[str, Any]) -> DiffResult:
        return DiffResult(changes=any(olds.get(key) != news.get(key) for key in DECLARED))

    def create(self, props: dict[str, Any]) -> CreateResult:
        return CreateResult("deployment-record", props)

    def update(self, _id: str, olds: dict[str, Any], news: dict[str, Any]) -> UpdateResult:
        return UpdateResult(news)


def _changes(
    before: RecordedStack,
    after: RecordedStack,
    offset_ranges: Mapping[str, TopicOffsetRanges],
    read_offsets: Callable[[str, Mapping[str, Any]], ConnectorOffsets],
) -> DeploymentChanges:
    """With the number of records of each change, if the workers or the cluster answer."""

    @cache
    def offsets(connector: str) -> ConnectorOffsets | None:
        """By partition of the source."""
        try:
            return read_offsets(connector, before.connectors[connector])
        except (UserError, KeyError):
            return None

    def estimated(
        connector: str, topics: Collection[str] | None, replicates: bool
    ) -> ReplayEstimate:
        retained = offset_ranges.get(connector) if replicates else None
        return estimate(offsets(connector), retained, topics)

    return compare(before, after, estimated)


def _from_connect(name: str, record: Mapping[str, Any], secret: Secrets) -> ConnectorOffsets:
    client = RestLogin.of(record).client(
        record["rest_url"],
        secret,
        timeout=CONNECT_TIMEOUT_SECONDS,
        retries=RetryPolicy(seconds=0),
    )
    return client.offsets(name)


class DeploymentRecord(Resource, module="mirrorstack", name="DeploymentRecord"):
    """The source connectors of a stack, the topics that they write, and the ACLs. It changes
    nothing."""

    def __init__(
        self, name: str, args: DeploymentRecordArgs, opts: pulumi.ResourceOptions | None = None
    ) -> None:
        record = args.record
        props = {
            "connectors": {key: dict(each) for key, each in record.connectors.items()},
            "topics": encode_topics(record.topics),
            "intent": dict(record.intent),
            "acls": {key: dict(each) for key, each in record.acls.items()},
            "offset_ranges": json.dumps(record.offset_ranges),
            "targets": {
                alias: cluster_props(target.mirror, target.mirror_password)
                for alias, target in args.targets.items()
            },
            **dict.fromkeys((*CHANGE_KEYS, "used_intents")),
        }
        super().__init__(DeploymentRecordProvider(), name, props, opts)
