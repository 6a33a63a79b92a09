"""The rights of a mirroring principal, seen to be effective before anything depends on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import pulumi
from pulumi.dynamic import (
    CreateResult,
    DiffResult,
    ReadResult,
    Resource,
    ResourceProvider,
    UpdateResult,
)

from components.cluster_props import as_input, from_input
from mirrorstack.findings import UserError
from mirrorstack.kafka.acls import Operation, ResourceType
from mirrorstack.kafka.admin import KafkaCluster
from mirrorstack.kafka.permissions import (
    EffectivePermission,
    missing_permissions,
    wait_for_permissions,
)

# Brokers learn of a grant a moment after it is made; of a new user, too.
EFFECTIVE_WITHIN_SECONDS = 15.0
INPUTS = ("cluster", "rights")


class PermissionsProvider(ResourceProvider):
    """Asks the cluster as the mirroring principal. It changes nothing there."""

    serialize_as_secret_always = False

    def create(self, props: dict[str, Any]) -> CreateResult:
        wait_for_permissions(from_input(props["cluster"]), _rights(props), EFFECTIVE_WITHIN_SECONDS)
        return CreateResult(id_=props["cluster"]["alias"], outs={**props, "missing": []})

    def diff(self, _id: str, _olds: dict[str, Any], _news: dict[str, Any]) -> DiffResult:
        """Also when nothing was declared anew: without a right MirrorMaker is silent, so a
        preview says that one is missing, and `up` says which."""
        changed = any(_olds.get(key) != _news.get(key) for key in INPUTS)
        return DiffResult(changes=changed or bool(_olds.get("missing")) or bool(_lacking(_news)))

    def update(self, _id: str, _olds: dict[str, Any], _news: dict[str, Any]) -> UpdateResult:
        wait_for_permissions(from_input(_news["cluster"]), _rights(_news), EFFECTIVE_WITHIN_SECONDS)
        return UpdateResult(outs={**_news, "missing": []})

    def read(self, id_: str, props: dict[str, Any]) -> ReadResult:
        outs = {**props, "missing": _lacking(props)}
        inputs = {key: props[key] for key in INPUTS if key in props}
        return ReadResult(id_=id_, outs=outs, inputs=inputs)


def _lacking(props: Mapping[str, Any]) -> list[str]:
    try:
        return [
            right.description
            for right in missing_permissions(from_input(props["cluster"]), _rights(props))
        ]
    except UserError as problem:  # nobody can log in, or nobody answers: `up` then fails with it
        return [problem.message]


def _rights(props: Mapping[str, Any]) -> list[EffectivePermission]:
    return [
        EffectivePermission(
            ResourceType(each["type"]),
            each["name"],
            Operation(each["operation"]),
            each["reason"],
        )
        for each in props["rights"]
    ]


class EffectivePermissions(Resource, module="mirrorstack", name="EffectivePermissions"):
    """Done when the mirroring principal may do all that it must; fails naming what it may not."""

    missing_permissions: pulumi.Output[list[str]]

    def __init__(
        self,
        name: str,
        cluster: KafkaCluster,
        rights: Sequence[EffectivePermission],
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        props = {
            "cluster": as_input(cluster),
            "rights": [asdict(right) for right in rights],
            "missing": None,
        }
        super().__init__(PermissionsProvider(), name, props, opts)
