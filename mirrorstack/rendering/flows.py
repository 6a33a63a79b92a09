"""The keys after `east->west.` in mm2.properties, and what they do not express."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mirrorstack.config.flows import FlowSettings
from mirrorstack.connect.protocol import ConnectorState
from mirrorstack.findings import Finding, UserError
from mirrorstack.mm2.catalogue import Section
from mirrorstack.mm2.connector_configs import ConnectorKind, TopicSelection, own_keys
from mirrorstack.mm2.dedicated.config import arrow_name, flow_keys
from mirrorstack.mm2.discovery import Discovery, patterns
from mirrorstack.mm2.key_scopes import connector_scope
from mirrorstack.rendering.notes import note
from mirrorstack.rules.secrets import plain_secret_findings
from mirrorstack.text import and_more


def arrow(flow: FlowSettings) -> str:
    """`east->west`, as in MirrorMaker's keys."""
    return arrow_name(flow.source, flow.target)


def rendered_flow(
    flow: FlowSettings, factors: Mapping[str, int], notes: list[Finding]
) -> dict[str, str]:
    """`factors` are the replication factors of topics, by cluster."""
    selection = TopicSelection.by_pattern(flow)
    is_running = flow.state is ConnectorState.RUNNING
    keys, conflicts = flow_keys(flow, selection, factors, is_running=is_running)
    notes += [
        note(
            f"{each.key} is {each.value} for the {each.kind} connector and {each.used} for "
            f"another; all three get {each.used}",
            flow=arrow(flow),
        )
        for each in conflicts
    ]
    for finding in plain_secret_findings(f"Flow {flow.name}", keys):
        raise UserError.of([finding])
    notes += _flow_notes(flow, own_keys(flow, selection, factors[flow.target]))
    return keys


def _flow_notes(
    flow: FlowSettings, own: Mapping[ConnectorKind, Mapping[str, str]]
) -> Iterator[Finding]:
    name = arrow(flow)
    if flow.state is not ConnectorState.RUNNING:
        yield note(
            f"state is {flow.state.value.lower()}, which dedicated mode does not have; the flow is "
            "not enabled",
            flow=name,
        )
    if flow.discovery is Discovery.PINNED and (pinned := patterns(flow.topics)):
        yield note(
            f"discovery is pinned, which dedicated mode does not have; topics that "
            f"{and_more(pinned)} matches later are replicated",
            flow=name,
        )
    if flow.own_policy is not None:
        yield note(
            f"{flow.own_policy.java_class} is in {flow.own_policy.jar}, which is not part of the "
            "file",
            "put the jar on the class path of MirrorMaker, such as with CLASSPATH",
            flow=name,
        )
    if flow.rpo_seconds is not None:
        yield note("rpo-seconds is used by `mirrorstack verify` only; left out", flow=name)
    if not flow.groups:
        yield note(
            "dedicated mode always has a checkpoint connector; it gets an empty list of groups",
            flow=name,
        )
    for kind in ConnectorKind:
        for key in getattr(flow.override, kind.value):
            if kind is ConnectorKind.HEARTBEAT and not flow.heartbeats:
                yield note(
                    f"{key} is for the heartbeat connector, and heartbeats are off; left out",
                    flow=name,
                )
                continue
            others = [
                other
                for other in ConnectorKind
                if key not in own[other] and connector_scope(Section(other), {}).reads(key)
            ]
            if others:
                yield note(
                    f"{key} is for the {kind} connector; the {' and the '.join(others)} connector "
                    "get it too",
                    flow=name,
                )
    yield note(
        f"source offsets of Connect workers are not carried over: dedicated mode stores its own in "
        f"mm2-offsets.{flow.source}.internal on {flow.target}, and starts from earliest where that "
        "topic has none",
        flow=name,
    )
