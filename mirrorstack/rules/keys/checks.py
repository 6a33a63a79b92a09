"""What is wrong with one key and its value, in the place where they stand."""

from __future__ import annotations

import difflib
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

# MirrorMaker matches these item by item, as Java's regular expressions against whole names.
PATTERNS = frozenset(
    {"topics", "topics.exclude", "groups", "groups.exclude", "config.properties.exclude"}
)
# What of MirrorMaker's own package a config can name.
OWN_CLASSES = (
    "DefaultReplicationPolicy",
    "IdentityReplicationPolicy",
    "DefaultTopicFilter",
    "DefaultGroupFilter",
    "DefaultConfigPropertyFilter",
)
OF_KAFKA = "org.apache.kafka."
# Keys that name classes, and classes are given the whole config, to read what they like from it.
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


def judge(place: KeyScope, name: str, value: str, whole: Mapping[str, str]) -> Iterator[Finding]:
    """What is wrong with a key. `whole` is the config that it stands in."""
    here, prefix = place.innermost(name)
    rest = name.removeprefix(prefix)
    if rest not in here.keys:
        if not rest.startswith(here.free):
            yield _unknown(place, here, prefix, rest, whole)
        return
    key = here.keys[rest]
    if reason := rejection_reason(key, value):
        shown = "not shown, and not valid" if key.type is Type.PASSWORD else repr(value)
        yield Finding(
            f"{name} is {shown}: {reason}", "change it", rule=KeyRule.INVALID_VALUE, path=(name,)
        )
    elif key.type is Type.CLASS and value.strip().startswith(f"{MIRROR_PACKAGE}."):
        yield from _own_class(name, value.strip())
    elif rest in PATTERNS and not REFERENCE.search(value):
        yield from _patterns(name, value)


def _own_class(name: str, value: str) -> Iterator[Finding]:
    if value.removeprefix(f"{MIRROR_PACKAGE}.") not in OWN_CLASSES:
        what = f"{name} is {value!r}: Kafka has no such class"
        near = difflib.get_close_matches(value.rpartition(".")[2], OWN_CLASSES, n=1, cutoff=0)
        yield Finding(
            what,
            f"did you mean `{MIRROR_PACKAGE}.{near[0]}`?",
            rule=KeyRule.INVALID_VALUE,
            path=(name,),
        )


def _patterns(name: str, value: str) -> Iterator[Finding]:
    for item in split_list(value):
        if '"' in item or "'" in item:
            yield Finding(
                f"{name} has {item!r}: the quotes belong to the pattern, and match quotes",
                "remove the quotes",
                rule=KeyRule.INVALID_VALUE,
                path=(name,),
                severity=Severity.WARNING,
            )
        try:
            compile_java(item)
        except InvalidPattern as reason:
            yield Finding(
                f"{name} has {item!r}, which Java cannot read as a pattern ({reason}), so the "
                "connector fails when it starts",
                "correct the pattern; every comma begins a new one",
                rule=KeyRule.INVALID_VALUE,
                path=(name,),
            )


def _unknown(
    place: KeyScope, here: KeyScope, prefix: str, rest: str, whole: Mapping[str, str]
) -> Finding:
    name = prefix + rest
    unread = f"{here.reader} does not read {name}"
    if gone := here.gone.get(rest):
        release = f"ended with Kafka {gone.removed}" if gone.removed else "never was a key of Kafka"
        return Finding(
            f"{name} {release}; {gone.happens}",
            gone.instead,
            rule=KeyRule.REMOVED_KEY,
            path=(name,),
        )
    if later := key_history.LATER.get(rest):
        what = f"{name} comes with Kafka {later}"
        return Finding(what, "remove it until then", rule=KeyRule.UNREAD_KEY, path=(name,))
    if sibling := here.siblings.get(rest):
        fix = f"{sibling} does; move it there, or remove it"
        return Finding(
            unread, fix, rule=KeyRule.UNREAD_KEY, path=(name,), severity=Severity.WARNING
        )
    if fix := here.narrow.get(rest, ""):
        what = f"{name} reaches only the clients of Connect's own topics"
        return Finding(what, fix, rule=KeyRule.UNREAD_KEY, path=(name,), severity=Severity.WARNING)
    if fix := here.elsewhere.get(rest, ""):
        rule = KeyRule.DROPPED_KEY if here.dropped else KeyRule.UNREAD_KEY
        return Finding(unread, fix, rule=rule, path=(name,))
    if rest in keys_in(Section.BROKER):
        fix = "it is a broker's config; set it there, or remove it"
        return Finding(unread, fix, rule=KeyRule.UNREAD_KEY, path=(name,))
    for start, key in here.lists.items():
        if rest.startswith(start):
            what = f"nothing reads {name}: {key} does not name {_first_word(rest, start)}"
            return Finding(
                what, "name it there, or remove this key", rule=KeyRule.UNREAD_KEY, path=(name,)
            )
    near = closest_key(place, name)
    what, fix, severity = f"{name} is not a key of Kafka", "remove it", Severity.ERROR
    if plugin := _plugin(whole):
        # A class of somebody's own may read it. What is nearly a key of Kafka is still a mistake.
        what, fix = f"{what}, unless {plugin} reads it", f"look it up there: {plugin}"
        severity = Severity.ERROR if near else Severity.WARNING
    if near:
        fix = f"did you mean `{near}`?"
    return Finding(what, fix, rule=KeyRule.UNKNOWN_KEY, path=(name,), severity=severity)


def closest_key(place: KeyScope, name: str) -> str | None:
    """The key of Kafka that an unknown key was probably meant to be."""
    here, prefix = place.innermost(name)
    inner = here.near(name.removeprefix(prefix))
    return f"{prefix}{inner}" if inner else place.near(name, outside=prefix if prefix else None)


def _first_word(name: str, prefix: str) -> str:
    return name.removeprefix(prefix).partition(".")[0]


def _plugin(config: Mapping[str, str]) -> str | None:
    """A class in the config that is not Kafka's own."""
    for key, value in config.items():
        if key.endswith(PLUGINS):
            for item in split_list(value):
                if "." in item and not item.startswith(OF_KAFKA):
                    return item
    return None
