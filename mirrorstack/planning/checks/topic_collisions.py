"""Target topics that Kafka would refuse, because another name differs only in `.` and `_`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from mirrorstack.findings import Finding
from mirrorstack.kafka.inventory import Inventory
from mirrorstack.planning.plan import Plan
from mirrorstack.text import and_more


def topic_collisions(plan: Plan, clusters: Mapping[str, Inventory]) -> Iterator[Finding]:
    """Of topics that do not exist yet. Both names would have the same metrics, so a broker creates
    only one of them. MirrorMaker only logs that it cannot create a topic."""
    for alias, held in clusters.items():
        flows = [flow.settings.name for flow in plan.flows if flow.settings.target == alias]
        topics = [*plan.internal_topics[alias]]
        topics += [topic for flow in flows for topic in plan.target_topics[flow]]
        declared = dict.fromkeys(topic.name for topic in topics)
        alike: dict[str, set[str]] = defaultdict(set)
        for name in (*held.topics, *declared):
            alike[_metric_name(name)].add(name)
        collisions = [
            f"{name} beside {other}"
            for name in declared
            if name not in held.topics
            for other in sorted(alike[_metric_name(name)] - {name})
        ]
        if collisions:
            yield Finding(
                f"{and_more(collisions)} cannot be created on {alias}: Kafka does not allow two "
                "topics whose names differ only in `.` and `_`.",
                "set another `separator` for the flow, such as `-`; or delete the topics that "
                "nobody needs",
                cluster=alias,
            )


def _metric_name(topic: str) -> str:
    return topic.replace(".", "_")
