"""Warnings of a preview: what may be intended and usually is not. They stop no deployment."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from urllib.parse import urlsplit

from mirrorstack.config.settings import StackSettings
from mirrorstack.findings import Finding, Severity
from mirrorstack.kafka.acls import ResourceType
from mirrorstack.kafka.inventory import Inventory
from mirrorstack.kafka.permissions import EffectivePermission
from mirrorstack.mm2.flow import Flow
from mirrorstack.mm2.java_regex import compile_java
from mirrorstack.mm2.pattern_acls import covering, is_wide
from mirrorstack.planning.flow_resolution import unmatched
from mirrorstack.planning.plan import Plan
from mirrorstack.runtimes.base import WorkerPlacement
from mirrorstack.text import and_more, did_you_mean

WARNING = Severity.WARNING
LOOPBACK = ("127.0.0.1", "::1", "localhost")


def target_topics_with_records(
    plan: Plan,
    clusters: Mapping[str, Inventory],
    with_records: Callable[[str, list[str]], Collection[str]],
    resumes: Callable[[Flow], bool],
) -> Iterator[Finding]:
    """`with_records`: which of some topics of a cluster hold records; `resumes`: whether a flow's
    connector runs already or has offsets. One without starts at earliest, whatever the target
    topics hold."""
    for flow in plan.flows:
        target, group = flow.settings.target, plan.workers[flow.settings.target]
        existing = clusters[target].topics
        storage = group.storage_of(flow.settings.source)
        if resumes(flow.settings):
            continue
        names = list(flow.target_topics.values())
        held = sorted(with_records(target, [name for name in names if name in existing]))
        if held:
            yield Finding(
                f"Flow {flow.settings.name}: there are records in {and_more(held)} on {target}, "
                f"and the Connect group {storage.group} has no offsets there: all records of the "
                "source are replicated again, after those.",
                "if another stack or MM2 wrote them, do not deploy this: set its group under "
                f"`mirrorstack:workers.{target}`, or replicate to other names",
                severity=WARNING,
                flow=flow.settings.name,
                cluster=target,
                topic=held[0],
            )


def cycles_between_flows(
    settings: StackSettings, peers: Mapping[str, StackSettings]
) -> Iterator[Finding]:
    """The policy pack refuses cycles; a deployment without it shows them too."""
    policies = [flow.policy for each in (settings, *peers.values()) for flow in each.flows]
    alike = len({(policy.java_class, policy.template) for policy in policies}) == 1
    if alike and policies[0].shows_origin:
        return
    # Comparing patterns takes a library that takes a quarter of a second to import.
    from mirrorstack.rules.cycles import no_replication_cycles
    from mirrorstack.rules.subjects import Declaration, Flows

    for finding in no_replication_cycles.findings(Flows.of(Declaration(settings, peers))):
        yield replace(finding, severity=WARNING)


def unmatched_patterns(plan: Plan, clusters: Mapping[str, Inventory]) -> Iterator[Finding]:
    """Patterns that match no topic yet: new environments start empty."""
    for flow in plan.flows:
        yield from unmatched(flow, clusters[flow.settings.source])


def wide_acls(plan: Plan) -> Iterator[Finding]:
    """Live patterns for which an ACL has to allow more than they match: Kafka's ACLs know names and
    prefixes only."""
    for resolved in plan.flows:
        flow = resolved.settings
        topics = [
            pattern
            for pattern in resolved.live_patterns
            if is_wide(ResourceType.TOPIC, pattern, flow.exclude)
        ]
        if not topics:
            continue
        resources = [
            each for one in topics for each in covering(ResourceType.TOPIC, one, flow.exclude)
        ]
        allowed = and_more(dict.fromkeys(resource.text for resource in resources))
        also = f" on {flow.source}"
        if flow.policy.prefix is None:
            also += f", and Create, Alter and Write on {flow.target}"
        yield Finding(
            f"Flow {flow.name}: the ACLs for {and_more(topics)} allow more than the flow selects: "
            f"Read on Topic {allowed}{also}.",
            "write the pattern as a prefix, such as `orders-.*`; or set `discovery: pinned`, which "
            "declares an ACL for each topic that exists",
            severity=WARNING,
            flow=flow.name,
            cluster=flow.source,
        )


def plain_rest_logins(placements: Mapping[str, WorkerPlacement]) -> Iterator[Finding]:
    """Workers, by target, whose REST API gets a password or token unencrypted."""
    for target, placement in placements.items():
        url = urlsplit(placement.rest_url)
        login = placement.login
        # A port-forward is encrypted by the API server.
        has_secret = (login.username or login.token_key) and not login.port_forward
        if has_secret and url.scheme == "http" and url.hostname not in LOOPBACK:
            yield Finding(
                f"The login of Connect's REST API at {target} is sent unencrypted to "
                f"{url.hostname}: whoever can read the network can change the connectors.",
                "use https and `rest-security.ca-file`; or reach it through a network that nobody "
                "else can read",
                severity=WARNING,
                cluster=target,
                path=("workers", target),
            )


def separate_heartbeats(plan: Plan) -> Iterator[Finding]:
    """What `workers.<target>.strimzi` cannot declare in one resource."""
    for target, group in plan.workers.items():
        if group.heartbeats:
            yield Finding(
                f"A KafkaMirrorMaker2 of the API version v1 has no heartbeat connector: the stack "
                f"declares a KafkaConnect and KafkaConnectors beside it, with the Connect group "
                f"{group.heartbeats.group}, its three topics and a pod of its own.",
                "if nobody reads heartbeats, set `heartbeats: false` on the flows to "
                f"{target}; or use `api-version: v1beta2` where the operator has it",
                severity=WARNING,
                cluster=target,
                path=("workers", target, "strimzi"),
            )


def missing_alter(
    cluster: str, missing: Sequence[EffectivePermission], commands: Sequence[str]
) -> Iterator[Finding]:
    """`missing`: Alter on target topics, where the cluster's owner creates the ACLs."""
    if missing:
        topics = and_more(each.name for each in missing)
        yield Finding(
            f"The mirroring principal has no Alter on {topics} of {cluster}, so MM2 cannot add "
            "partitions there. When partitions are added on the source, tasks wait for the same "
            "partitions on the target, RUNNING, and replicate nothing.",
            "the owner of the cluster creates the ACLs, or adds the partitions each time:"
            + "".join(f"\n    {command}" for command in commands),
            severity=WARNING,
            cluster=cluster,
            topic=missing[0].name,
        )


