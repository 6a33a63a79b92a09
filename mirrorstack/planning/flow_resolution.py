"""What the patterns of a flow match on its source cluster."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from mirrorstack.config.flows import FlowSettings
from mirrorstack.config.settings import StackSettings
from mirrorstack.findings import Finding, Severity, UserError
from mirrorstack.kafka.inventory import Inventory, TopicDescription
from mirrorstack.mm2.discovery import as_patterns, named
from mirrorstack.mm2.java_regex import compile_java
from mirrorstack.mm2.replication_policy import (
    DEFAULT_TOPICS_EXCLUDE,
    HEARTBEATS,
    is_replicated,
    literal_name,
    matches_any,
)
from mirrorstack.mm2.required_acls import required_acls
from mirrorstack.mm2.resolved_flow import ResolvedFlow
from mirrorstack.mm2.worker_group import WorkerGroup
from mirrorstack.text import and_more, did_you_mean

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
            topics=as_patterns(flow.topics),
            excluded=(*DEFAULT_TOPICS_EXCLUDE, *flow.exclude),
            heartbeats=True,
        )
    ]
    groups = [
        group
        for group in sorted(source.groups)
        if matches_any(flow.groups, group) and not matches_any(flow.exclude_groups, group)
    ]
    administer = settings.clusters[flow.source].administer
    resolved = ResolvedFlow(flow, tuple(topics), tuple(groups), not administer, tuple(own))
    _check_heartbeats(flow, topics)
    missing = [each for each in unmatched(resolved, source) if each.severity is Severity.ERROR]
    if missing:
        raise UserError.of(missing)
    return resolved


def unmatched(resolved: ResolvedFlow[FlowSettings], source: Inventory) -> Iterator[Finding]:
    """The entries of `topics` that select nothing on the source. An error for a name; a warning for
    a pattern, because a topic that it matches may be created later."""
    flow = resolved.settings
    for entry, pattern in zip(flow.topics, as_patterns(flow.topics), strict=True):
        if any(compile_java(pattern).fullmatch(topic) for topic in resolved.topics):
            continue
        existing = [topic for topic in source.topics if compile_java(pattern).fullmatch(topic)]
        found = (
            _only_excluded(flow, entry, existing)
            if existing
            else _nothing_matches(resolved, entry, source)
        )
        is_name = literal_name(entry) is not None
        severity = Severity.ERROR if is_name else Severity.WARNING
        yield replace(found, severity=severity, flow=flow.name, cluster=flow.source)


def _nothing_matches(
    resolved: ResolvedFlow[FlowSettings], entry: str, source: Inventory
) -> Finding:
    flow = resolved.settings
    near = did_you_mean(entry, source.topics)
    create = f"{near} Otherwise create the topic" if near else "create the topic"
    owner = f"; {_commands_for_the_owner(flow, source)}" if resolved.inspected_as_mirror else ""
    later = ""
    if literal_name(entry) is None:
        create = "nothing to do if topics are created later"
        create = f"{near} Otherwise {create}" if near else create
        later = (
            " Topics that it matches later are replicated when they are created."
            if resolved.live_patterns
            else " Topics that it matches later are replicated after the next deployment."
        )
    return Finding(
        f"Flow {flow.name}: {entry} matches no topic on {flow.source} that can be replicated and "
        f"that {source.principal} may describe.{later}",
        f"{create}, or correct `topics` in the stack file{owner}",
    )


def _check_heartbeats(flow: FlowSettings, topics: Sequence[str]) -> None:
    # A topic that is named but does not exist yet would be refused as soon as it exists.
    renamed = [
        name
        for name in dict.fromkeys((*topics, *named(flow.topics)))
        if name.endswith(HEARTBEATS) and name != HEARTBEATS
    ]
    if flow.policy.renames_heartbeats and renamed:
        raise UserError(
            f"Flow {flow.name}: under identity naming MM2 treats {', '.join(renamed)} as a "
            "heartbeats topic, because the name ends in `heartbeats`, and adds the source's "
            "prefix.",
            "exclude it, rename it, or use prefixed naming",
            flow=flow.name,
            topic=renamed[0],
        )


def _only_excluded(flow: FlowSettings, entry: str, existing: Sequence[str]) -> Finding:
    """A topic that exists and is excluded is not reported as missing."""
    excluded = [topic for topic in existing if matches_any(flow.exclude, topic)]
    if excluded:
        return Finding(
            f"Flow {flow.name}: `exclude` excludes every topic that {entry} matches on "
            f"{flow.source}: {and_more(excluded)}.",
            f"remove {entry} from `topics`, or change `exclude`",
        )
    return Finding(
        f"Flow {flow.name}: MM2 never replicates what {entry} matches on {flow.source}, "
        f"{and_more(existing)}: it was replicated from {flow.target}, or is internal to MM2, "
        "Connect or Kafka.",
        f"remove {entry} from `topics`",
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
