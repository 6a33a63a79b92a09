"""Where a key can stand, who reads it there, and where its prefixes lead."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache

from mirrorstack.mm2 import key_history
from mirrorstack.mm2.catalogue import Key, Section, Type, keys_in
from mirrorstack.mm2.key_history import RemovedKey
from mirrorstack.mm2.key_values import split_list

CLIENTS = {"consumer.": Section.CONSUMER, "producer.": Section.PRODUCER, "admin.": Section.ADMIN}
SIDES = ("source", "target")
STORAGE = ("offset.storage.", "config.storage.", "status.storage.")
CONVERTERS = ("key.converter.", "value.converter.", "header.converter.")
FILTERS = {
    Section.SOURCE: (Section.TOPIC_FILTER, Section.PROPERTY_FILTER),
    Section.CHECKPOINT: (Section.TOPIC_FILTER, Section.GROUP_FILTER),
    Section.HEARTBEAT: (),
}
LISTS = {
    "transforms.": "transforms",
    "predicates.": "predicates",
    "topic.creation.": "topic.creation.groups",
}
# Read by the JMX reporter from whatever config it is given; in no ConfigDef.
JMX = {
    name: Key(name=name, type=Type.STRING, importance="LOW")
    for name in ("metrics.jmx.include", "metrics.jmx.exclude")
}

# Where a standalone worker keeps its offsets; all its other keys are a distributed one's, too.
STANDALONE = Key(name="offset.storage.file.filename", type=Type.STRING, importance="HIGH")


@dataclass(frozen=True)
class KeyScope:
    """Keys that can stand together."""

    reader: str
    """Who reads them, as in `MirrorSourceConnector does not read it`."""
    keys: Mapping[str, Key]
    below: Mapping[str, KeyScope] = field(default_factory=dict)
    """Prefix -> what may follow it."""
    free: tuple[str, ...] = ()
    """Prefixes that belong to plugins: what follows is theirs to judge."""
    gone: Mapping[str, RemovedKey] = field(default_factory=dict)
    elsewhere: Mapping[str, str] = field(default_factory=dict)
    """Keys that are read, but not here -> where they belong."""
    dropped: bool = False
    """Whether dedicated mode drops such a key silently, instead of just not reading it."""
    siblings: Mapping[str, str] = field(default_factory=dict)
    """Keys of connectors that often share one config -> who reads them."""
    narrow: Mapping[str, str] = field(default_factory=dict)
    """Keys that only the clients of Connect's own topics read here -> where they do more."""
    lists: Mapping[str, str] = field(default_factory=dict)
    """Prefix -> the key that lists the names that may follow it."""

    def innermost(self, name: str) -> tuple[KeyScope, str]:
        """Where the name's prefixes lead, the longest first, and the prefixes."""
        fitting = [prefix for prefix in self.below if name.startswith(prefix)]
        if name in self.keys or name.startswith(self.free) or not fitting:
            return self, ""
        longest = max(fitting, key=len)
        place, more = self.below[longest].innermost(name.removeprefix(longest))
        return place, longest + more

    def reads(self, name: str) -> bool:
        """Whether the key, with its prefixes, means anything here."""
        place, prefix = self.innermost(name)
        rest = name.removeprefix(prefix)
        return rest in place.keys or rest.startswith(place.free)

    def all_names(self) -> Iterator[str]:
        """Every key that may stand here, with its prefixes."""
        yield from (name for name, key in self.keys.items() if not key.internal)
        for prefix, place in self.below.items():
            yield from (f"{prefix}{name}" for name in place.all_names())

    def near(self, name: str, *, outside: str | None = None) -> str | None:
        """The key that was probably meant; not one right after the prefix `outside`, if given."""
        known = [*self.all_names(), *self.siblings]
        if outside is not None:
            known = [each for each in known if self.innermost(each)[1] != outside]
        longer = [each for each in known if each.startswith(f"{name}.")]
        close = difflib.get_close_matches(name, known, n=1, cutoff=0.8)
        # `emit.heartbeats`, say: what is left out at the end is mostly `.enabled`.
        return next(iter([*close, *sorted(longer)]), None)


def connector_scope(section: Section, config: Mapping[str, str]) -> KeyScope:
    """Of one of MirrorMaker's connectors; its config declares transformations and topic groups."""
    clients = client_scopes()
    keys = connector_keys(section)
    groups = [*split_list(config.get("topic.creation.groups", "")), "default"]
    plugins = [
        f"{kind}.{name}."
        for kind in ("transforms", "predicates")
        for name in split_list(config.get(kind, ""))
    ]
    return KeyScope(
        reader=_simple_name(section),
        keys={**keys, **JMX},
        below={
            **{f"{side}.cluster.": cluster_scope(side) for side in SIDES},
            **clients,
            **{f"{side}.{prefix}": place for side in SIDES for prefix, place in clients.items()},
            **{f"{prefix}override.": place for prefix, place in clients.items()},
            **{f"topic.creation.{group}.": topic_creation_scope() for group in groups},
        },
        free=(*CONVERTERS, *plugins, "config.providers.", "metrics.context."),
        gone={**key_history.CONNECTORS, **key_history.CLIENTS},
        elsewhere=_outside_connectors(),
        lists=LISTS,
        siblings={
            name: _simple_name(other)
            for other in FILTERS
            if other is not section
            for name in connector_keys(other)
        },
    )


