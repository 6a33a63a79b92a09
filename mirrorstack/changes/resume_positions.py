"""Before a connector is made of which Connect may still have offsets: whether its copies are those
that it wrote. The record at which it ended tells: they must have it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from mirrorstack.changes.resume_check import Gap, check_gaps
from mirrorstack.config.flows import FlowSettings
from mirrorstack.connect import credentials
from mirrorstack.connect.client import ConnectClient, Patience
from mirrorstack.findings import UserError
from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.kafka.record_scan import connect_offsets, partitions_without, records_at
from mirrorstack.mm2.connector_configs import ConnectorKind, connector_name
from mirrorstack.planning.clusters import StackClusters
from mirrorstack.planning.plan import Plan

ASKING_SECONDS = 5.0


def check_continuing(plan: Plan, clusters: StackClusters, *, deletes: bool) -> None:
    """Raises a Problem where it would leave a gap; `deletes` as the stack file's delete-topics."""
    for resolved in plan.flows:
        flow = resolved.settings
        there, offsets = clusters.topics(flow.target), plan.workers[flow.target].offsets_topic
        if offsets not in there or _is_made(flow, clusters):
            continue
        ended = connect_offsets(
            clusters.seen(flow.target), offsets, there[offsets].partitions, _connector(flow)
        )
        copies = zip(resolved.topics, plan.mirrored[flow.name], strict=True)
        kept = {topic for topic, copy in copies if not copy.is_new(there, deletes=deletes)}
        check_gaps(flow, _gaps(flow, clusters, {p: at for p, at in ended.items() if p[0] in kept}))


def _gaps(
    flow: FlowSettings, clusters: StackClusters, ended: Mapping[TopicPartition, int]
) -> Iterator[Gap]:
    """`ended`: the offset of the last record that was mirrored."""
    spans = clusters.spans(flow.source, sorted({topic for topic, _ in ended}))
    still_there: dict[TopicPartition, int] = {}
    for (topic, number), at in ended.items():
        if number >= len(spans.get(topic, ())):
            continue
        start, end = spans[topic][number]
        if at >= end:
            yield Gap(topic, number, at, source_end=end)
        elif at >= start:
            still_there[TopicPartition(topic, number)] = at
    remote = {
        place: TopicPartition(flow.policy.target_topic(place[0]), place[1]) for place in still_there
    }
    wanted = {
        remote[place]: record
        for place, record in records_at(clusters.seen(flow.source), still_there).items()
        if record.value is not None  # what deletes a key may be gone from a compacted copy
    }
    target = clusters.seen(flow.target)
    held = clusters.spans(flow.target, sorted({topic for topic, _ in wanted}))
    stamps = {
        place: record.timestamp
        for place, record in wanted.items()
        if place[1] < len(held[place[0]]) and not _was_emptied(*held[place[0]][place[1]])
    }
    begins = target.offsets_for_times(stamps)
    lacking = {place for place, at in begins.items() if at < 0}
    lacking |= partitions_without(
        target, wanted, {place: at for place, at in begins.items() if at >= 0}
    )
    for place, there in remote.items():
        if there in lacking:
            yield Gap(*place, still_there[place])


def _was_emptied(start: int, end: int) -> bool:
    """By retention, so that nobody can say what it had."""
    return start == end > 0


def _connector(flow: FlowSettings) -> str:
    return connector_name(flow, ConnectorKind.SOURCE)


def _is_made(flow: FlowSettings, clusters: StackClusters) -> bool:
    """Where Connect has it, it is a matter of changes, which its resource looks at."""
    where = clusters.connect_at(flow.target)
    file = Path(where["credentials_file"])
    if not file.is_file():
        return False
    client = ConnectClient(
        where["rest_url"],
        credentials.load(file),
        timeout=ASKING_SECONDS,
        patience=Patience(seconds=0),
    )
    try:
        return client.config(_connector(flow)) is not None
    except UserError:
        return False
