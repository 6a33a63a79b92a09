"""What the connectors of one flow must agree on, or translation breaks without a word."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from mirrorstack.connect.config import REFERENCE
from mirrorstack.findings import Finding
from mirrorstack.mm2.catalogue import Section, connector_section, keys_in
from mirrorstack.mm2.key_values import BLANKS, split_list
from mirrorstack.rules.registry import Rule

ALIASES = ("source.cluster.alias", "target.cluster.alias")
ADDRESSES = ("source.cluster.bootstrap.servers", "target.cluster.bootstrap.servers")
# A heartbeat connector does not say where its source is.
NAMED_AND_REACHED = (ALIASES[0], ADDRESSES[1])
REACHED = (ADDRESSES, NAMED_AND_REACHED)
# Key -> what comes of a disagreement.
SHARED = {
    "source.cluster.alias": "one flow has two names for its source",
    "target.cluster.alias": "one flow has two names for its target",
    "source.cluster.bootstrap.servers": "they read from different clusters under one alias",
    "target.cluster.bootstrap.servers": "they write to different clusters under one alias",
    "replication.policy.class": "one looks for topics under names that the other does not give",
    "replication.policy.separator": "one looks for topics under names that the other does not give",
    "replication.policy.internal.topic.separator.enabled": "they name internal topics differently",
    "offset-syncs.topic.location": (
        "the checkpoint connector waits for offset-syncs that are written elsewhere, and "
        "translates no offsets"
    ),
}


@dataclass(frozen=True)
class Named:
    """A connector of MirrorMaker."""

    name: str
    config: Mapping[str, str]

    @property
    def section(self) -> Section | None:
        return connector_section(self.config.get("connector.class", "").strip())

    def ends(self, keys: Sequence[str]) -> tuple[str, ...] | None:
        """The two clusters, if both are told."""
        told = tuple(",".join(sorted(split_list(self.config.get(key, "")))) for key in keys)
        return told if all(told) else None

    def value(self, key: str) -> str | None:
        """What counts, the default included; None where the connector has no such key."""
        declared = keys_in(self.section).get(key) if self.section else None
        given = self.config.get(key, declared.default if declared else None)
        if given is None or REFERENCE.search(given):
            return None
        if key in ADDRESSES:
            return ",".join(sorted(split_list(given)))
        return given.strip(BLANKS)


Numbered = tuple[int, Named]


def disagreements(connectors: Sequence[Named]) -> list[tuple[int, Finding]]:
    """Of every flow, each connector that differs from the flow's first, by its number."""
    ours = [(number, one) for number, one in enumerate(connectors) if one.section is not None]
    return [found for flow in _flows(ours) for found in _within(flow)]


def _flows(connectors: Sequence[Numbered]) -> list[list[Numbered]]:
    """Those that have both aliases or both addresses in common, or one of each."""
    flows: list[list[Numbered]] = []
    for one in connectors:
        for flow in flows:
            if any(one[1].ends(keys) in _told(flow, keys) for keys in (ALIASES, *REACHED)):
                flow.append(one)
                break
        else:
            flows.append([one])
    return flows


def _told(flow: Sequence[Numbered], keys: Sequence[str]) -> list[tuple[str, ...]]:
    return [ends for _, other in flow if (ends := other.ends(keys))]


def _within(flow: Sequence[Numbered]) -> Iterator[tuple[int, Finding]]:
    for key, consequence in SHARED.items():
        told = [(number, one, value) for number, one in flow if (value := one.value(key))]
        for number, one, value in told[1:]:
            _, first, wanted = told[0]
            if value != wanted:
                yield (
                    number,
                    Finding(
                        f"{key} is {value!r} for {one.name} and {wanted!r} for {first.name}: "
                        f"{consequence}",
                        "give both the same",
                        rule=Rule.DISAGREEMENT,
                        connector=one.name,
                        path=(key,),
                    ),
                )
