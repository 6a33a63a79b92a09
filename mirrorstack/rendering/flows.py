"""What goes behind `east->west.` in mm2.properties: one set of keys, given to all three connectors.

So what the connectors of a stack are told one by one has to be put together, and where two of them
are told different things under one key, that cannot be said.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mirrorstack.config.flows import FlowSettings
from mirrorstack.connect.protocol import ConnectorState
from mirrorstack.findings import UserError
from mirrorstack.mm2.catalogue import Section
from mirrorstack.mm2.connector_configs import ConnectorKind, TopicSelection, naming_keys, own_keys
from mirrorstack.mm2.key_scopes import connector_scope
from mirrorstack.notes import Note
from mirrorstack.rules.connector_config import shows_secrets

ONCE = "exactly.once.support"
SYNCS_FACTOR = "offset-syncs.topic.replication.factor"
HEARTBEATS = "emit.heartbeats.enabled"


def pair(flow: FlowSettings) -> str:
    """As MirrorMaker writes it."""
    return f"{flow.source}->{flow.target}"


def flow_keys(flow: FlowSettings, factors: Mapping[str, int], notes: list[Note]) -> dict[str, str]:
    """`factors` are those of topics, by cluster."""
    own = own_keys(flow, TopicSelection.by_pattern(flow), factors[flow.target])
    own[ConnectorKind.SOURCE] |= _as_dedicated(flow, factors)
    runs = flow.state is ConnectorState.RUNNING
    keys = {
        "enabled": str(runs).lower(),
        # Decides by itself whether there are workers, whatever `enabled` says.
        HEARTBEATS: str(runs and flow.heartbeats).lower(),
        **naming_keys(flow),
    }
    # A checkpoint connector there always is, and refuses `emit.checkpoints.enabled=false`. Without
    # groups it is told none, and does nothing.
    for kind in (
        kind for kind in ConnectorKind if kind is not ConnectorKind.HEARTBEAT or flow.heartbeats
    ):
        notes += _disagreements(flow, kind, own[kind], keys)
        keys |= {key: value for key, value in own[kind].items() if key not in keys}
    for problem in shows_secrets(f"Flow {flow.name}", keys):
        raise UserError.of([problem])
    notes += _about(flow, own)
    return keys


def _as_dedicated(flow: FlowSettings, factors: Mapping[str, int]) -> dict[str, str]:
    # `required` would be refused: the other two connectors cannot be exactly-once, and get it too.
    keys = {ONCE: "requested"}
    if flow.offset_syncs == "source" and SYNCS_FACTOR not in flow.override.source:
        # Here MirrorMaker makes the topic by itself.
        keys[SYNCS_FACTOR] = str(factors[flow.source])
    return keys


def _disagreements(
    flow: FlowSettings, kind: ConnectorKind, own: Mapping[str, str], keys: Mapping[str, str]
) -> Iterator[Note]:
    for key, value in own.items():
        if keys.get(key, value) != value:
            what = f"{key} is to be {value} for the {kind} connector and {keys[key]} for another; "
            yield Note(pair(flow), f"{what}all three get one value, and {keys[key]} is written")


def _about(flow: FlowSettings, own: Mapping[ConnectorKind, Mapping[str, str]]) -> Iterator[Note]:
    where = pair(flow)
    if flow.state is not ConnectorState.RUNNING:
        what = f"it is {flow.state}, which dedicated mode has no word for: it is not enabled"
        yield Note(where, what)
    if flow.rpo_seconds is not None:
        yield Note(where, "rpo-seconds is for `mirrorstack verify`: it is left out")
    if not flow.groups:
        what = "dedicated mode always has a checkpoint connector: it is told no groups"
        yield Note(where, what)
    for kind in ConnectorKind:
        for key in getattr(flow.override, kind.value):
            if kind is ConnectorKind.HEARTBEAT and not flow.heartbeats:
                yield Note(where, f"{key} is for heartbeats, which are off: it is left out")
                continue
            others = [
                other
                for other in ConnectorKind
                if key not in own[other] and connector_scope(Section(other), {}).reads(key)
            ]
            if others:
                what = f"{key} is for the {kind} connector; the {' and the '.join(others)} "
                yield Note(where, f"{what}connector get it too")
    kept = f"mm2-offsets.{flow.source}.internal on {flow.target}"
    what = (
        f"its place is not taken over: dedicated mode keeps one of its own in {kept}, and begins "
    )
    yield Note(where, f"{what}with the earliest record")
