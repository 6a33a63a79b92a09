"""A replication flow as MirrorMaker 2 sees it: what connectors, topics and ACLs are derived from.

The settings of a stack file satisfy this protocol, so that nothing here depends on stack files.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from mirrorstack.mm2.discovery import Discovery
from mirrorstack.mm2.profiles import ProfileName
from mirrorstack.mm2.replication_policy import ReplicationPolicy


class FlowOverrides(Protocol):
    """Keys that a flow sets itself, per connector."""

    @property
    def source(self) -> Mapping[str, str]: ...
    @property
    def checkpoint(self) -> Mapping[str, str]: ...
    @property
    def heartbeat(self) -> Mapping[str, str]: ...


class Flow(Protocol):
    """Topics and consumer groups that are replicated from one cluster to another."""

    @property
    def name(self) -> str:
        """`east-to-west`."""
        ...

    @property
    def source(self) -> str:
        """The alias of the source cluster."""
        ...

    @property
    def target(self) -> str:
        """The alias of the target cluster."""
        ...

    @property
    def policy(self) -> ReplicationPolicy: ...
    @property
    def topics(self) -> Sequence[str]:
        """Names, or patterns of java.util.regex, like all that follow."""
        ...

    @property
    def discovery(self) -> Discovery: ...
    @property
    def discovery_seconds(self) -> int: ...
    @property
    def exclude(self) -> Sequence[str]: ...
    @property
    def groups(self) -> Sequence[str]: ...
    @property
    def exclude_groups(self) -> Sequence[str]: ...
    @property
    def sync_configs(self) -> Sequence[str]:
        """Topic configs that MirrorMaker keeps equal to the source's."""
        ...

    @property
    def offset_syncs(self) -> str:
        """The cluster that holds the offset-syncs topic: `source` or `target`."""
        ...

    @property
    def offset_lag(self) -> int: ...
    @property
    def checkpoint_seconds(self) -> int: ...
    @property
    def sync_group_offsets(self) -> bool: ...
    @property
    def heartbeats(self) -> bool: ...
    @property
    def exactly_once(self) -> bool: ...
    @property
    def tasks(self) -> int: ...
    @property
    def profile(self) -> ProfileName: ...
    @property
    def override(self) -> FlowOverrides: ...
