"""The stack file for discovered flows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import yaml

from mirrorstack.config.settings import parse
from mirrorstack.config.stack_file import PROJECT
from mirrorstack.findings import Finding, UserError
from mirrorstack.importing.clusters import cluster_settings
from mirrorstack.importing.discovered_flows import DiscoveredFlow, DiscoveredFlows
from mirrorstack.importing.flows import flow_settings
from mirrorstack.mm2.connector_configs import ConnectorKind
from mirrorstack.planning.preview_warnings import cycles_between_flows
from mirrorstack.rendering.notes import as_comments, note

HEAD = "# yaml-language-server: $schema=schema.json\n# Imported from {origin}. Differences:\n"
SYNCS_FACTOR = "offset-syncs.topic.replication.factor"
FACTORS = {
    "replication.factor": ConnectorKind.SOURCE,
    SYNCS_FACTOR: ConnectorKind.SOURCE,
    "checkpoints.topic.replication.factor": ConnectorKind.CHECKPOINT,
    "heartbeats.topic.replication.factor": ConnectorKind.HEARTBEAT,
}


@dataclass(frozen=True)
class ImportedStack:
    values: Mapping[str, Any]
    """The keys below `mirrorstack:` in a stack file."""
    notes: Sequence[Finding]

    def content(self, origin: str) -> str:
        """The content of the file, with the notes as comments at the top."""
        comments = as_comments(self.notes) or "#   none\n"
        config = {f"{PROJECT}:{key}": value for key, value in self.values.items()}
        body = yaml.safe_dump({"config": config}, sort_keys=False, allow_unicode=True, width=100)
        return f"{HEAD.format(origin=origin)}{comments}{body}"


def import_flows(found: DiscoveredFlows, origin: str) -> ImportedStack:
    """Settings of a valid stack, and notes."""
    notes = list(found.notes)
    flows = [flow for flow in found.flows if _has_valid_aliases(flow, notes)]
    if not flows:
        reasons = "".join(f"\n    {one.message}" for one in notes)
        raise UserError(
            f"{origin} has no flow that a stack file can declare{':' if reasons else ''}{reasons}",
            "give a file with at least one enabled flow",
        )
    targets = {flow.target for flow in flows}
    clusters = {
        alias: _cluster(alias, flows, notes, is_target=alias in targets)
        for alias in dict.fromkeys(end for flow in flows for end in (flow.source, flow.target))
    }
    values = {"clusters": clusters, "flows": [flow_settings(flow, notes) for flow in flows]}
    cycles = cycles_between_flows(parse(values, origin), {})
    notes += [note(one.message.removesuffix("."), one.fix, flow=one.flow) for one in cycles]
    return ImportedStack(values, list(dict.fromkeys(notes)))


def _has_valid_aliases(flow: DiscoveredFlow, notes: list[Finding]) -> bool:
    for alias in (flow.source, flow.target):
        if not alias.replace("-", "").replace("_", "").isalnum() or not alias.isascii():
            notes.append(
                note(
                    f"the alias {alias!r} is not valid in a stack file: only letters, digits, _ "
                    "and - are allowed, and another alias would rename the target topics",
                    flow=flow.name,
                )
            )
            return False
    return True


def _cluster(
    alias: str, flows: Sequence[DiscoveredFlow], notes: list[Finding], *, is_target: bool
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
    has_syncs = any(one.source == alias and _syncs_location(one) == "source" for one in flows)
    settings = cluster_settings(alias, config, administer=is_target or has_syncs, notes=notes)
    factor = _factor(alias, flows, notes)
    return settings | ({"replication-factor": factor} if factor else {})


def _syncs_location(flow: DiscoveredFlow) -> str:
    source = flow.connectors[ConnectorKind.SOURCE]
    return source.get("offset-syncs.topic.location", "source").strip()


def _factor(alias: str, flows: Sequence[DiscoveredFlow], notes: list[Finding]) -> int | None:
    """The largest replication factor on a cluster; -1 leaves it to the stack."""
    declared = {
        (flow.name, key): flow.connectors[kind][key].strip()
        for flow in flows
        if flow.target == alias
        for key, kind in FACTORS.items()
        if key in flow.connectors.get(kind, {})
        # An offset-syncs topic on the source has a factor of the source.
        and (key != SYNCS_FACTOR or _syncs_location(flow) == "target")
    }
    numbers = {given: int(value) for given, value in declared.items() if value.isdigit()}
    largest = max(numbers.values(), default=None)
    for (flow, key), number in numbers.items():
        if number != largest:
            message = f"{key} is {number}; a stack has one factor per cluster, {largest} is written"
            notes.append(note(message, flow=flow))
    return largest
