"""The kinds of findings about keys, files and stacks, and one finding."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum


class Rule(StrEnum):
    UNKNOWN_KEY = "unknown-key"
    GONE_KEY = "gone-key"
    UNREAD_KEY = "unread-key"
    DROPPED_KEY = "dropped-key"
    DUPLICATE_KEY = "duplicate-key"
    MISSING_KEY = "missing-key"
    INVALID_VALUE = "invalid-value"
    INLINE_COMMENT = "inline-comment"
    TRAILING_BLANK = "trailing-blank"
    UNDECLARED_CLUSTER = "undeclared-cluster"
    CONFLICT = "conflict"
    DISAGREEMENT = "disagreement"
    GONE_COMMAND = "gone-command"
    GONE_OPTION = "gone-option"
    STACK_FILE = "stack-file"
    # These are the policy pack's as well: whoever breaks one is not deployed.
    RING = "flows-form-no-ring"
    EVERYTHING = "production-names-what-it-mirrors"
    MERGING = "sources-do-not-merge"
    LOOKS_MIRRORED = "names-do-not-look-mirrored"
    LOOKS_LIKE_HEARTBEATS = "names-do-not-look-like-heartbeats"
    SHARED_STATE = "stacks-share-no-state"
    UNENCRYPTED = "production-clusters-are-encrypted"
    BYTES = "records-keep-their-bytes"
    ACLS = "acls-are-not-synced"
    READ_ONLY_SYNCS = "read-only-means-no-offset-syncs"
    EXCLUDED_GROUPS = "groups-are-not-excluded"
    CHECKPOINTS = "groups-have-checkpoints"
    SYNCED_OFFSETS = "group-offsets-are-synced"
    HEARTBEATS = "heartbeats-are-emitted"
    MIXED_WORKERS = "workers-share-state-only-in-a-group"
    # Of dedicated mode, which the pack does not deploy.
    READ_ONLY_HEARTBEATS = "read-only-means-no-heartbeats"
    ONCE = "dedicated-once-per-target"


ABOUT: Mapping[Rule, str] = {
    Rule.UNKNOWN_KEY: "Nothing in Kafka reads the key; mostly it is mistyped.",
    Rule.GONE_KEY: "The key was removed from Kafka, or only ever proposed; it is ignored.",
    Rule.UNREAD_KEY: "The key exists, and nothing reads it where it stands.",
    Rule.DROPPED_KEY: "Dedicated mode drops the key at the top level, without a word.",
    Rule.DUPLICATE_KEY: "The key stands twice, and only the last one counts.",
    Rule.MISSING_KEY: "Nothing works without the key.",
    Rule.INVALID_VALUE: "Kafka does not take the value for the key.",
    Rule.INLINE_COMMENT: "A properties file has no comments after values: it belongs to the value.",
    Rule.TRAILING_BLANK: "A blank at the end belongs to the value, and here it matters.",
    Rule.UNDECLARED_CLUSTER: "The key is about a cluster that `clusters` does not name.",
    Rule.CONFLICT: "Two keys of one config exclude each other.",
    Rule.DISAGREEMENT: "The connectors of one flow must agree, and do not.",
    Rule.GONE_COMMAND: "Kafka does not have the command any more, or never had it.",
    Rule.GONE_OPTION: "The command does not take the option any more.",
    Rule.STACK_FILE: "The stack file is not one that Mirrorstack takes.",
    Rule.RING: "Flows with identity naming must not lead topics back to where they came from.",
    Rule.EVERYTHING: "In production, topics and groups must be named, and not be everything.",
    Rule.MERGING: "Two sources must not write the same topic on one target.",
    Rule.LOOKS_MIRRORED: (
        "A topic should not begin with the alias of a cluster that it did not come from."
    ),
    Rule.LOOKS_LIKE_HEARTBEATS: "Under identity naming, a topic must not end in `heartbeats`.",
    Rule.SHARED_STATE: "Worker groups and internal topics must belong to one stack alone.",
    Rule.UNENCRYPTED: "In production, clusters must be reached through TLS.",
    Rule.BYTES: (
        "MirrorMaker's connectors must use ByteArrayConverter for keys, values and headers."
    ),
    Rule.ACLS: "MirrorMaker must not copy ACLs.",
    Rule.READ_ONLY_SYNCS: "Offset syncs of a read-only source must be kept on the target.",
    Rule.EXCLUDED_GROUPS: "A group that is declared must not be excluded at the same time.",
    Rule.CHECKPOINTS: "Where groups are declared, there must be a checkpoint connector.",
    Rule.SYNCED_OFFSETS: "Translated offsets should be committed on the target.",
    Rule.HEARTBEATS: "A flow should have a heartbeat connector that emits.",
    Rule.MIXED_WORKERS: (
        "Workers of a group must share their topics, and those of two groups must not."
    ),
    Rule.READ_ONLY_HEARTBEATS: "On a source that is not to be written, no heartbeats are emitted.",
    Rule.ONCE: "Two files of dedicated mode must not run one flow, each in its own way.",
}
