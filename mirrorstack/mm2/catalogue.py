"""Every key that the classes of Kafka 4.3.1 declare; `make catalogue` writes it from the classes.

Connect validates what a connector declares, and no more: a mistyped key is no key that it knows, so
it says nothing. Whoever wants to say something needs the whole list.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any

from mirrorstack.mm2.key_history import SINCE
from mirrorstack.mm2.replication_policy import MIRROR_PACKAGE


class Section(StrEnum):
    """Whose keys they are."""

    SOURCE = "source"
    CHECKPOINT = "checkpoint"
    HEARTBEAT = "heartbeat"
    TOPIC_FILTER = "topic-filter"
    """Read by the filters that MirrorMaker makes unless told otherwise, not by the connectors."""
    GROUP_FILTER = "group-filter"
    PROPERTY_FILTER = "property-filter"
    CLUSTER = "cluster"
    """How to reach a cluster: what `source.cluster.` and `target.cluster.` may be followed by."""
    DEDICATED = "dedicated"
    """Of `connect-mirror-maker`, before a word about clusters and flows."""
    WORKER = "worker"
    CONSUMER = "consumer"
    PRODUCER = "producer"
    ADMIN = "admin"
    TOPIC = "topic"
    BROKER = "broker"


class Type(StrEnum):
    """Kafka's own types."""

    BOOLEAN = "BOOLEAN"
    STRING = "STRING"
    PASSWORD = "PASSWORD"  # noqa: S105 - a type's name
    INT = "INT"
    SHORT = "SHORT"
    LONG = "LONG"
    DOUBLE = "DOUBLE"
    LIST = "LIST"
    CLASS = "CLASS"


@dataclass(frozen=True, kw_only=True)
class Key:
    """One key, as its class declares it."""

    name: str
    type: Type
    importance: str
    default: str | None = None
    """None where there is none, or where the default is to have none."""
    required: bool = False
    internal: bool = False
    """Kafka's own tests set it, and nobody else should."""
    framework: bool = False
    """Connect adds it to the connector's own keys."""
    choices: tuple[str, ...] = ()
    ignore_case: bool = False
    min: float | None = None
    max: float | None = None
    not_empty: bool = False
    no_empty_items: bool = False
    rule: str = ""
    """What else a value must be, in Kafka's words, where they cannot be taken apart."""
    since: str | None = None
    """The release that brought it, where that is recent enough to matter."""


CONNECTORS = {
    f"{MIRROR_PACKAGE}.Mirror{section.capitalize()}Connector": section
    for section in (Section.SOURCE, Section.CHECKPOINT, Section.HEARTBEAT)
}
"""MirrorMaker's connectors, by class."""


def connector_section(connector_class: str) -> Section | None:
    """Which of the three it is; Connect also takes the class without its package or `Connector`."""
    for full, section in CONNECTORS.items():
        simple = full.rpartition(".")[2]
        if connector_class in (full, simple, simple.removesuffix("Connector")):
            return section
    return None


def keys_of(connector_class: str) -> Mapping[str, Key]:
    """What one of the three declares; nothing for any other class."""
    section = connector_section(connector_class)
    return {} if section is None else keys_in(section)


@cache
def keys_in(section: Section) -> Mapping[str, Key]:
    declared = _catalogue()["sections"][section]
    return {name: _key(name, section, told) for name, told in declared.items()}


def kafka_version() -> str:
    """The release whose classes were asked."""
    return str(_catalogue()["kafka"])


@cache
def _catalogue() -> dict[str, Any]:
    content: dict[str, Any] = json.loads(files(__package__).joinpath("catalogue.json").read_text())
    return content


def _key(name: str, section: Section, told: Mapping[str, Any]) -> Key:
    return Key(
        **{**told, "type": Type(told["type"]), "choices": tuple(told.get("choices", ()))},
        name=name,
        since=SINCE.get((section, name)),
    )
