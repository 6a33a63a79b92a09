"""ACLs as Kafka has them: an operation that a principal is allowed on a resource pattern.

`mm2.required_acls` derives which ones a stack needs.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Operation(StrEnum):
    READ = "Read"
    WRITE = "Write"
    CREATE = "Create"
    ALTER = "Alter"
    DESCRIBE = "Describe"
    DESCRIBE_CONFIGS = "DescribeConfigs"
    ALTER_CONFIGS = "AlterConfigs"


class ResourceType(StrEnum):
    TOPIC = "Topic"
    GROUP = "Group"
    TRANSACTIONAL_ID = "TransactionalID"


class PatternType(StrEnum):
    LITERAL = "Literal"
    PREFIXED = "Prefixed"


TOOL_OPTIONS = {
    ResourceType.TOPIC: "--topic",
    ResourceType.GROUP: "--group",
    ResourceType.TRANSACTIONAL_ID: "--transactional-id",
}


@dataclass(frozen=True, order=True)
class ResourcePattern:
    """The resources that an ACL applies to: one by its name, all with a prefix, or all (`*`)."""

    type: ResourceType
    name: str
    pattern: PatternType = PatternType.LITERAL

    def covers(self, other: ResourcePattern) -> bool:
        """Whether an ACL on this pattern applies to everything that the other matches."""
        if self.type is not other.type:
            return False
        if self.pattern is PatternType.PREFIXED:
            return other.name.startswith(self.name)
        return self == other or self.name == "*"

    @property
    def text(self) -> str:
        """The name, with a star behind a prefix."""
        return f"{self.name}{'*' if self.pattern is PatternType.PREFIXED else ''}"


@dataclass(frozen=True, order=True)
class Acl:
    """An ACL that allows a principal one operation on a cluster's resources."""

    cluster: str
    resource: ResourcePattern
    operation: Operation
    reason: str
    """What needs it; shown where the ACL is missing."""

    @property
    def key(self) -> tuple[str, ResourcePattern, Operation]:
        return (self.cluster, self.resource, self.operation)

    @property
    def summary(self) -> str:
        """`Read on Topic east.*`."""
        return f"{self.operation.value} on {self.resource.type.value} {self.resource.text}"

    @property
    def description(self) -> str:
        """The summary with the reason."""
        return f"{self.summary}: {self.reason}"

    def command(self, principal: str, bootstrap_servers: str, *, remove: bool = False) -> str:
        """The `kafka-acls` command that adds this ACL, or removes it."""
        action = "--remove --force" if remove else "--add"
        return (
            f"kafka-acls --bootstrap-server {bootstrap_servers} --command-config admin.properties "
            f"{action} --allow-principal User:{principal} --operation {self.operation.value} "
            f"{TOOL_OPTIONS[self.resource.type]} '{self.resource.name}' "
            f"--resource-pattern-type {self.resource.pattern.value.lower()}"
        )

    @property
    def label(self) -> str:
        """A short name, unique within its cluster: `topic-east.-prefixed-write`."""
        name = "any" if self.resource.name == "*" else self.resource.name
        pieces = [self.resource.type, name, self.operation]
        if self.resource.pattern is PatternType.PREFIXED:
            pieces.insert(2, self.resource.pattern)
        return "-".join(piece if piece == name else piece.lower() for piece in pieces)
