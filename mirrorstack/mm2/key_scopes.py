"""Which keys may be set where: in a connector's config, a worker's properties, after a prefix."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache

from mirrorstack.mm2 import key_history
from mirrorstack.mm2.catalogue import Key, Section, Type, keys_in
from mirrorstack.mm2.key_history import RemovedKey
from mirrorstack.mm2.key_values import split_list
from mirrorstack.text import closest

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
# The JMX reporter reads these from any config; no ConfigDef declares them.
JMX = {
    name: Key(name=name, type=Type.STRING, importance="LOW")
    for name in ("metrics.jmx.include", "metrics.jmx.exclude")
}

# The one key that only a standalone worker has: the file with its offsets.
STANDALONE = Key(name="offset.storage.file.filename", type=Type.STRING, importance="HIGH")


@dataclass(frozen=True)
class KeyScope:
    """The keys that one reader reads, and those that are known but not read there."""

    reader: str
    """As in `MirrorSourceConnector does not read it`."""
    keys: Mapping[str, Key]
    prefixes: Mapping[str, KeyScope] = field(default_factory=dict)
    """Prefix -> the scope of what follows it."""
    plugin_prefixes: tuple[str, ...] = ()
    """Prefixes of plugins: any key may follow."""
    removed: Mapping[str, RemovedKey] = field(default_factory=dict)
    elsewhere: Mapping[str, str] = field(default_factory=dict)
    """Keys that are not read here -> where they are."""
    dropped: bool = False
    """Whether dedicated mode drops such a key silently, instead of just not reading it."""
    siblings: Mapping[str, str] = field(default_factory=dict)
    """Keys of connectors that often share one config -> the connector that reads them."""
    narrow: Mapping[str, str] = field(default_factory=dict)
    """Keys that only the clients of Connect's internal topics read here -> where they do more."""
    listed_by: Mapping[str, str] = field(default_factory=dict)
    """Prefix -> the key that lists the names that may follow it."""

    def resolve(self, name: str) -> tuple[KeyScope, str]:
        """The scope that the name's prefixes lead to, and these prefixes; the longest first."""
        matching = [prefix for prefix in self.prefixes if name.startswith(prefix)]
        if name in self.keys or name.startswith(self.plugin_prefixes) or not matching:
            return self, ""
        longest = max(matching, key=len)
        scope, more = self.prefixes[longest].resolve(name.removeprefix(longest))
        return scope, longest + more

    def reads(self, name: str) -> bool:
        """Whether the key, with its prefixes, is read here."""
        scope, prefix = self.resolve(name)
        rest = name.removeprefix(prefix)
        return rest in scope.keys or rest.startswith(scope.plugin_prefixes)

    def all_names(self) -> Iterator[str]:
        """Every key that is read here, with its prefixes."""
        yield from (name for name, key in self.keys.items() if not key.internal)
        for prefix, scope in self.prefixes.items():
            yield from (f"{prefix}{name}" for name in scope.all_names())

    def closest(self, name: str, *, outside: str | None = None) -> str | None:
        """The key that was probably meant; not one directly after the prefix `outside`."""
        known = [*self.all_names(), *self.siblings]
        if outside is not None:
            known = [each for each in known if self.resolve(each)[1] != outside]
        # `emit.heartbeats`: what is omitted at the end is mostly `.enabled`.
        longer = sorted(each for each in known if each.startswith(f"{name}."))
        return closest(name, known, cutoff=0.8) or next(iter(longer), None)


def connector_scope(section: Section, config: Mapping[str, str]) -> KeyScope:
    """Of a MirrorMaker connector; its config lists transformations and topic creation groups."""
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
        prefixes={
            **{f"{side}.cluster.": cluster_scope(side) for side in SIDES},
            **clients,
            **{f"{side}.{prefix}": scope for side in SIDES for prefix, scope in clients.items()},
            **{f"{prefix}override.": scope for prefix, scope in clients.items()},
            **{f"topic.creation.{group}.": topic_creation_scope() for group in groups},
        },
        plugin_prefixes=(*CONVERTERS, *plugins, "config.providers.", "metrics.context."),
        removed={**key_history.CONNECTORS, **key_history.CLIENTS},
        elsewhere=_outside_connectors(),
        listed_by=LISTS,
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
        # Declared by the filter only, but read from the connector's config.
        keys = {**keys_in(filter_section), **keys}
    if section is Section.CHECKPOINT:
        # Declared by the source connector only, but this one refuses to start where it is off.
        syncs = "emit.offset-syncs.enabled"
        keys[syncs] = keys_in(Section.SOURCE)[syncs]
    return keys


@cache
def _outside_connectors() -> Mapping[str, str]:
    clients = {Section.ADMIN: "admin.", Section.CONSUMER: "consumer."} | {
        # The worker's producer writes the records: this prefix reaches it, `producer.` does not.
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
    """Of the properties of a distributed worker."""
    tls = {name: key for name, key in keys_in(Section.WORKER).items() if name.startswith("ssl.")}
    return KeyScope(
        reader="a Connect worker",
        keys={**keys_in(Section.WORKER), STANDALONE.name: STANDALONE, **JMX},
        prefixes={
            **client_scopes(),
            **storage_scopes(),
            **{
                f"{listeners}.https.": KeyScope("the REST server", tls)
                for listeners in ("listeners", "admin.listeners")
            },
        },
        plugin_prefixes=(*CONVERTERS, "config.providers.", "metrics.context."),
        removed={**key_history.WORKERS, **key_history.CLIENTS},
        elsewhere=dict.fromkeys(all_connector_keys(), "it is a connector's key; move it there"),
        narrow=belonging_to_clients({section: prefix for prefix, section in CLIENTS.items()}),
    )


@cache
def all_connector_keys() -> Mapping[str, Key]:
    """Of all three connectors, which dedicated mode and many files configure together."""
    return {name: key for section in FILTERS for name, key in connector_keys(section).items()}


@cache
def cluster_scope(side: str) -> KeyScope:
    """After `source.cluster.` or `target.cluster.`: how to reach the cluster, and nothing else."""
    clients = {section: f"{side}.{prefix}" for prefix, section in CLIENTS.items()}
    return KeyScope(
        f"under {side}.cluster. MirrorMaker",
        keys_in(Section.CLUSTER),
        elsewhere=belonging_to_clients(clients),
    )


@cache
def client_scopes() -> Mapping[str, KeyScope]:
    """By prefix: the configs of the clients."""
    return {
        prefix: KeyScope(
            f"the {section}",
            {**keys_in(section), **JMX},
            plugin_prefixes=("metrics.context.",),
            removed=key_history.CLIENTS,
            elsewhere={
                **{
                    name: f"a {other} reads it, and this is the prefix of a {section}"
                    for other in CLIENTS.values()
                    for name in keys_in(other)
                },
                # In a connector's config the longer prefix `producer.override.` has its own scope.
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
    """By prefix: the configs of a worker's internal topics."""
    scopes = {prefix: topic_scope() for prefix in STORAGE}
    removed = {"partitions": key_history.CONFIG_PARTITIONS}
    return {**scopes, "config.storage.": replace(topic_scope(), removed=removed)}


@cache
def topic_creation_scope() -> KeyScope:
    own = (
        Key(name="replication.factor", type=Type.SHORT, importance="LOW"),
        Key(name="partitions", type=Type.INT, importance="LOW"),
        Key(name="include", type=Type.LIST, importance="LOW"),
        Key(name="exclude", type=Type.LIST, importance="LOW"),
    )
    return KeyScope("topic creation", {**keys_in(Section.TOPIC), **{key.name: key for key in own}})
