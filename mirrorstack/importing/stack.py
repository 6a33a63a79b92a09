"""The stack file that says what was found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import yaml

from mirrorstack.config.settings import parse
from mirrorstack.config.stack_file import PROJECT
from mirrorstack.findings import UserError
from mirrorstack.importing.clusters import cluster_settings
from mirrorstack.importing.discovered_flows import Findings, Found
from mirrorstack.importing.flows import flow_settings
from mirrorstack.mm2.connector_configs import ConnectorKind
from mirrorstack.notes import Note
from mirrorstack.planning.preview_warnings import rings

HEAD = (
    "# yaml-language-server: $schema=schema.json\n"
    "# Imported from {origin}. Not taken over as it was:\n"
)
SYNCS = "offset-syncs.topic.replication.factor"
FACTORS = {
    "replication.factor": ConnectorKind.SOURCE,
    SYNCS: ConnectorKind.SOURCE,
    "checkpoints.topic.replication.factor": ConnectorKind.CHECKPOINT,
    "heartbeats.topic.replication.factor": ConnectorKind.HEARTBEAT,
}


@dataclass(frozen=True)
class Imported:
    values: Mapping[str, Any]
    """As below `mirrorstack:` in a stack file."""
    notes: Sequence[Note]

    def page(self, origin: str) -> str:
        """The file, with all notes at its top."""
        notes = "".join(f"#   - {note}\n" for note in self.notes) or "#   nothing\n"
        config = {f"{PROJECT}:{key}": value for key, value in self.values.items()}
        body = yaml.safe_dump({"config": config}, sort_keys=False, allow_unicode=True, width=100)
        return f"{HEAD.format(origin=origin)}{notes}{body}"


def imported(found: Findings, origin: str) -> Imported:
    """The settings, which are those of a valid stack, and the notes."""
    notes = list(found.notes)
    flows = [flow for flow in found.flows if _can_be_named(flow, notes)]
    if not flows:
        reasons = "".join(f"\n    {note}" for note in notes)
        raise UserError(
            f"{origin} has no flow that a stack file could declare.{reasons}",
            "give a file with at least one flow that is enabled",
        )
    targets = {flow.target for flow in flows}
    clusters = {
        alias: _cluster(alias, flows, notes, is_target=alias in targets)
        for alias in dict.fromkeys(end for flow in flows for end in (flow.source, flow.target))
    }
    values = {"clusters": clusters, "flows": [flow_settings(flow, notes) for flow in flows]}
    notes += [Note("flows", text) for text in rings(parse(values, origin), {})]
    return Imported(values, list(dict.fromkeys(notes)))


def _can_be_named(flow: Found, notes: list[Note]) -> bool:
    for alias in (flow.source, flow.target):
        if not alias.replace("-", "").replace("_", "").isalnum() or not alias.isascii():
            what = f"the alias {alias!r} may hold only letters, digits, _ and - in a stack file; "
            notes.append(Note(flow.name, f"{what}under another one, topics would be named anew"))
            return False
    return True


def _cluster(
    alias: str, flows: Sequence[Found], notes: list[Note], *, is_target: bool
) -> dict[str, Any]:
    side, flow = next(
        (side, flow)
        for side in ("target", "source")
        for flow in flows
        if alias == (flow.target if side == "target" else flow.source)
    )
    prefix = f"{side}.cluster."
    config = {
        key.removeprefix(prefix): value
        for key, value in flow.connectors[ConnectorKind.SOURCE].items()
        if key.startswith(prefix)
    }
    writes_here = any(one.source == alias and _location(one) == "source" for one in flows)
    settings = cluster_settings(alias, config, administer=is_target or writes_here, notes=notes)
    factor = _factor(alias, flows, notes)
    return settings | ({"replication-factor": factor} if factor else {})


def _location(flow: Found) -> str:
    return (
        flow.connectors[ConnectorKind.SOURCE].get("offset-syncs.topic.location", "source").strip()
    )


def _factor(alias: str, flows: Sequence[Found], notes: list[Note]) -> int | None:
    """One for all topics that the stack makes on a cluster; -1 leaves it to the stack."""
    told = {
        (flow.name, key): flow.connectors[kind][key].strip()
        for flow in flows
        if flow.target == alias
        for key, kind in FACTORS.items()
        if key in flow.connectors.get(kind, {})
        # Where the offset-syncs are kept on the source, their factor says nothing about the target.
        and (key != SYNCS or _location(flow) == "target")
    }
    numbers = {given: int(value) for given, value in told.items() if value.isdigit()}
    wanted = max(numbers.values(), default=None)
    for (flow, key), number in numbers.items():
        if number != wanted:
            what = f"{key} is {number}; a stack has one factor per cluster, and {wanted} is written"
            notes.append(Note(flow, what))
    return wanted
