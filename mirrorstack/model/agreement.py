"""What the connectors of one flow, and the workers that run them, must agree on.

MirrorMaker checks none of this. Where two disagree, both are RUNNING and offsets are translated
wrongly, or not at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from mirrorstack.model.connectors import Kind
from mirrorstack.model.naming import ALWAYS_EXCLUDED_TOPICS, POLICIES
from mirrorstack.model.topology import listed
from mirrorstack.problem import Problem

Config = Mapping[str, str]
ALL = tuple(Kind)
WITH_TOPICS = (Kind.SOURCE, Kind.CHECKPOINT)


@dataclass(frozen=True)
class Shared:
    """A key that connectors share, MirrorMaker's default for it, and what it is for."""

    key: str
    default: str
    effect: str
    kinds: tuple[Kind, ...] = ALL


_NAMES = "they call the same topic by different names"
_WHERE = "one reads the offset syncs where the other one does not write them"
_WHICH = "offsets are translated for topics that are not mirrored, or not for all that are"
SHARED = (
    Shared("replication.policy.class", f"{POLICIES}.DefaultReplicationPolicy", _NAMES),
    Shared("replication.policy.separator", ".", _NAMES),
    Shared("replication.policy.internal.topic.separator.enabled", "true", _NAMES),
    Shared("source.cluster.alias", "", _NAMES),
    Shared("target.cluster.alias", "target", _NAMES),
    Shared("source.cluster.bootstrap.servers", "", "they look at different clusters"),
    Shared("target.cluster.bootstrap.servers", "", "they look at different clusters"),
    Shared("offset-syncs.topic.location", "source", _WHERE, WITH_TOPICS),
    Shared("topics", ".*", _WHICH, WITH_TOPICS),
    Shared("topics.exclude", ",".join(ALWAYS_EXCLUDED_TOPICS), _WHICH, WITH_TOPICS),
    Shared("topic.filter.class", f"{POLICIES}.DefaultTopicFilter", _WHICH, WITH_TOPICS),
)


def disagreements(flow: Mapping[Kind, tuple[str, Config]]) -> Iterator[Problem]:
    """`flow` has the name and the config of each connector that there is."""
    for shared in SHARED:
        said = {
            flow[kind][0]: flow[kind][1].get(shared.key, shared.default)
            for kind in shared.kinds
            if kind in flow
        }
        if len({frozenset(listed(value)) or value for value in said.values()}) > 1:
            each = ", ".join(f"{value or 'nothing'} on {name}" for name, value in said.items())
            yield Problem(
                f"Connectors of one flow disagree: {shared.key} is {each}. All are RUNNING, and "
                f"{shared.effect}.",
                "give all of them the same value; what a connector does not say is its default",
            )


def wrong_worker(name: str, config: Config, worker: Config) -> Iterator[Problem]:
    """Records are written by the worker's producer, wherever the connector's config points."""
    target = listed(config.get("target.cluster.bootstrap.servers", "").lower())
    writes_to = listed(worker.get("bootstrap.servers", "").lower())
    if target and writes_to and not set(target) & set(writes_to):
        yield Problem(
            f"Connector {name}: target.cluster.bootstrap.servers is {', '.join(target)}, and its "
            f"worker's bootstrap.servers is {', '.join(writes_to)}. The worker's producer writes "
            "the records, so they go to the second, and topics and offsets to the first.",
            "run the connector on workers of its target cluster",
        )


def unsupported_exactly_once(name: str, config: Config, worker: Config) -> Iterator[Problem]:
    support = worker.get("exactly.once.source.support")
    if config.get("exactly.once.support") == "required" and support != "enabled":
        yield Problem(
            f"Connector {name}: exactly.once.support is required, and its worker's "
            f"exactly.once.source.support is {support or 'absent, which means disabled'}: Connect "
            "refuses the connector.",
            "set it to enabled on every worker (`preparing` first, where workers run already), or "
            "`exactly-once: false`",
        )
