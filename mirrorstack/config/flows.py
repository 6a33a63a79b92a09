"""`flows` of a stack file: what is replicated from where to where, and how."""

from __future__ import annotations

from functools import cached_property
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field

from mirrorstack.config.base import Alias, ConfigValue, InvalidValueError, SettingsModel, Text
from mirrorstack.config.replication_policies import (
    PolicySettings,
    Separator,
    replication_policy,
)
from mirrorstack.connect.protocol import ConnectorState
from mirrorstack.mm2.catalogue import Section, keys_in
from mirrorstack.mm2.connector_configs import flow_name
from mirrorstack.mm2.discovery import Discovery
from mirrorstack.mm2.java_regex import InvalidPattern, compile_java
from mirrorstack.mm2.profiles import OFFSET_LAG, ProfileName
from mirrorstack.mm2.replication_policy import SEPARATOR, Naming, ReplicationPolicy
from mirrorstack.mm2.target_topics import BROKER_SPECIFIC_CONFIGS
from mirrorstack.text import did_you_mean


def _check_pattern(pattern: str) -> str:
    if "," in pattern:
        raise InvalidValueError(
            "must not contain a comma: MirrorMaker splits its lists at every comma",
            "write two patterns, or {n} and + instead of {n,m}",
        )
    try:
        compile_java(pattern)
    except InvalidPattern as reason:
        raise InvalidValueError(
            f"not a valid Java regular expression: {reason}", "correct the expression"
        ) from None
    return pattern


def _check_topic_config(name: str) -> str:
    known = keys_in(Section.TOPIC)
    if name not in known:
        fix = did_you_mean(name, known, "use a topic config of Kafka, such as retention.ms")
        raise InvalidValueError("unknown topic config", fix)
    if name in BROKER_SPECIFIC_CONFIGS:
        raise InvalidValueError(
            "depends on the brokers of one cluster, and is never synced", "remove it"
        )
    return name


def _check_profile(value: Any) -> Any:
    if value == "throughput":
        raise InvalidValueError(
            "no longer a profile: its sizes are the default now", "remove `profile`"
        )
    return value


TopicConfigName = Annotated[Text, AfterValidator(_check_topic_config)]
Pattern = Annotated[Text, AfterValidator(_check_pattern)]
"""A name or a Java regular expression that matches the whole name."""


class OverrideSettings(SettingsModel):
    """Kafka keys that the flow sets itself, for each of its connectors. Client keys take a prefix,
    such as `producer.override.linger.ms`."""

    source: dict[Text, ConfigValue] = Field(default_factory=dict)
    """Keys of MirrorSourceConnector, which replicates records."""
    checkpoint: dict[Text, ConfigValue] = Field(default_factory=dict)
    """Keys of MirrorCheckpointConnector, which translates committed offsets of groups."""
    heartbeat: dict[Text, ConfigValue] = Field(default_factory=dict)
    """Keys of MirrorHeartbeatConnector, which emits heartbeats."""


