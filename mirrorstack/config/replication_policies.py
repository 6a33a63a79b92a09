"""`separator` and `policy` of a flow: what names of target topics consist of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated

from pydantic import AfterValidator, Field

from mirrorstack.config.base import InvalidValueError, SettingsModel, Text
from mirrorstack.findings import Finding, KeyPath
from mirrorstack.mm2.name_templates import SOURCE, TOPIC, NameTemplate
from mirrorstack.mm2.replication_policy import (
    MIRROR_PACKAGE,
    Naming,
    PolicyClass,
    ReplicationPolicy,
)

LEGAL = re.compile(r"[A-Za-z0-9._-]+")
JAVA_NAME = re.compile(r"[A-Za-z_$][\w$]*(\.[A-Za-z_$][\w$]*)*", re.ASCII)
KAFKAS_OWN = {
    f"{MIRROR_PACKAGE}.DefaultReplicationPolicy": Naming.PREFIXED,
    f"{MIRROR_PACKAGE}.IdentityReplicationPolicy": Naming.IDENTITY,
}


def _check_separator(separator: str) -> str:
    if not LEGAL.fullmatch(separator):
        raise InvalidValueError(
            "topic names contain only letters, digits, `.`, `_` and `-`", "write `.`, `_` or `-`"
        )
    return separator


def _check_class(java_class: str) -> str:
    if not JAVA_NAME.fullmatch(java_class):
        raise InvalidValueError(
            "not the name of a Java class",
            "write it with its package, such as com.example.FlatPolicy",
        )
    if java_class in KAFKAS_OWN:
        naming = KAFKAS_OWN[java_class]
        raise InvalidValueError(
            f"Kafka's own class needs no jar: it is `naming: {naming}`",
            f"set `naming: {naming}`, and remove `policy`",
        )
    return java_class


def _check_template(text: str) -> str:
    example = "write a name such as {source}_{topic}"
    for placeholder in dict.fromkeys(re.findall(r"\{[^{}]*\}", text)):
        if placeholder not in (SOURCE, TOPIC):
            raise InvalidValueError(
                f"unknown placeholder {placeholder}; there are {SOURCE} and {TOPIC}", example
            )
        if text.count(placeholder) > 1:
            raise InvalidValueError(f"has {placeholder} more than once", "write it once")
    if TOPIC not in text:
        raise InvalidValueError(
            f"has no {TOPIC}: all topics would have the same name on the target", example
        )
    rest = text.replace(SOURCE, "").replace(TOPIC, "")
    if rest and not LEGAL.fullmatch(rest):
        raise InvalidValueError(
            f"beside {SOURCE} and {TOPIC}, topic names contain only letters, digits, `.`, `_` "
            "and `-`",
            example,
        )
    return text


Separator = Annotated[Text, AfterValidator(_check_separator)]


class PolicySettings(SettingsModel):
    """A replication policy of one's own, for `naming: custom`."""

    java_class: Annotated[Text, AfterValidator(_check_class)] = Field(alias="class")
    """Java class that implements ReplicationPolicy (`replication.policy.class`)."""
    jar: Text
    """Path of the jar with the class and all that it needs, relative to the project's directory.
    The workers get a copy on their class path."""
    name: Annotated[Text, AfterValidator(_check_template)]
    """Name that the class gives to a target topic, with `{topic}` and, if the name shows it, the
    source's alias as `{source}`. Every preview compares it with what the class answers."""


def replication_policy(
    naming: Naming, source: str, target: str, separator: str, own: PolicySettings | None
) -> ReplicationPolicy:
    """`own` is the flow's `policy`."""
    described = PolicyClass(own.java_class, NameTemplate(own.name)) if own else None
    return ReplicationPolicy(naming, source, target, separator, described)


def check_policy(
    path: KeyPath, policy: ReplicationPolicy, declared: PolicySettings | None
) -> Iterator[Finding]:
    """Whether `naming`, `policy` and `separator` of a flow fit together, and its aliases."""
    if policy.naming is Naming.CUSTOM and declared is None:
        yield Finding.at(
            (*path, "policy"),
            "required by `naming: custom`",
            "add `policy` with `class`, `jar` and `name`",
        )
    if declared is not None and policy.naming is not Naming.CUSTOM:
        yield Finding.at(
            (*path, "policy"),
            f"not used by `naming: {policy.naming}`",
            "set `naming: custom`, or remove `policy`",
        )
    if policy.naming is Naming.CUSTOM:
        return  # the class is asked in a preview
    for key, alias in (("from", policy.source), ("to", policy.target)):
        # MirrorMaker takes what comes before the first separator for the alias.
        if f"{alias}{policy.separator}".index(policy.separator) < len(alias):
            yield Finding.at(
                (*path, "separator"),
                f'"{policy.separator}" occurs in the alias "{alias}" (`{key}`): MirrorMaker reads '
                "the source of a topic up to the first separator",
                f"use another separator, or rename the cluster {alias}",
                cluster=alias,
            )
