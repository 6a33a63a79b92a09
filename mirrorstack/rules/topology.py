"""The graph of all flows: those of a stack and of its peers, between clusters that are the same.

A cluster may have one alias here and another one in a peer stack. It is the same one where the two
share an address, or a sandbox and its cluster.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from mirrorstack.findings import KeyPath
from mirrorstack.mm2.key_values import list_items
from mirrorstack.mm2.replication_policy import DEFAULT_TOPICS_EXCLUDE, SEPARATOR, Naming
from mirrorstack.rules.dialects import STACK_FILE, Dialect

if TYPE_CHECKING:
    from mirrorstack.config.clusters import ClusterSettings
    from mirrorstack.config.flows import FlowSettings
    from mirrorstack.config.settings import StackSettings

# MirrorMaker's own classes; the names that another class makes are anybody's guess.
NAMINGS = {
    "DefaultReplicationPolicy": Naming.PREFIXED,
    "IdentityReplicationPolicy": Naming.IDENTITY,
}
Keys = frozenset[str]
"""All that a cluster is known by: its addresses, or a sandbox's name and cluster."""


@dataclass(frozen=True)
class Route:
    """A flow as MirrorMaker runs it: which names it takes, and what it makes of them."""

    name: str
    """As people know it: `east-to-west`, or `west-to-east of Pulumi.dr.yaml`."""
    source: Keys
    target: Keys
    source_alias: str
    target_alias: str
    naming: Naming
    topics: tuple[str, ...]
    excluded: tuple[str, ...] = DEFAULT_TOPICS_EXCLUDE
    separator: str = SEPARATOR
    dialect: Dialect = STACK_FILE
    """The keys in which a fix is given."""
    path: KeyPath = ()
    """Where the stack file declares the flow; of a peer's flow, the key that names the peer."""


def routes(settings: StackSettings, peers: Mapping[str, StackSettings]) -> list[Route]:
    """The flows of a stack and of its peers, which are named by their files."""
    own = [
        _declared(flow, settings, flow.name, ("flows", number))
        for number, flow in enumerate(settings.flows)
    ]
    return own + peer_routes(peers)


def peer_routes(peers: Mapping[str, StackSettings]) -> list[Route]:
    return [
        _declared(flow, peer, f"{flow.name} of {name}", ("peers",))
        for name, peer in peers.items()
        for flow in peer.flows
    ]


def route_of(
    config: Mapping[str, str],
    name: str,
    settings: StackSettings | None,
    dialect: Dialect = STACK_FILE,
) -> Route:
    """What a MirrorSourceConnector does, by its config and MirrorMaker's defaults."""
    source, target = config.get("source.cluster.alias", ""), config.get("target.cluster.alias", "")
    return Route(
        name=name,
        source=_keys_in(config, "source", source, settings),
        target=_keys_in(config, "target", target, settings),
        source_alias=source,
        target_alias=target,
        naming=naming_of(config.get("replication.policy.class")),
        topics=list_items(config.get("topics", ".*")),
        excluded=list_items(config.get("topics.exclude", ",".join(DEFAULT_TOPICS_EXCLUDE))),
        separator=config.get("replication.policy.separator", SEPARATOR),
        dialect=dialect,
    )


def naming_of(java_class: str | None) -> Naming:
    """An unknown class may keep names as they are: nothing then breaks a cycle."""
    if java_class is None:
        return Naming.PREFIXED
    return NAMINGS.get(java_class.rpartition(".")[2], Naming.IDENTITY)


def keys_of(alias: str, cluster: ClusterSettings) -> Keys:
    if cluster.sandbox is not None:
        return frozenset({f"{cluster.cluster or alias} of sandbox {cluster.sandbox}"})
    return frozenset(address.lower() for address in cluster.bootstrap_servers or ())


@dataclass(frozen=True)
class Topology:
    """Routes between clusters."""

    routes: Sequence[Route]

    def cluster(self, keys: Keys) -> Keys:
        """The cluster that has one of these keys, by all that it is known by."""
        return next((known for known in self._clusters if known & keys), keys)

    def rings(self) -> Iterator[tuple[Route, ...]]:
        """Ways that lead back to where they began, over no cluster twice; short ones first."""
        ways: list[tuple[Route, ...]] = [(route,) for route in self.routes]
        while ways:
            longer: list[tuple[Route, ...]] = []
            for way in ways:
                begin, here = self.cluster(way[0].source), self.cluster(way[-1].target)
                if begin == here:
                    yield way
                elif here not in {self.cluster(route.source) for route in way}:
                    longer += [(*way, route) for route in self._leaving[here] if route != way[0]]
            # Each ring once: it begins with the first of its routes.
            order = {route: number for number, route in enumerate(self.routes)}
            ways = [way for way in longer if order[way[-1]] > order[way[0]]]

    @cached_property
    def _leaving(self) -> dict[Keys, list[Route]]:
        found: dict[Keys, list[Route]] = {}
        for route in self.routes:
            found.setdefault(self.cluster(route.source), []).append(route)
            found.setdefault(self.cluster(route.target), [])
        return found

    @cached_property
    def _clusters(self) -> list[Keys]:
        """Sets of keys that share one, made into one."""
        joined: list[Keys] = []
        for keys in [end for route in self.routes for end in (route.source, route.target)]:
            same = [known for known in joined if known & keys]
            joined = [known for known in joined if known not in same]
            joined.append(keys.union(*same))
        return joined


def _declared(flow: FlowSettings, settings: StackSettings, name: str, path: KeyPath) -> Route:
    return Route(
        name=name,
        source=keys_of(flow.source, settings.clusters[flow.source]),
        target=keys_of(flow.target, settings.clusters[flow.target]),
        source_alias=flow.source,
        target_alias=flow.target,
        naming=flow.naming,
        topics=flow.topics,
        excluded=(*DEFAULT_TOPICS_EXCLUDE, *flow.exclude),
        path=path,
    )


def _keys_in(
    config: Mapping[str, str], end: str, alias: str, settings: StackSettings | None
) -> Keys:
    addresses = list_items(config.get(f"{end}.cluster.bootstrap.servers", "").lower())
    declared = settings.clusters.get(alias) if settings else None
    known = keys_of(alias, declared) if declared else frozenset()
    # Without an address all that is left is the alias.
    return known | frozenset(addresses) or frozenset({f"alias {alias}"})
