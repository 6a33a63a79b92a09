"""What the patterns of a flow match on its source cluster."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from mirrorstack.config.flows import FlowSettings
from mirrorstack.config.settings import StackSettings
from mirrorstack.findings import UserError
from mirrorstack.kafka.inventory import Inventory, TopicDescription
from mirrorstack.mm2.java_regex import compile_java
from mirrorstack.mm2.replication_policy import (
    DEFAULT_TOPICS_EXCLUDE,
    HEARTBEATS,
    Naming,
    is_replicated,
    matches_any,
)
from mirrorstack.mm2.required_acls import required_acls
from mirrorstack.mm2.resolved_flow import ResolvedFlow
from mirrorstack.mm2.worker_configs import WorkerGroup
from mirrorstack.text import and_more, did_you_mean

PLAIN_NAME = re.compile(r"[\w.-]+")
HEARTBEATS_TOPIC = TopicDescription(HEARTBEATS, 1, {"cleanup.policy": "compact"})


def resolve_flow(
    flow: FlowSettings,
    settings: StackSettings,
    clusters: Mapping[str, Inventory],
    workers: Mapping[str, WorkerGroup],
) -> ResolvedFlow[FlowSettings]:
    """The topics and consumer groups that a flow replicates. `workers` by target."""
    source = clusters[flow.source]
    held = dict(source.topics)
    if any(other.target == flow.source and other.heartbeats for other in settings.flows):
        # This stack creates it there; on the first preview it does not exist yet.
        held.setdefault(HEARTBEATS, HEARTBEATS_TOPIC)
    own = workers[flow.source].internal_topics if flow.source in workers else ()
    topics = [
        topic
        for topic in sorted(held.keys() - set(own))
        if is_replicated(
            flow.policy,
            topic,
            topics=flow.topics,
            excluded=(*DEFAULT_TOPICS_EXCLUDE, *flow.exclude),
            heartbeats=True,
        )
    ]
    administer = settings.clusters[flow.source].administer
    _check_heartbeats(flow, topics)
    _check_every_pattern_matches(flow, topics, source, administer=administer)
    groups = [
        group
        for group in sorted(source.groups)
        if matches_any(flow.groups, group) and not matches_any(flow.exclude_groups, group)
    ]
    return ResolvedFlow(flow, tuple(topics), tuple(groups), not administer)


def _check_every_pattern_matches(
    flow: FlowSettings, topics: Sequence[str], source: Inventory, *, administer: bool
) -> None:
    unmatched = [
        pattern
        for pattern in flow.topics
        if not any(compile_java(pattern).fullmatch(topic) for topic in topics)
    ]
    if not unmatched:
        return
    for pattern in unmatched:
        _explain_excluded(flow, pattern, source)
    near = did_you_mean(unmatched[0], source.topics)
    create = f"{near} Otherwise create the topic" if near else "create the topic"
    owner = "" if administer else f"; {_commands_for_the_owner(flow, source)}"
    raise UserError(
        f"Flow {flow.name}: {', '.join(unmatched)} matches no topic on {flow.source} that can be "
        f"replicated and that {source.principal} may describe.",
        f"{create}, or correct the stack file{owner}",
        flow=flow.name,
        cluster=flow.source,
    )


def _check_heartbeats(flow: FlowSettings, topics: Sequence[str]) -> None:
    # A topic that is named but does not exist yet would be refused as soon as it exists.
    named = dict.fromkeys((*topics, *(name for name in flow.topics if PLAIN_NAME.fullmatch(name))))
    renamed = [name for name in named if name.endswith(HEARTBEATS) and name != HEARTBEATS]
    if flow.naming is Naming.IDENTITY and renamed:
        raise UserError(
            f"Flow {flow.name}: under identity naming MM2 treats {', '.join(renamed)} as a "
            "heartbeats topic, because the name ends in `heartbeats`, and adds the source's "
            "prefix.",
            "exclude it, rename it, or use prefixed naming",
            flow=flow.name,
            topic=renamed[0],
        )


def _explain_excluded(flow: FlowSettings, pattern: str, source: Inventory) -> None:
    """A topic that exists and is excluded is not reported as missing."""
    existing = [topic for topic in source.topics if compile_java(pattern).fullmatch(topic)]
    excluded = [topic for topic in existing if matches_any(flow.exclude, topic)]
    if excluded:
        raise UserError(
            f"Flow {flow.name}: `exclude` excludes every topic that {pattern} matches on "
            f"{flow.source}: {and_more(excluded)}.",
            f"remove {pattern} from `topics`, or change `exclude`",
            flow=flow.name,
            cluster=flow.source,
        )
    if existing:
        raise UserError(
            f"Flow {flow.name}: MM2 never replicates what {pattern} matches on {flow.source}, "
            f"{and_more(existing)}: it was replicated from {flow.target}, or is internal to MM2, "
            "Connect or Kafka.",
            f"remove {pattern} from `topics`",
            flow=flow.name,
            cluster=flow.source,
        )


def _commands_for_the_owner(flow: FlowSettings, source: Inventory) -> str:
    """The ACLs of names and prefixes are known before the topics can be described."""
    acls = required_acls([ResolvedFlow(flow, (), (), True)], ())
    commands = "".join(
        f"\n    {acl.command(source.principal, source.bootstrap_servers)}"
        for acl in acls
        if acl.cluster == flow.source
    )
    return f"if it exists, its owner must create the ACLs that the flow needs:{commands}"
