"""What is wrong with a Connect worker's properties, wherever they stand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mirrorstack.connect.config import REFERENCE
from mirrorstack.findings import Finding
from mirrorstack.mm2.catalogue import Section, keys_in
from mirrorstack.mm2.key_scopes import STANDALONE, worker_scope
from mirrorstack.rules.keys.checks import judge
from mirrorstack.rules.keys.rules import KeyRule
from mirrorstack.rules.workers import STATE_TOPICS


def worker_findings(config: Mapping[str, str]) -> list[Finding]:
    """Of a worker's own file, which has to have everything that it needs."""
    required = [key.name for key in keys_in(Section.WORKER).values() if key.required]
    if STANDALONE.name in config:
        required = [key for key in required if not key.endswith(".storage.topic")]
        required.remove("group.id")
    missing = [
        Finding(
            f"{key} is absent: no worker starts without it",
            "add it",
            rule=KeyRule.MISSING_KEY,
            path=(key,),
        )
        for key in required
        if key not in config
    ]
    return [*worker_key_findings(config), *missing]


def worker_key_findings(config: Mapping[str, str]) -> list[Finding]:
    """Of those that are written; the others may be somebody else's."""
    place = worker_scope()
    found = [one for key, value in config.items() for one in judge(place, key, value, config)]
    return [*found, *shared_state_topics(config)]


def shared_state_topics(config: Mapping[str, str]) -> Iterator[Finding]:
    """Configs, offsets and states are told apart by their topics alone."""
    seen: dict[str, str] = {}
    for key in STATE_TOPICS:
        topic = config.get(key, "").strip()
        if topic in seen:
            yield Finding(
                f"{key} is {topic!r}, and so is {seen[topic]}: the worker takes whatever is in a "
                "topic for its own, connectors for offsets and offsets for states, and the topic "
                "of configs must have one partition",
                "give each of the three a topic of its own",
                rule=KeyRule.CONFLICT,
                path=(key,),
            )
        elif topic and not REFERENCE.search(topic):
            seen[topic] = key