class FlowSettings(SettingsModel):
    """One direction of replication, from a source cluster to a target cluster."""

    source: Alias = Field(alias="from")
    """Alias of the source cluster (`source.cluster.alias`)."""
    target: Alias = Field(alias="to")
    """Alias of the target cluster (`target.cluster.alias`). The workers run next to it."""
    naming: Naming = Naming.PREFIXED
    """Names of target topics (`replication.policy.class`). `prefixed`: `east.orders`, which names
    the source and prevents cycles (`DefaultReplicationPolicy`). `identity`: `orders`
    (`IdentityReplicationPolicy`). `custom`: as the class in `policy` names them."""
    separator: Separator = SEPARATOR
    """Between the source's alias and the topic, and in the names of MirrorMaker's internal topics
    (`replication.policy.separator`). It must not occur in the aliases."""
    own_policy: PolicySettings | None = Field(None, alias="policy")
    """Replication policy of one's own, for `naming: custom`."""
    topics: Annotated[tuple[Pattern, ...], Field(min_length=1)]
    """Topics to replicate: names or Java regular expressions that match the whole name
    (`topics`)."""
    discovery: Discovery = Discovery.LIVE
    """Topics that a pattern matches after the deployment. `live`: MirrorMaker creates and
    replicates them by itself. `pinned`: they are replicated after the next deployment, whose
    preview lists them. A name in `topics` always means exactly that topic."""
    discovery_seconds: Annotated[int, Field(ge=1)] = Field(60, alias="discovery-seconds")
    """Interval in seconds at which MirrorMaker looks for new topics and partitions on the source
    (`refresh.topics.interval.seconds`)."""
    exclude: tuple[Pattern, ...] = ()
    """Topics not to replicate, although `topics` matches (`topics.exclude`). Internal topics are
    always excluded."""
    groups: tuple[Pattern, ...] = ()
    """Consumer groups whose committed offsets are translated: names or Java regular expressions
    (`groups`). Without any, there is no checkpoint connector."""
    exclude_groups: tuple[Pattern, ...] = Field((), alias="exclude-groups")
    """Consumer groups to leave out, although `groups` matches (`groups.exclude`)."""
    sync_configs: tuple[TopicConfigName, ...] = Field((), alias="sync-configs")
    """Topic configs, such as `retention.ms`, that MirrorMaker keeps equal to the source
    (`sync.topic.configs.enabled`, `config.properties.exclude`). All others are copied when the
    topic is created; those of topics given by name are changed by a deployment. Not possible with
    patterns whose discovery is `live`."""
    offset_syncs: Literal["source", "target"] = Field("target", alias="offset-syncs")
    """Cluster that holds the offset-syncs topic: `source` or `target`
    (`offset-syncs.topic.location`). With `target`, nothing is written to the source."""
    offset_lag: Annotated[int, Field(ge=0)] = Field(OFFSET_LAG, alias="offset-lag")
    """Maximum number of records between offset syncs (`offset.lag.max`). One more follows each
    transaction, or without `exactly-once` every ten seconds; so a lower value has little effect on
    how many records are consumed again after a failover, and can lose the first offset syncs."""
    checkpoint_seconds: Annotated[int, Field(ge=1)] = Field(60, alias="checkpoint-seconds")
    """Interval in seconds at which committed offsets are translated
    (`emit.checkpoints.interval.seconds`, `sync.group.offsets.interval.seconds`,
    `refresh.groups.interval.seconds`)."""
    sync_group_offsets: bool = Field(True, alias="sync-group-offsets")
    """Whether translated offsets are also committed on the target, so that consumers can start
    there without another step (`sync.group.offsets.enabled`)."""
    heartbeats: bool = True
    """Whether a heartbeat connector writes a record to the target every second
    (`emit.heartbeats.interval.seconds`). It shows that the workers can write there."""
    exactly_once: bool = Field(True, alias="exactly-once")
    """Whether records are written in transactions, so that a restart writes none twice
    (`exactly.once.support`, `exactly.once.source.support`)."""
    rpo_seconds: Annotated[float, Field(ge=0)] | None = Field(None, alias="rpo-seconds")
    """Recovery point objective in seconds: maximum age of a record that is not yet on the target
    when source and target are compared. Default: all records must have been replicated."""
    state: ConnectorState = ConnectorState.RUNNING
    """State of the connectors: `running`, `paused` (tasks stay assigned) or `stopped` (no tasks;
    offsets can be changed)."""
    tasks: Annotated[int, Field(ge=1, le=1000)] = 2
    """Maximum number of tasks (`tasks.max`)."""
    profile: Annotated[ProfileName, BeforeValidator(_check_profile)] = ProfileName.DEFAULT
    """Sizes of batches, buffers and fetches (`producer.override.batch.size`,
    `consumer.fetch.max.bytes` and others), from which the heap of the workers is derived.
    `default`: large, for throughput. `frugal`: for small machines."""
    override: OverrideSettings = OverrideSettings()
    """Kafka keys that the flow sets itself, for each of its connectors."""

    @property
    def name(self) -> str:
        return flow_name(self.source, self.target)

    @cached_property
    def policy(self) -> ReplicationPolicy:
        return replication_policy(
            self.naming, self.source, self.target, self.separator, self.own_policy
        )
