"""The rules of the linter about keys, values and commands of Kafka.

Each is found by several checks, in the modules of this package and in `mirrorstack.lint`.
"""

from __future__ import annotations

from enum import StrEnum


class KeyRule(StrEnum):
    """Its value is the id of the rule."""

    description: str

    def __new__(cls, rule_id: str, description: str) -> KeyRule:
        self = str.__new__(cls, rule_id)
        self._value_ = rule_id
        self.description = description
        return self

    UNKNOWN_KEY = "unknown-key", "Nothing in Kafka reads the key; usually it is mistyped."
    REMOVED_KEY = "removed-key", "The key was removed from Kafka, or only proposed; it is ignored."
    UNREAD_KEY = "unread-key", "The key exists, and nothing reads it in this place."
    DROPPED_KEY = "dropped-key", "Dedicated mode drops the key at the top level, silently."
    DUPLICATE_KEY = "duplicate-key", "The key is set twice, and only the last value counts."
    MISSING_KEY = "missing-key", "A required key is missing."
    INVALID_VALUE = "invalid-value", "Kafka refuses the value of the key."
    INLINE_COMMENT = (
        "inline-comment",
        "A properties file has no comments after values: the text becomes part of the value.",
    )
    TRAILING_BLANK = "trailing-blank", "A blank at the end is part of the value, and matters here."
    UNDECLARED_CLUSTER = (
        "undeclared-cluster",
        "The key names a cluster that `clusters` does not declare.",
    )
    CONFLICT = "conflict", "Two keys of one config exclude each other."
    REMOVED_COMMAND = "removed-command", "Kafka no longer has the command, or never had it."
    REMOVED_OPTION = "removed-option", "The command no longer has the option."
    STACK_FILE = "stack-file", "The stack file is not valid."
