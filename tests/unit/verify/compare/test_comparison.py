"""The result of comparing a partition."""

from __future__ import annotations

from dataclasses import replace

from mirrorstack.kafka.offset_ranges import OffsetRange
from mirrorstack.verify.compare.comparison import PartitionComparison
from mirrorstack.verify.compare.proofs import PartitionProof
from mirrorstack.verify.reading.scope import TopicIdentity

READ = OffsetRange(0, 100)
COMPARED = PartitionComparison(READ, READ, 100, 100, None)
PROOF = PartitionProof(
    TopicIdentity("1", "2", True), OffsetRange(0, 60), OffsetRange(0, 60), 60, 0, 0, None
)


def test_a_partition_is_dense_when_every_offset_holds_a_record() -> None:
    assert COMPARED.is_dense
    assert not replace(COMPARED, source_records=99).is_dense, "transaction markers"


def test_proven_records_count_for_density() -> None:
    resumed = replace(COMPARED, source_records=40, proven=PROOF)

    assert resumed.is_dense
    assert not replace(resumed, proven=replace(PROOF, records=59)).is_dense