def _simple_name(section: Section) -> str:
    return f"Mirror{section.capitalize()}Connector"


@cache
def connector_keys(section: Section) -> Mapping[str, Key]:
    keys = dict(keys_in(section))
    for filter_section in FILTERS[section]:
        # Declared by the filter alone, yet read from the connector's config.
        keys = {**keys_in(filter_section), **keys}
    if section is Section.CHECKPOINT:
        # Declared by the source's alone, yet this one refuses to work where it is off.
        syncs = "emit.offset-syncs.enabled"
        keys[syncs] = keys_in(Section.SOURCE)[syncs]
    return keys


@cache
def _outside_connectors() -> Mapping[str, str]:
    clients = {Section.ADMIN: "admin.", Section.CONSUMER: "consumer."} | {
        # The records' producer is the worker's: this prefix reaches it, `producer.` does not.
        Section.PRODUCER: "producer.override."
    }
    return {
        **dict.fromkeys(keys_in(Section.TOPIC), "it is a topic's config; set it on the topic"),
        **dict.fromkeys(
            keys_in(Section.WORKER), "it is a worker's key; move it to the worker's properties"
        ),
        **belonging_to_clients(clients),
        **{
            name: f"write `source.cluster.{name}` or `target.cluster.{name}`"
            for name in keys_in(Section.CLUSTER)
        },
    }


def belonging_to_clients(prefixes: Mapping[Section, str]) -> dict[str, str]:
    return {
        name: f"the {section} reads it; write `{prefix}{name}`"
        for section, prefix in prefixes.items()
        for name in keys_in(section)
    }


@cache
def worker_scope() -> KeyScope:
    """Of a distributed worker's properties."""
    tls = {name: key for name, key in keys_in(Section.WORKER).items() if name.startswith("ssl.")}
    return KeyScope(
        reader="a Connect worker",
        keys={**keys_in(Section.WORKER), STANDALONE.name: STANDALONE, **JMX},
        below={
            **client_scopes(),
            **storage_scopes(),
            **{
                f"{listeners}.https.": KeyScope("the REST server", tls)
                for listeners in ("listeners", "admin.listeners")
            },
        },
        free=(*CONVERTERS, "config.providers.", "metrics.context."),
        gone={**key_history.WORKERS, **key_history.CLIENTS},
        elsewhere=dict.fromkeys(all_connector_keys(), "it is a connector's key; move it there"),
        narrow=belonging_to_clients({section: prefix for prefix, section in CLIENTS.items()}),
    )


@cache
def all_connector_keys() -> Mapping[str, Key]:
    """Of the three together, as dedicated mode and many files give them to all three."""
    return {name: key for section in FILTERS for name, key in connector_keys(section).items()}


@cache
def cluster_scope(side: str) -> KeyScope:
    """Below `source.cluster.` or `target.cluster.`: how to reach it, and nothing else."""
    clients = {section: f"{side}.{prefix}" for prefix, section in CLIENTS.items()}
    return KeyScope(
        f"under {side}.cluster. MirrorMaker",
        keys_in(Section.CLUSTER),
        elsewhere=belonging_to_clients(clients),
    )


@cache
def client_scopes() -> Mapping[str, KeyScope]:
    """By prefix: what tunes a client."""
    return {
        prefix: KeyScope(
            f"the {section}",
            {**keys_in(section), **JMX},
            free=("metrics.context.",),
            gone=key_history.CLIENTS,
            elsewhere={
                **{
                    name: f"a {other} reads it, and this is the prefix of a {section}"
                    for other in CLIENTS.values()
                    for name in keys_in(other)
                },
                # Where this stands in a connector's config, the longer prefix leads elsewhere.
                **{
                    f"override.{name}": f"only connectors override; write `{prefix}{name}`"
                    for name in keys_in(section)
                },
            },
        )
        for prefix, section in CLIENTS.items()
    }


@cache
def topic_scope() -> KeyScope:
    return KeyScope("a topic", keys_in(Section.TOPIC))


@cache
def storage_scopes() -> Mapping[str, KeyScope]:
    """By prefix: the configs of the topics in which a worker keeps its state."""
    places = {prefix: topic_scope() for prefix in STORAGE}
    gone = {"partitions": key_history.CONFIG_PARTITIONS}
    return {**places, "config.storage.": replace(topic_scope(), gone=gone)}


@cache
def topic_creation_scope() -> KeyScope:
    own = (
        Key(name="replication.factor", type=Type.SHORT, importance="LOW"),
        Key(name="partitions", type=Type.INT, importance="LOW"),
        Key(name="include", type=Type.LIST, importance="LOW"),
        Key(name="exclude", type=Type.LIST, importance="LOW"),
    )
    return KeyScope("topic creation", {**keys_in(Section.TOPIC), **{key.name: key for key in own}})
