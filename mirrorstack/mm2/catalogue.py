"""Every key that the classes of Kafka 4.3.1 declare; `make catalogue` writes it from the classes.

Connect validates the keys that a connector declares, and ignores all others: a mistyped key is not
reported. Reporting it takes the whole list.
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
    """The class or client that declares the keys."""

    SOURCE = "source"
    CHECKPOINT = "checkpoint"
    HEARTBEAT = "heartbeat"
    TOPIC_FILTER = "topic-filter"
    """Read by MirrorMaker's default filters, not by the connectors."""
    GROUP_FILTER = "group-filter"
    PROPERTY_FILTER = "property-filter"
    CLUSTER = "cluster"
    """How to reach a cluster: the keys after `source.cluster.` and `target.cluster.`."""
    DEDICATED = "dedicated"
    """Of `connect-mirror-maker`, without the prefix of a cluster or flow."""
    WORKER = "worker"
    CONSUMER = "consumer"
    PRODUCER = "producer"
    ADMIN = "admin"
    TOPIC = "topic"
    BROKER = "broker"


class Type(StrEnum):
    """The types of Kafka's ConfigDef."""

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
    """A key as its class declares it."""

    name: str
    type: Type
    importance: str
    default: str | None = None
    """None where the key has no default, or null as its default."""
    required: bool = False
    internal: bool = False
    """Only for Kafka's own tests."""
    framework: bool = False
    """Added by Connect to the keys that the connector declares."""
    choices: tuple[str, ...] = ()
    ignore_case: bool = False
    min: float | None = None
    max: float | None = None
    not_empty: bool = False
    no_empty_items: bool = False
    rule: str = ""
    """Kafka's description of a validator that the other fields cannot express."""
    since: str | None = None
    """The release that added it, where workers in use may be older."""


CONNECTORS = {
    f"{MIRROR_PACKAGE}.Mirror{section.capitalize()}Connector": section
    for section in (Section.SOURCE, Section.CHECKPOINT, Section.HEARTBEAT)
}
"""MirrorMaker's connectors, by class."""


def connector_section(connector_class: str) -> Section | None:
    """Of a MirrorMaker connector; Connect accepts the class without package and `Connector`."""
    for full, section in CONNECTORS.items():
        simple = full.rpartition(".")[2]
        if connector_class in (full, simple, simple.removesuffix("Connector")):
            return section
    return None


@cache
def keys_in(section: Section) -> Mapping[str, Key]:
    declared = _catalogue()["sections"][section]
    return {name: _key(name, section, values) for name, values in declared.items()}


def kafka_version() -> str:
    """The release whose classes the catalogue was written from."""
    return str(_catalogue()["kafka"])


@cache
def _catalogue() -> dict[str, Any]:
    content: dict[str, Any] = json.loads(files(__package__).joinpath("catalogue.json").read_text())
    return content


def _key(name: str, section: Section, values: Mapping[str, Any]) -> Key:
    return Key(
        **{**values, "type": Type(values["type"]), "choices": tuple(values.get("choices", ()))},
        name=name,
        since=SINCE.get((section, name)),
    )
