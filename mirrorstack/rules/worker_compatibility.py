"""What connectors need of each other and of the workers that run them, and nobody else checks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mirrorstack.findings import Finding
from mirrorstack.mm2.key_values import list_items
from mirrorstack.mm2.replication_policy import DEFAULT_TOPICS_EXCLUDE, MIRROR_PACKAGE

Config = Mapping[str, str]
# Read by the topic filter of both connectors, with its defaults.
FILTERS = {
    "topics": ".*",
    "topics.exclude": ",".join(DEFAULT_TOPICS_EXCLUDE),
    "topic.filter.class": f"{MIRROR_PACKAGE}.DefaultTopicFilter",
}


def other_topics(
    name: str, source: Config, other_name: str, checkpoint: Config
) -> Iterator[Finding]:
    """The checkpoint connector filters topics by itself: it must do so like the other one."""
    for key, default in FILTERS.items():
        moved, translated = source.get(key, default), checkpoint.get(key, default)
        if set(list_items(moved)) != set(list_items(translated)):
            yield Finding(
                f"{key} is {moved or 'nothing'} for {name} and {translated or 'nothing'} for "
                f"{other_name}: offsets are translated for topics that are not mirrored, or not "
                "for all that are.",
                "give both the same; what a connector does not say is its default",
                connector=other_name,
                path=(key,),
            )


def wrong_worker(name: str, config: Config, worker: Config) -> Iterator[Finding]:
    """Records are written by the worker's producer, wherever the connector's config points."""
    target = list_items(config.get("target.cluster.bootstrap.servers", "").lower())
    writes_to = list_items(worker.get("bootstrap.servers", "").lower())
    if target and writes_to and not set(target) & set(writes_to):
        yield Finding(
            f"Connector {name}: target.cluster.bootstrap.servers is {', '.join(target)}, and its "
            f"worker's bootstrap.servers is {', '.join(writes_to)}. The worker's producer writes "
            "the records, so they go to the second, and topics and offsets to the first.",
            "run the connector on workers of its target cluster",
            connector=name,
            path=("target.cluster.bootstrap.servers",),
        )


def unsupported_exactly_once(name: str, config: Config, worker: Config) -> Iterator[Finding]:
    support = worker.get("exactly.once.source.support")
    if config.get("exactly.once.support") == "required" and support != "enabled":
        yield Finding(
            f"Connector {name}: exactly.once.support is required, and its worker's "
            f"exactly.once.source.support is {support or 'absent, which means disabled'}: Connect "
            "refuses the connector.",
            "set it to enabled on every worker (`preparing` first, where workers run already), or "
            "`exactly-once: false`",
            connector=name,
            path=("exactly.once.support",),
        )
