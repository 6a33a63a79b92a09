"""The graph of all flows: those of a stack and of its peers, between clusters that are the same.

A cluster may have one alias here and another one in a peer stack. It is the same cluster where the
two share an address, or a sandbox and its cluster.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from mirrorstack.findings import KeyPath
from mirrorstack.mm2.key_values import list_items
from mirrorstack.mm2.replication_policy import (
    DEFAULT_TOPICS_EXCLUDE,
    MIRROR_PACKAGE,
    SEPARATOR,
    Naming,
    ReplicationPolicy,
)

if TYPE_CHECKING:
    from mirrorstack.config.clusters import ClusterSettings
    from mirrorstack.config.flows import FlowSettings
    from mirrorstack.config.settings import StackSettings

# MirrorMaker's own classes. How another class names topics is not known.
NAMINGS = {
    "DefaultReplicationPolicy": Naming.PREFIXED,
    "IdentityReplicationPolicy": Naming.IDENTITY,
}
ClusterKeys = frozenset[str]
"""What identifies a cluster: its addresses, or a sandbox's name and cluster."""


@dataclass(frozen=True)
class Fixes:
    """How a fix is written in the kind of file that a flow was found in."""

    use_prefixes: str
    """What to set so that names show where a record came from."""
    exclude: str
    """The key that excludes topics."""


def fixes_with(exclude: str) -> Fixes:
    """For a file with Kafka's own keys, except perhaps for the one that excludes topics."""
    default = ", ".join(DEFAULT_TOPICS_EXCLUDE)
    return Fixes(
        f"set `replication.policy.class` to {MIRROR_PACKAGE}.DefaultReplicationPolicy, the default",
        f"`{exclude}`, which replaces its default, so repeat that: {default}",
    )


STACK_FILE = Fixes("use `naming: prefixed`, which is DefaultReplicationPolicy", "`exclude`")
CONNECTOR = fixes_with("topics.exclude")
STRIMZI = fixes_with("topicsExcludePattern")
"""Of a KafkaMirrorMaker2, which writes its own fields over the connectors' keys."""


@dataclass(frozen=True)
class Route:
    """A flow as MirrorMaker runs it: which topics it selects, and how it names them."""

    name: str
    """As messages show it: `east-to-west`, or `west-to-east of Pulumi.dr.yaml`."""
    source: ClusterKeys
    target: ClusterKeys
    policy: ReplicationPolicy
    topics: tuple[str, ...]
    excluded: tuple[str, ...] = DEFAULT_TOPICS_EXCLUDE
    fixes: Fixes = STACK_FILE
    """How a fix is written."""
    path: KeyPath = ()
    """Where the stack file declares the flow; of a peer's flow, the key that names the peer."""
    is_peer: bool = False
    """Whether it is a peer stack's flow."""

    @property
    def source_alias(self) -> str:
        return self.policy.source

    @property
    def target_alias(self) -> str:
        return self.policy.target


def routes(settings: StackSettings, peers: Mapping[str, StackSettings]) -> list[Route]:
    """The flows of a stack and of its peers, which are named by their files."""
    own = [
        _declared(flow, settings, flow.name, ("flows", number))
        for number, flow in enumerate(settings.flows)
    ]
    return own + peer_routes(peers)


def peer_routes(peers: Mapping[str, StackSettings]) -> list[Route]:
    return [
        replace(
            _declared(flow, peer, f"{flow.name} of {name}", ("peers",)),
            is_peer=True,
        )
        for name, peer in peers.items()
        for flow in peer.flows
    ]


def route_of(
    config: Mapping[str, str],
    name: str,
    settings: StackSettings | None,
    fixes: Fixes = STACK_FILE,
) -> Route:
    """What a MirrorSourceConnector replicates, by its config and MirrorMaker's defaults."""
    source, target = config.get("source.cluster.alias", ""), config.get("target.cluster.alias", "")
    return Route(
        name=name,
        source=_keys_in(config, "source", source, settings),
        target=_keys_in(config, "target", target, settings),
        policy=policy_of(config, settings),
        topics=list_items(config.get("topics", ".*")),
        excluded=list_items(config.get("topics.exclude", ",".join(DEFAULT_TOPICS_EXCLUDE))),
        fixes=fixes,
    )


