"""What came of each partition, as the report has it."""

from __future__ import annotations

from collections.abc import Mapping

from mirrorstack.kafka.inventory import TopicDescription
from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.verify.compare.comparison import PartitionComparison
from mirrorstack.verify.compare.proofs import PartitionProof
from mirrorstack.verify.reading.scope import Scope
from mirrorstack.verify.report.report import PartitionReport, TopicReport
from mirrorstack.verify.report.verdict import state


def topic_reports(
    scope: Scope,
    held: Mapping[str, TopicDescription],
    compared: Mapping[TopicPartition, PartitionComparison],
    proven: Mapping[TopicPartition, PartitionProof],
) -> tuple[TopicReport, ...]:
    """Topic by topic; `held` are the source's, `proven` is what the next run need not read."""
    return tuple(
        TopicReport(
            pair.topic,
            pair.target_topic,
            held[pair.topic].id,
            pair.compacted,
            pair.timestamps,
            tuple(
                _partition(
                    number,
                    compared[TopicPartition(pair.topic, number)],
                    proven.get(TopicPartition(pair.topic, number)),
                )
                for number in range(pair.partitions)
            ),
        )
        for pair in scope.topics
    )


def _partition(
    number: int, compared: PartitionComparison, proven: PartitionProof | None
) -> PartitionReport:
    tally, target = compared.tally, compared.target
    return PartitionReport(
        partition=number,
        state=state(compared),
        source_records=compared.source_records,
        target_records=compared.target_records,
        source_start=compared.source.start,
        source_end=compared.source.end,
        target_start=target.start if target else None,
        target_end=target.end if target else None,
        behind=tally.behind,
        oldest_behind=tally.oldest_behind,
        newest=compared.newest,
        trimmed=tally.trimmed,
        later=tally.later,
        counts=tally.counts,
        differences=tally.differences,
        proven_before=compared.proven.records if compared.proven else 0,
        proven=proven,
    )
