"""The keys after `east->west.` in mm2.properties: one set of keys for all three connectors.

A stack configures its connectors one by one. Their configs are merged here; where two connectors
have different values for one key, dedicated mode cannot express it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mirrorstack.config.flows import FlowSettings
from mirrorstack.connect.protocol import ConnectorState
from mirrorstack.findings import Finding, UserError
from mirrorstack.mm2.catalogue import Section
from mirrorstack.mm2.connector_configs import ConnectorKind, TopicSelection, naming_keys, own_keys
from mirrorstack.mm2.discovery import Discovery, patterns
from mirrorstack.mm2.key_scopes import connector_scope
from mirrorstack.rendering.notes import note
from mirrorstack.rules.secrets import plain_secret_findings
from mirrorstack.text import and_more

EXACTLY_ONCE = "exactly.once.support"
SYNCS_FACTOR = "offset-syncs.topic.replication.factor"
HEARTBEATS = "emit.heartbeats.enabled"


def arrow_name(flow: FlowSettings) -> str:
    """`east->west`, as in MirrorMaker's keys."""
    return f"{flow.source}->{flow.target}"


def flow_keys(
    flow: FlowSettings, factors: Mapping[str, int], notes: list[Finding]
) -> dict[str, str]:
    """`factors` are the replication factors of topics, by cluster."""
    own = own_keys(flow, TopicSelection.by_pattern(flow), factors[flow.target])
    own[ConnectorKind.SOURCE] |= _dedicated_keys(flow, factors)
    is_running = flow.state is ConnectorState.RUNNING
    keys = {
        "enabled": str(is_running).lower(),
        # Starts workers by itself, even where `enabled` is false.
        HEARTBEATS: str(is_running and flow.heartbeats).lower(),
        **naming_keys(flow),
    }
    # There is always a checkpoint connector; it rejects `emit.checkpoints.enabled=false`. Without
    # groups it gets an empty list and does nothing.
    for kind in (
        kind for kind in ConnectorKind if kind is not ConnectorKind.HEARTBEAT or flow.heartbeats
    ):
        notes += _conflicts(flow, kind, own[kind], keys)
        keys |= {key: value for key, value in own[kind].items() if key not in keys}
    for finding in plain_secret_findings(f"Flow {flow.name}", keys):
        raise UserError.of([finding])
    notes += _flow_notes(flow, own)
    return keys


def _dedicated_keys(flow: FlowSettings, factors: Mapping[str, int]) -> dict[str, str]:
    # The other two connectors get the key too, cannot be exactly-once, and would reject `required`.
    keys = {EXACTLY_ONCE: "requested"}
    if flow.offset_syncs == "source" and SYNCS_FACTOR not in flow.override.source:
        # In dedicated mode MirrorMaker creates the topic.
        keys[SYNCS_FACTOR] = str(factors[flow.source])
    return keys


def _conflicts(
    flow: FlowSettings, kind: ConnectorKind, own: Mapping[str, str], keys: Mapping[str, str]
) -> Iterator[Finding]:
    for key, value in own.items():
        if keys.get(key, value) != value:
            yield note(
                f"{key} is {value} for the {kind} connector and {keys[key]} for another; all three "
                f"get {keys[key]}",
                flow=arrow_name(flow),
            )


def _flow_notes(
    flow: FlowSettings, own: Mapping[ConnectorKind, Mapping[str, str]]
) -> Iterator[Finding]:
    name = arrow_name(flow)
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
        f"source offsets are not carried over: dedicated mode stores its own in "
        f"mm2-offsets.{flow.source}.internal on {flow.target}, and starts from earliest",
        flow=name,
    )
