"""What a case of a rule is, and the resources that cases share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pulumi_policy import PolicyResource

from policies.resources import ACL, TOPIC
from tests.policies.harness import (
    flow,
    resource,
    stack,
)

Stack = tuple[PolicyResource, ...]


@dataclass(frozen=True)
class Case:
    rule: str
    right: Stack
    wrong: Stack
    says: str
    """A part of the violation's message."""
    absent: tuple[str | int, ...]
    """The path of a key of the violating stack that is removed."""
    absent_says: str | None
    """The message without the key; None where the default complies."""
    unknown: Stack

    def __str__(self) -> str:
        return self.rule


# One stack file for all rules about several resources, because the engine checks them in one stack.
HERE = stack(
    flow("east", "west"),
    flow("north", "south", groups=["billing"]),
    clusters={"east": {"read-only": True}, "west": {"brokers": 3}},
    production=True,
)
NORTH = {"source_cluster_alias": "north", "target_cluster_alias": "south"}
JAAS = 'a.ScramLoginModule required username="mirror" password="${file:/x:east}";'


def acl(operation: str, at: str = "east", **changes: str) -> PolicyResource:
    props = {
        "aclPrincipal": "User:mirror",
        "aclPermissionType": "Allow",
        "aclOperation": operation,
        "aclResourceType": "Topic",
        "aclResourceName": "orders",
        "resourcePatternTypeFilter": "Literal",
        **changes,
    }
    return resource(ACL, {key: props[key] for key in props if props[key]}, at=f"{at}:9093")


def topic(name: str, at: str = "west", factor: int | str | None = 3, **more: Any) -> PolicyResource:
    props = {"name": name, **more} | ({} if factor is None else {"replicationFactor": factor})
    return resource(TOPIC, props, at=f"{at}:9093")
