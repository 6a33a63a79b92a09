"""One flow of a stack file: what is mirrored where, and how."""

from __future__ import annotations

import difflib
from functools import cached_property
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field

from mirrorstack.config.strict import Alias, SettingsModel, Text
from mirrorstack.connect.protocol import ConnectorState
from mirrorstack.mm2.catalogue import Section, keys_in
from mirrorstack.mm2.java_regex import InvalidPattern, compile_java
from mirrorstack.mm2.replication_policy import Naming, ReplicationPolicy
from mirrorstack.mm2.target_topics import BROKER_SPECIFIC_CONFIGS


def _java_regex(pattern: str) -> str:
    if "," in pattern:
        raise ValueError(
            "MirrorMaker splits its lists at every comma, so a pattern cannot hold one"
        )
    try:
        compile_java(pattern)
    except InvalidPattern as reason:
        raise ValueError(f"Java cannot read this pattern: {reason}") from None
    return pattern


def _topic_config(name: str) -> str:
    known = keys_in(Section.TOPIC)
    if name not in known:
        near = difflib.get_close_matches(name, known, n=1)
        hint = f"did you mean {near[0]}" if near else "one is retention.ms"
        raise ValueError(f"topics have no such config; {hint}")
    if name in BROKER_SPECIFIC_CONFIGS:
        raise ValueError("it belongs to the brokers of one cluster, and is never carried over")
    return name


def _as_text(value: Any) -> Any:
    """`2` and `true` are what people write; Kafka reads texts."""
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, int | float) else value


Value = Annotated[str, BeforeValidator(_as_text)]
"""A value of Kafka's."""
ConfigName = Annotated[Text, AfterValidator(_topic_config)]
"""A topic's config, by its name."""
Pattern = Annotated[Text, AfterValidator(_java_regex)]
"""A name or a Java regular expression, matched against whole names."""


class OverrideSettings(SettingsModel):
    """Keys of MirrorMaker or its clients that this flow sets itself, per connector."""

    source: dict[Text, Value] = Field(default_factory=dict)
    """Of the connector that moves records."""
    checkpoint: dict[Text, Value] = Field(default_factory=dict)
    """Of the connector that translates the groups' offsets."""
    heartbeat: dict[Text, Value] = Field(default_factory=dict)
    """Of the connector that emits heartbeats."""


class FlowSettings(SettingsModel):
    """Records move from one cluster to another."""

    source: Alias = Field(alias="from")
    """The alias of the cluster that is mirrored."""
    target: Alias = Field(alias="to")
    """The alias of the cluster that it is mirrored to; the workers run next to it."""
    naming: Naming = Naming.PREFIXED
    """`prefixed`: `east.orders`, which shows its origin and ends cycles; `identity`: `orders`."""
    topics: Annotated[tuple[Pattern, ...], Field(min_length=1)]
    """Names or Java regular expressions, matched against whole names."""
    exclude: tuple[Pattern, ...] = ()
    """What of them is left out; internal topics always are."""
    groups: tuple[Pattern, ...] = ()
    """Consumer groups whose offsets are translated, by name or expression."""
    exclude_groups: tuple[Pattern, ...] = Field((), alias="exclude-groups")
    """What of them is left out."""
    sync_configs: tuple[ConfigName, ...] = Field((), alias="sync-configs")
    """Topic configs, such as `retention.ms`, that MirrorMaker keeps as they are on the source. All
    others are this stack's: made as on the source, then changed only by a deployment."""
    offset_syncs: Literal["source", "target"] = Field("target", alias="offset-syncs")
    """Where MirrorMaker notes which offset is which. On the target, the source is never written."""
    offset_lag: Annotated[int, Field(ge=0)] = Field(100, alias="offset-lag")
    """After how many records at the latest the next one is noted: the fewer, the fewer records a
    group reads again on the target."""
    checkpoint_seconds: Annotated[int, Field(ge=1)] = Field(60, alias="checkpoint-seconds")
    """How often the groups' offsets are translated."""
    sync_group_offsets: bool = Field(True, alias="sync-group-offsets")
    """Whether they are also committed on the target, so that consumers can simply start there."""
    heartbeats: bool = True
    """Whether the workers prove every second that they can write to the target."""
    exactly_once: bool = Field(True, alias="exactly-once")
    """Whether a restart may write no record twice; it costs transactions on the target."""
    rpo_seconds: Annotated[float, Field(ge=0)] | None = Field(None, alias="rpo-seconds")
    """How old a record that has not arrived may be when both clusters are compared; not given: all
    must have arrived."""
    state: ConnectorState = ConnectorState.RUNNING
    """`running`, `paused` or `stopped`."""
    tasks: Annotated[int, Field(ge=1, le=1000)] = 2
    """At most so many threads move records."""
    profile: Literal["default", "throughput"] = "default"
    """`throughput`: larger batches and fetches, for long lines and much data."""
    override: OverrideSettings = OverrideSettings()
    """Keys of MirrorMaker or its clients, per connector."""

    @property
    def name(self) -> str:
        return f"{self.source}-to-{self.target}"

    @cached_property
    def policy(self) -> ReplicationPolicy:
        return ReplicationPolicy(self.naming, self.source, self.target)