def policy_of(
    config: Mapping[str, str], settings: StackSettings | None = None
) -> ReplicationPolicy:
    """The names that a connector gives. `settings` know how a class of one's own names topics;
    an unknown class may keep names as they are: nothing then breaks a cycle."""
    source, target = config.get("source.cluster.alias", ""), config.get("target.cluster.alias", "")
    java_class = config.get("replication.policy.class", next(iter(NAMINGS)))
    for flow in settings.flows if settings else ():
        declared = flow.policy
        ends = (declared.source, declared.target)
        if declared.own and declared.java_class == java_class and ends == (source, target):
            return declared
    naming = NAMINGS.get(java_class.rpartition(".")[2], Naming.IDENTITY)
    separator = config.get("replication.policy.separator", SEPARATOR)
    return ReplicationPolicy(naming, source, target, separator)


def cluster_keys(alias: str, cluster: ClusterSettings) -> ClusterKeys:
    if cluster.sandbox is not None:
        return frozenset({f"{cluster.cluster or alias} of sandbox {cluster.sandbox}"})
    return frozenset(address.lower() for address in cluster.bootstrap_servers or ())


@dataclass(frozen=True)
class Topology:
    """Routes between clusters."""

    routes: Sequence[Route]

    def cluster(self, keys: ClusterKeys) -> ClusterKeys:
        """The cluster that has one of these keys, by all of its keys."""
        return next((known for known in self._clusters if known & keys), keys)

    def cycles(self) -> Iterator[tuple[Route, ...]]:
        """Paths back to their first cluster, over no other cluster twice; short ones first."""
        paths: list[tuple[Route, ...]] = [(route,) for route in self.routes]
        while paths:
            longer: list[tuple[Route, ...]] = []
            for path in paths:
                first, here = self.cluster(path[0].source), self.cluster(path[-1].target)
                if first == here:
                    yield path
                elif here not in {self.cluster(route.source) for route in path}:
                    longer += [(*path, route) for route in self._outgoing[here] if route != path[0]]
            # Each cycle once: it begins with the first of its routes.
            order = {route: number for number, route in enumerate(self.routes)}
            paths = [path for path in longer if order[path[-1]] > order[path[0]]]

    @cached_property
    def _outgoing(self) -> dict[ClusterKeys, list[Route]]:
        found: dict[ClusterKeys, list[Route]] = {}
        for route in self.routes:
            found.setdefault(self.cluster(route.source), []).append(route)
            found.setdefault(self.cluster(route.target), [])
        return found

    @cached_property
    def _clusters(self) -> list[ClusterKeys]:
        """Sets of keys that have one in common, joined."""
        joined: list[ClusterKeys] = []
        for keys in [end for route in self.routes for end in (route.source, route.target)]:
            same = [known for known in joined if known & keys]
            joined = [known for known in joined if known not in same]
            joined.append(keys.union(*same))
        return joined


def _declared(flow: FlowSettings, settings: StackSettings, name: str, path: KeyPath) -> Route:
    return Route(
        name=name,
        source=cluster_keys(flow.source, settings.clusters[flow.source]),
        target=cluster_keys(flow.target, settings.clusters[flow.target]),
        policy=flow.policy,
        topics=flow.topics,
        excluded=(*DEFAULT_TOPICS_EXCLUDE, *flow.exclude),
        path=path,
    )


def _keys_in(
    config: Mapping[str, str], end: str, alias: str, settings: StackSettings | None
) -> ClusterKeys:
    addresses = list_items(config.get(f"{end}.cluster.bootstrap.servers", "").lower())
    declared = settings.clusters.get(alias) if settings else None
    known = cluster_keys(alias, declared) if declared else frozenset()
    # Without an address only the alias identifies it.
    return known | frozenset(addresses) or frozenset({f"alias {alias}"})
