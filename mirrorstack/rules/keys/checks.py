"""Checks one key and its value, in the scope where the key is set."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mirrorstack.connect.config import REFERENCE
from mirrorstack.findings import Finding, Severity
from mirrorstack.mm2 import key_history
from mirrorstack.mm2.catalogue import Section, Type, keys_in
from mirrorstack.mm2.java_regex import InvalidPattern, compile_java
from mirrorstack.mm2.key_scopes import KeyScope
from mirrorstack.mm2.key_values import rejection_reason, split_list
from mirrorstack.mm2.replication_policy import MIRROR_PACKAGE
from mirrorstack.rules.keys.rules import KeyRule
from mirrorstack.text import closest, suggestion

# Lists of Java regular expressions that MirrorMaker matches against whole names.
PATTERNS = frozenset(
    {"topics", "topics.exclude", "groups", "groups.exclude", "config.properties.exclude"}
)
# The classes of MirrorMaker's own package that a config can name.
OWN_CLASSES = (
    "DefaultReplicationPolicy",
    "IdentityReplicationPolicy",
    "DefaultTopicFilter",
    "DefaultGroupFilter",
    "DefaultConfigPropertyFilter",
)
KAFKA_PACKAGE = "org.apache.kafka."
# Keys that name classes. A class gets the whole config, and may read any key of it.
PLUGINS = (
    "replication.policy.class",
    "topic.filter.class",
    "group.filter.class",
    "config.property.filter.class",
    "forwarding.admin.class",
    "metric.reporters",
    "interceptor.classes",
    "partitioner.class",
    "ssl.engine.factory.class",
    "callback.handler.class",
    "login.class",
    "rest.extension.classes",
    "connector.client.config.override.policy",
)


def key_findings(
    scope: KeyScope, name: str, value: str, config: Mapping[str, str]
) -> Iterator[Finding]:
    """`config` is the one that the key is part of."""
    here, prefix = scope.resolve(name)
    rest = name.removeprefix(prefix)
    if rest not in here.keys:
        if not rest.startswith(here.plugin_prefixes):
            yield _unknown(scope, here, prefix, rest, config)
        return
    key = here.keys[rest]
    if reason := rejection_reason(key, value):
        shown = "invalid (its value is not shown)" if key.type is Type.PASSWORD else repr(value)
        yield Finding(
            f"{name} is {shown}: {reason}",
            "correct the value",
            rule=KeyRule.INVALID_VALUE,
            path=(name,),
        )
    elif key.type is Type.CLASS and value.strip().startswith(f"{MIRROR_PACKAGE}."):
        yield from _own_class(name, value.strip())
    elif rest in PATTERNS and not REFERENCE.search(value):
        yield from _patterns(name, value)


def _own_class(name: str, value: str) -> Iterator[Finding]:
    if value.removeprefix(f"{MIRROR_PACKAGE}.") not in OWN_CLASSES:
        message = f"{name} is {value!r}: Kafka has no such class"
        near = closest(value.rpartition(".")[2], OWN_CLASSES, cutoff=0)
        yield Finding(
            message,
            suggestion(f"{MIRROR_PACKAGE}.{near}"),
            rule=KeyRule.INVALID_VALUE,
            path=(name,),
        )


def _patterns(name: str, value: str) -> Iterator[Finding]:
    for item in split_list(value):
        if '"' in item or "'" in item:
            yield Finding(
                f"{name} has {item!r}: the quotes are part of the pattern, and match quotes",
                "remove the quotes",
                rule=KeyRule.INVALID_VALUE,
                path=(name,),
                severity=Severity.WARNING,
            )
        try:
            compile_java(item)
        except InvalidPattern as reason:
            yield Finding(
                f"{name} has {item!r}, which is no valid Java pattern ({reason}), so the "
                "connector fails when it starts",
                "correct the pattern; every comma starts a new one",
                rule=KeyRule.INVALID_VALUE,
                path=(name,),
            )


def _unknown(
    scope: KeyScope, here: KeyScope, prefix: str, rest: str, config: Mapping[str, str]
) -> Finding:
    name = prefix + rest
    unread = f"{here.reader} does not read {name}"
    if removed := here.removed.get(rest):
        release = "never was a key of Kafka"
        if removed.removed_in:
            release = f"was removed in Kafka {removed.removed_in}"
        return Finding(
            f"{name} {release}; {removed.effect}",
            removed.fix,
            rule=KeyRule.REMOVED_KEY,
            path=(name,),
        )
    if later := key_history.LATER.get(rest):
        what = f"{name} is new in Kafka {later}"
        return Finding(what, "remove it until then", rule=KeyRule.UNREAD_KEY, path=(name,))
    if sibling := here.siblings.get(rest):
        fix = f"{sibling} does; move it there, or remove it"
        return Finding(
            unread, fix, rule=KeyRule.UNREAD_KEY, path=(name,), severity=Severity.WARNING
        )
    if fix := here.narrow.get(rest, ""):
        what = f"{name} configures only the clients of Connect's own topics"
        return Finding(what, fix, rule=KeyRule.UNREAD_KEY, path=(name,), severity=Severity.WARNING)
    if fix := here.elsewhere.get(rest, ""):
        rule = KeyRule.DROPPED_KEY if here.dropped else KeyRule.UNREAD_KEY
        return Finding(unread, fix, rule=rule, path=(name,))
    if rest in keys_in(Section.BROKER):
        fix = "it is a broker config; set it on the brokers, or remove it"
        return Finding(unread, fix, rule=KeyRule.UNREAD_KEY, path=(name,))
    for start, key in here.listed_by.items():
        if rest.startswith(start):
            listed = rest.removeprefix(start).partition(".")[0]
            what = f"nothing reads {name}: {key} does not name {listed}"
            return Finding(
                what, "name it there, or remove this key", rule=KeyRule.UNREAD_KEY, path=(name,)
            )
    near = closest_key(scope, name)
    what, fix, severity = f"{name} is not a key of Kafka", "remove it", Severity.ERROR
    if plugin := _plugin(config):
        # A custom class may read it. What is nearly a key of Kafka is still a mistake.
        what, fix = f"{what}, unless {plugin} reads it", f"check whether {plugin} reads it"
        severity = Severity.ERROR if near else Severity.WARNING
    return Finding(
        what, suggestion(near, fix), rule=KeyRule.UNKNOWN_KEY, path=(name,), severity=severity
    )


def closest_key(scope: KeyScope, name: str) -> str | None:
    """The key of Kafka that an unknown key was probably meant to be."""
    here, prefix = scope.resolve(name)
    inner = here.closest(name.removeprefix(prefix))
    return f"{prefix}{inner}" if inner else scope.closest(name, outside=prefix if prefix else None)


def _plugin(config: Mapping[str, str]) -> str | None:
    """A custom class that the config names."""
    for key, value in config.items():
        if key.endswith(PLUGINS):
            for item in split_list(value):
                if "." in item and not item.startswith(KAFKA_PACKAGE):
                    return item
    return None