def missing_brokers(
    settings: StackSettings, clusters: Mapping[str, Inventory]
) -> Iterator[Finding]:
    for alias in dict.fromkeys(flow.target for flow in settings.flows):
        declared, brokers = settings.clusters[alias].brokers, clusters[alias].brokers
        if declared and brokers < declared:
            yield Finding(
                f"clusters.{alias}.brokers is {declared}, and {brokers} answer: with fewer brokers "
                "than the replication factor no topic can be created.",
                "start the brokers that are down, or correct the number",
                severity=WARNING,
                cluster=alias,
                path=("clusters", alias, "brokers"),
            )


def unmatched_groups(
    settings: StackSettings, clusters: Mapping[str, Inventory]
) -> Iterator[Finding]:
    """A group may start to consume later, so this need not be a mistake."""
    for flow in settings.flows:
        source = clusters[flow.source]
        for pattern in flow.groups:
            if any(compile_java(pattern).fullmatch(group) for group in source.groups):
                continue
            yield Finding(
                f"Flow {flow.name}: groups: {pattern} matches no consumer group on {flow.source} "
                f"that {source.principal} may describe: no offsets are translated for it yet.",
                did_you_mean(pattern, source.groups),
                severity=WARNING,
                flow=flow.name,
                cluster=flow.source,
            )
