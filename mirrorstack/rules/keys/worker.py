"""Checks the properties of a Connect worker, whatever file they are in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mirrorstack.connect.config import REFERENCE
from mirrorstack.findings import Finding
from mirrorstack.mm2.catalogue import Section, keys_in
from mirrorstack.mm2.key_scopes import STANDALONE, worker_scope
from mirrorstack.rules.keys.checks import key_findings
from mirrorstack.rules.keys.rules import KeyRule
from mirrorstack.rules.workers import STATE_TOPICS


def worker_findings(config: Mapping[str, str]) -> list[Finding]:
    """Of a worker's own file, which must have all required keys."""
    required = [key.name for key in keys_in(Section.WORKER).values() if key.required]
    if STANDALONE.name in config:
        required = [key for key in required if not key.endswith(".storage.topic")]
        required.remove("group.id")
    missing = [
        Finding(
            f"{key} is absent: a worker does not start without it",
            "add it",
            rule=KeyRule.MISSING_KEY,
            path=(key,),
        )
        for key in required
        if key not in config
    ]
    return [*worker_key_findings(config), *missing]


def worker_key_findings(config: Mapping[str, str]) -> list[Finding]:
    """Of the keys that are set; the others may be set elsewhere."""
    scope = worker_scope()
    found = [
        one for key, value in config.items() for one in key_findings(scope, key, value, config)
    ]
    return [*found, *shared_state_topics(config)]


def shared_state_topics(config: Mapping[str, str]) -> Iterator[Finding]:
    """Only their topics tell configs, offsets and statuses apart."""
    seen: dict[str, str] = {}
    for key in STATE_TOPICS:
        topic = config.get(key, "").strip()
        if topic in seen:
            yield Finding(
                f"{key} is {topic!r}, and so is {seen[topic]}: the worker would read "
                "connector configs as offsets and offsets as statuses, and the config topic must "
                "have one partition",
                "use three different topics",
                rule=KeyRule.CONFLICT,
                path=(key,),
            )
        elif topic and not REFERENCE.search(topic):
            seen[topic] = key
