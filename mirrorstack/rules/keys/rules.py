"""The rules of the linter about keys, values and commands of Kafka.

Each is found by several checks, in the modules of this package and in `mirrorstack.lint`; a check
names its rule. Where a value may be intended, it reports a warning instead of an error.
"""

from __future__ import annotations

from enum import StrEnum

from mirrorstack.rules.rule import Level, RuleInfo


class KeyRule(StrEnum):
    """Its value is the id of the rule."""

    info: RuleInfo

    def __new__(
        cls, rule_id: str, title: str, reason: str, level: Level = Level.MANDATORY
    ) -> KeyRule:
        self = str.__new__(cls, rule_id)
        self._value_ = rule_id
        # The policy pack does not check them, so no config of it relaxes them.
        self.info = RuleInfo(rule_id, title, reason, level=level, can_be_relaxed=False)
        return self

    UNKNOWN_KEY = (
        "unknown-key",
        "A key must be one that Kafka knows.",
        "Nothing reads it, usually because it is mistyped, and the default applies.",
    )
    REMOVED_KEY = (
        "removed-key",
        "A key must not be one that was removed from Kafka, or only proposed.",
        "It is ignored.",
    )
    UNREAD_KEY = (
        "unread-key",
        "A key must be set where Kafka reads it.",
        "The key exists, and nothing reads it in this place.",
    )
    DROPPED_KEY = (
        "dropped-key",
        "A key at the top level of mm2.properties must be one that dedicated mode passes on.",
        "It is dropped silently.",
    )
    DUPLICATE_KEY = (
        "duplicate-key",
        "A key should be set only once.",
        "Only the last value counts.",
        Level.ADVISORY,
    )
    MISSING_KEY = (
        "missing-key",
        "Required keys must be set.",
        "Kafka refuses the config, or replicates nothing.",
    )
    INVALID_VALUE = (
        "invalid-value",
        "A value must be one that Kafka accepts for its key.",
        "Kafka refuses the config.",
    )
    INLINE_COMMENT = (
        "inline-comment",
        "A value in a properties file must not be followed by a comment.",
        "The comment becomes part of the value.",
    )
    TRAILING_WHITESPACE = (
        "trailing-whitespace",
        "A value should not end in whitespace where Kafka does not trim it.",
        "The whitespace is part of the value, and changes what it means.",
        Level.ADVISORY,
    )
    UNDECLARED_CLUSTER = (
        "undeclared-cluster",
        "A key must name only clusters that `clusters` declares.",
        "Nothing reads the key.",
    )
    CONFLICT = (
        "conflict",
        "Two keys of one config must not exclude each other.",
        "Kafka refuses the config, or ignores one of them.",
    )
    KEY_SET_BY_FLOW = (
        "key-set-by-flow",
        "`override` must not set a key that follows from the flow.",
        "Topic names and ACLs follow from the flow, and the connector would not match them.",
    )
    REMOVED_COMMAND = (
        "removed-command",
        "A script must use only commands that Kafka has.",
        "Kafka no longer has the command, or never had it.",
    )
    REMOVED_OPTION = (
        "removed-option",
        "A script must use only options that the command has.",
        "The command no longer has the option.",
    )
    STACK_FILE = (
        "stack-file",
        "A stack file must be valid.",
        "`pulumi preview` refuses it.",
    )
