"""The effective permissions of a mirroring principal, checked before anything depends on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pulumi
from pulumi.dynamic import CreateResult, DiffResult, ReadResult, Resource, UpdateResult

from components.cluster_props import PasswordProvider, cluster_props
from mirrorstack.findings import UserError
from mirrorstack.kafka.acls import Operation, ResourceType
from mirrorstack.kafka.admin import KafkaCluster
from mirrorstack.kafka.permissions import (
    EffectivePermission,
    missing_permissions,
    wait_for_permissions,
)
from mirrorstack.planning.connections import PasswordReference

# Brokers learn of a new ACL, and of a new user, a moment after it is created.
EFFECTIVE_WITHIN_SECONDS = 15.0
INPUTS = ("cluster", "permissions")


class PermissionsProvider(PasswordProvider):
    """Asks the cluster as the mirroring principal. It changes nothing there."""

    def create(self, props: dict[str, Any]) -> CreateResult:
        self._wait(props)
        return CreateResult(id_=props["cluster"]["alias"], outs={**props, "missing": []})

    def diff(self, _id: str, olds: dict[str, Any], news: dict[str, Any]) -> DiffResult:
        """Also a change if nothing was declared: without a permission MM2 is RUNNING and silent,
        so a preview shows that one is missing, and `up` reports which."""
        changed = any(olds.get(key) != news.get(key) for key in INPUTS)
        return DiffResult(changes=changed or bool(olds.get("missing")) or bool(self._missing(news)))

    def update(self, _id: str, _olds: dict[str, Any], news: dict[str, Any]) -> UpdateResult:
        self._wait(news)
        return UpdateResult(outs={**news, "missing": []})

    def read(self, id_: str, props: dict[str, Any]) -> ReadResult:
        outs = {**props, "missing": self._missing(props)}
        inputs = {key: props[key] for key in INPUTS if key in props}
        return ReadResult(id_=id_, outs=outs, inputs=inputs)

    def _wait(self, props: Mapping[str, Any]) -> None:
        cluster = self.cluster(props["cluster"])
        wait_for_permissions(cluster, _permissions(props), EFFECTIVE_WITHIN_SECONDS)

    def _missing(self, props: Mapping[str, Any]) -> list[str]:
        try:
            found = missing_permissions(self.cluster(props["cluster"]), _permissions(props))
        except UserError as error:  # the cluster refuses or does not answer: `up` fails with it
            return [error.message]
        return [permission.description for permission in found]


def _permissions(props: Mapping[str, Any]) -> list[EffectivePermission]:
    return [
        EffectivePermission(
            ResourceType(each["type"]),
            name,
            Operation(each["operation"]),
            each["reason"],
            may_be_absent=bool(each["may_be_absent"]),
        )
        for each in props["permissions"].values()
        for name in each["names"].split(",")
    ]


def _to_props(permissions: Sequence[EffectivePermission]) -> dict[str, dict[str, Any]]:
    """Grouped by operation, with the names in one value; see `changes.diff.encode_topics`. Not a
    list, in which one more entry would show as a change of all after it."""
    names: dict[tuple[str, str, str, bool], list[str]] = {}
    for each in permissions:
        key = (each.type.value, each.operation.value, each.reason, each.may_be_absent)
        names.setdefault(key, []).append(each.name)
    keys = ("type", "operation", "reason", "may_be_absent")
    return {
        f"{operation} on {type_}, {reason}{', if it exists' if may_be_absent else ''}": {
            **dict(zip(keys, (type_, operation, reason, may_be_absent), strict=True)),
            "names": ",".join(sorted(each)),
        }
        for (type_, operation, reason, may_be_absent), each in names.items()
    }


@dataclass(frozen=True, kw_only=True)
class EffectivePermissionsArgs:
    cluster: KafkaCluster
    """As the mirroring principal."""
    password: PasswordReference
    permissions: Sequence[EffectivePermission]


class EffectivePermissions(Resource, module="mirrorstack", name="EffectivePermissions"):
    """Created when the mirroring principal has all permissions; fails with those it lacks."""

    missing: pulumi.Output[list[str]]

    def __init__(
        self,
        name: str,
        args: EffectivePermissionsArgs,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        props = {
            "cluster": cluster_props(args.cluster, args.password),
            "permissions": _to_props(args.permissions),
            "missing": None,
        }
        super().__init__(PermissionsProvider(), name, props, opts)
