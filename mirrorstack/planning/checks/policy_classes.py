"""Replication policies of one's own: whether a class does what the stack file says of it.

Topics, ACLs and checks are derived from the template in `policy.name`. A class that gives other
names would write to topics that nobody declared.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from mirrorstack.config.flows import FlowSettings
from mirrorstack.config.settings import StackSettings
from mirrorstack.findings import Finding, KeyPath, Severity, UserError
from mirrorstack.kafka.inventory import Inventory
from mirrorstack.mm2.connector_configs import naming_keys
from mirrorstack.mm2.replication_policy import HEARTBEATS, matches_any
from mirrorstack.mm2.resolved_flow import ResolvedFlow
from mirrorstack.planning.plan import Plan
from mirrorstack.planning.policy_jars import policy_jars
from mirrorstack.runtimes.installed import installed_kafka
from mirrorstack.runtimes.policy_answers import PolicyAnswers, PolicyQuestion, ask_policy

ANY_TOPIC = "orders"
"""Asked where no topic of the source is replicated yet."""


def policy_class_findings(
    settings: StackSettings,
    plan: Plan,
    clusters: Mapping[str, Inventory],
    peers: Mapping[str, StackSettings],
) -> Iterator[Finding]:
    """Errors where a class contradicts the stack file, warnings where it hampers MirrorMaker."""
    unread = []
    for number, flow in enumerate(plan.flows):
        if flow.settings.own_policy is None:
            continue
        path: KeyPath = ("flows", number, "policy")
        topics = _topics(flow, clusters[flow.settings.source])
        check = _PolicyCheck(flow, path, _ask(settings, flow, path, topics))
        yield from check.findings()
        if check.is_origin_unread:
            unread.append(flow.settings.name)
    if unread:
        yield from _cycles_without_origin(settings, peers, unread)


def _ask(
    settings: StackSettings,
    resolved: ResolvedFlow[FlowSettings],
    path: KeyPath,
    topics: tuple[str, ...],
) -> PolicyAnswers:
    flow = resolved.settings
    config = {
        "source.cluster.alias": flow.source,
        "target.cluster.alias": flow.target,
        **naming_keys(flow),
        **flow.override.source,
    }
    # All jars of the workers: where two have the class, the first one decides.
    jars = [jar.path for jar in policy_jars(settings.flows, flow.target)]
    question = PolicyQuestion(flow.policy.java_class, config, flow.source, flow.target, topics)
    try:
        return ask_policy(installed_kafka(), jars, question)
    except UserError as error:
        raise UserError.of(
            replace(
                each,
                message=f"Flow {flow.name}: {each.message}",
                flow=flow.name,
                path=(*path, "class"),
            )
            for each in error.findings
        ) from None


def _topics(resolved: ResolvedFlow[FlowSettings], source: Inventory) -> tuple[str, ...]:
    """Those that the flow replicates, and those that it skips although a pattern selects them."""
    flow = resolved.settings
    selected = [
        topic
        for topic in source.topics
        if matches_any(flow.topics, topic) and not matches_any(flow.exclude, topic)
    ]
    return tuple(sorted({*resolved.topics, *selected})) or (ANY_TOPIC,)


class _PolicyCheck:
    """The answers of one flow's class, compared with what its policy derives."""

    def __init__(
        self, resolved: ResolvedFlow[FlowSettings], path: KeyPath, answers: PolicyAnswers
    ) -> None:
        self._flow = resolved.settings
        self._policy = resolved.settings.policy
        self._class = resolved.settings.policy.java_class
        self._topics = resolved.topics or (ANY_TOPIC,)
        self._path = path
        self._answers = answers

    def findings(self) -> Iterator[Finding]:
        yield from self._names()
        yield from self._internal_names()
        yield from self._skipped()
        yield from self._origins()

    @property
    def is_origin_unread(self) -> bool:
        """Whether the names show the source, and the class does not read it."""
        return self._policy.shows_origin and bool(self._unread)

    def _finding(self, message: str, fix: str, key: str, **more: object) -> Finding:
        found = Finding(f"Flow {self._flow.name}: {message}", fix, path=(*self._path, key))
        return replace(found, flow=self._flow.name, **more)  # type: ignore[arg-type]

    def _names(self) -> Iterator[Finding]:
        given = {topic: self._answers.topics[topic].target_topic for topic in self._topics}
        wrong = [
            topic for topic in self._topics if given[topic] != self._policy.target_topic(topic)
        ]
        wrong.sort(key=self._policy.is_heartbeats)  # a topic that the user knows comes first
        if wrong:
            topic, others = wrong[0], len(wrong) - 1
            more = f", and {others} more topics otherwise than expected" if others else ""
            yield self._finding(
                f"{self._class} names the topic {topic} {given[topic]}{more}; by policy.name, "
                f"{self._policy.template.text}, it is {self._policy.target_topic(topic)}.",
                "set policy.name to the names that the class gives, or correct the class",
                "name",
                topic=topic,
            )

    def _internal_names(self) -> Iterator[Finding]:
        answers, policy, location = self._answers, self._policy, self._flow.offset_syncs
        methods = {
            "offsetSyncsTopic": (
                answers.offset_syncs_topics[location],
                policy.offset_syncs_topic(location),
            ),
            "checkpointsTopic": (answers.checkpoints_topic, policy.checkpoints_topic),
            "heartbeatsTopic": (answers.heartbeats_topic, HEARTBEATS),
        }
        for method, (given, expected) in methods.items():
            if given != expected:
                yield self._finding(
                    f"{method} of {self._class} answers {given}; the topic and its ACLs are "
                    f"derived for {expected}.",
                    f"leave {method} to Kafka's ReplicationPolicy, or set the flow's `separator` "
                    "to the one that the class uses",
                    "class",
                    topic=expected,
                )

    def _skipped(self) -> Iterator[Finding]:
        for topic, answer in self._answers.topics.items():
            expected = self._policy.is_internal(topic), self._policy.is_cycle(topic)
            if (answer.is_internal, answer.is_cycle) == expected:
                continue
            skips = answer.is_internal or answer.is_cycle
            what = "internal" if answer.is_internal != expected[0] else f"from {self._flow.target}"
            yield self._finding(
                f"{self._class} takes the topic {topic} for {'one' if skips else 'none'} that is "
                f"{what}, so MirrorMaker {'skips' if skips else 'replicates'} it; by policy.name, "
                f"{self._policy.template.text}, it would not.",
                "correct isInternalTopic, topicSource and upstreamTopic of the class, or exclude "
                "the topic",
                "class",
                topic=topic,
            )

    def _origins(self) -> Iterator[Finding]:
        if not self._unread:
            return
        topic = self._unread[0]
        answer, name = self._answers.topics[topic], self._policy.target_topic(topic)
        source, upstream = answer.source or "null", answer.upstream_topic or "null"
        yield self._finding(
            f"{self._class} does not read the source from a name: for {name}, topicSource answers "
            f"{source} and upstreamTopic {upstream} instead of {self._flow.source} and {topic}. "
            "MirrorMaker then does not find its target topics, "
            "and adds no partitions to them when the source topic gets more; nor does it break "
            "cycles.",
            "correct topicSource and upstreamTopic of the class",
            "class",
            severity=Severity.WARNING,
            topic=topic,
        )

    @property
    def _unread(self) -> Sequence[str]:
        return [
            topic
            for topic in self._topics
            if (self._answers.topics[topic].source, self._answers.topics[topic].upstream_topic)
            != (self._flow.source, topic)
        ]


def _cycles_without_origin(
    settings: StackSettings, peers: Mapping[str, StackSettings], unread: Sequence[str]
) -> Iterator[Finding]:
    """The cycles that MirrorMaker does not break, because a class reads no source."""
    # Comparing patterns takes a library that takes a quarter of a second to import.
    from mirrorstack.rules.cycles import no_replication_cycles
    from mirrorstack.rules.subjects import Declaration, Flows

    flows = Flows.of(Declaration(settings, peers))
    routes = tuple(
        replace(route, policy=route.policy.without_origin()) if route.name in unread else route
        for route in flows.routes
    )
    yield from no_replication_cycles.findings(replace(flows, routes=routes))
