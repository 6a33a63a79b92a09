"""What the connectors of one flow must agree on: otherwise offset translation fails silently."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mirrorstack.connect.config import REFERENCE
from mirrorstack.findings import Finding
from mirrorstack.mm2.catalogue import Section, connector_section, keys_in
from mirrorstack.mm2.connector_configs import ConnectorKind
from mirrorstack.mm2.key_values import BLANKS, list_items, split_list
from mirrorstack.mm2.replication_policy import DEFAULT_TOPICS_EXCLUDE, MIRROR_PACKAGE
from mirrorstack.rules.rule import Risk, rule
from mirrorstack.rules.subjects import FlowConnectors, NamedConnector

ALIASES = ("source.cluster.alias", "target.cluster.alias")
ADDRESSES = ("source.cluster.bootstrap.servers", "target.cluster.bootstrap.servers")
# A heartbeat connector does not have the source's address.
ALIAS_AND_ADDRESS = (ALIASES[0], ADDRESSES[1])
BY_ADDRESS = (ADDRESSES, ALIAS_AND_ADDRESS)
# Key -> what follows from a difference.
SHARED = {
    "source.cluster.alias": "one flow has two aliases for its source",
    "target.cluster.alias": "one flow has two aliases for its target",
    "source.cluster.bootstrap.servers": "they read from different clusters under one alias",
    "target.cluster.bootstrap.servers": "they write to different clusters under one alias",
    "replication.policy.class": "one looks for topics under names that the other does not use",
    "replication.policy.separator": "one looks for topics under names that the other does not use",
    "replication.policy.internal.topic.separator.enabled": "they name internal topics differently",
    "offset-syncs.topic.location": (
        "the checkpoint connector waits for offset syncs that are written elsewhere, and "
        "translates no offsets"
    ),
}
# Read by the topic filter of source and checkpoint connector, with the defaults.
TOPIC_FILTER = {
    "topics": ".*",
    "topics.exclude": ",".join(DEFAULT_TOPICS_EXCLUDE),
    "topic.filter.class": f"{MIRROR_PACKAGE}.DefaultTopicFilter",
}


@rule(
    FlowConnectors,
    id="consistent-connectors",
    title="The connectors of a flow must agree on names, clusters, offset syncs and topics.",
    reason="All are RUNNING, and offsets are translated wrongly or not at all.",
    risk=Risk.CRITICAL,
)
def consistent_connectors(flow: FlowConnectors) -> Iterator[Finding]:
    # The engine registers them in any order, and the messages are the same each time.
    ordered = [flow.connectors[kind] for kind in ConnectorKind if kind in flow.connectors]
    for difference in differences(ordered):
        yield difference.finding
    source = flow.connectors.get(ConnectorKind.SOURCE)
    checkpoint = flow.connectors.get(ConnectorKind.CHECKPOINT)
    if source and checkpoint:
        yield from _topic_filters(source, checkpoint)


def _topic_filters(source: NamedConnector, checkpoint: NamedConnector) -> Iterator[Finding]:
    """The checkpoint connector filters topics by itself: it must select the same ones."""
    for key, default in TOPIC_FILTER.items():
        replicated = source.config.get(key, default)
        translated = checkpoint.config.get(key, default)
        if set(list_items(replicated)) != set(list_items(translated)):
            yield Finding(
                f"{key} is {replicated or 'empty'} for {source.name} and {translated or 'empty'} "
                f"for {checkpoint.name}: offsets are translated for topics that are not "
                "replicated, or not for all that are",
                "give both the same value; an absent key has its default",
                connector=checkpoint.name,
                path=(key,),
            )


@dataclass(frozen=True)
class Difference:
    """A connector that differs from the first one of its flow."""

    number: int
    """Of the connector, in the order in which they were given."""
    finding: Finding


Numbered = tuple[int, NamedConnector]


def differences(connectors: Sequence[NamedConnector]) -> list[Difference]:
    """Of every flow that the connectors are part of."""
    mirroring = [(number, one) for number, one in enumerate(connectors) if _section(one)]
    return [found for flow in _flows(mirroring) for found in _within(flow)]


def endpoints(connector: NamedConnector, keys: Sequence[str]) -> tuple[str, ...] | None:
    """The values of the keys that identify source and target, if both are given."""
    given = tuple(",".join(sorted(split_list(connector.config.get(key, "")))) for key in keys)
    return given if all(given) else None


def _section(connector: NamedConnector) -> Section | None:
    return connector_section(connector.config.get("connector.class", "").strip())


def _value(connector: NamedConnector, key: str) -> str | None:
    """The effective value, with the default; None where the connector has no such key."""
    section = _section(connector)
    declared = keys_in(section).get(key) if section else None
    given = connector.config.get(key, declared.default if declared else None)
    if given is None or REFERENCE.search(given):
        return None
    if key in ADDRESSES:
        return ",".join(sorted(split_list(given)))
    return given.strip(BLANKS)


def _flows(connectors: Sequence[Numbered]) -> list[list[Numbered]]:
    """Those that have both aliases or both addresses in common, or one of each."""
    flows: list[list[Numbered]] = []
    for one in connectors:
        for flow in flows:
            if any(
                endpoints(one[1], keys) in _known(flow, keys) for keys in (ALIASES, *BY_ADDRESS)
            ):
                flow.append(one)
                break
        else:
            flows.append([one])
    return flows


def _known(flow: Sequence[Numbered], keys: Sequence[str]) -> list[tuple[str, ...]]:
    return [found for _, other in flow if (found := endpoints(other, keys))]


def _within(flow: Sequence[Numbered]) -> Iterator[Difference]:
    for key, consequence in SHARED.items():
        given = [(number, one, value) for number, one in flow if (value := _value(one, key))]
        for number, one, value in given[1:]:
            _, first, expected = given[0]
            if value != expected:
                finding = Finding(
                    f"{key} is {value!r} for {one.name} and {expected!r} for {first.name}: "
                    f"{consequence}",
                    "give both the same value",
                    rule=consistent_connectors.id,
                    connector=one.name,
                    path=(key,),
                )
                yield Difference(number, finding)


RULES = (consistent_connectors,)
