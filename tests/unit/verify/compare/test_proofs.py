"""What was proven outlives the run that proved it, and nothing broken is believed."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.parquet as pq  # type: ignore[import-untyped]

from mirrorstack.kafka.offset_ranges import OffsetRange
from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.verify.compare.proofs import FILE, PartitionProof, read_proofs, write_proofs
from mirrorstack.verify.reading.scope import TopicIdentity

PROVEN = PartitionProof(
    TopicIdentity("here", "there", timestamps=True),
    OffsetRange(5, 100),
    OffsetRange(7, 120),
    records=95,
    hash_sum_low=-(2**63),
    hash_sum_high=2**63 - 1,
    newest=1_750_000_000_123,
)
PROOFS = {"east-to-west": {TopicPartition("orders", 3): PROVEN}}


def test_written_proofs_can_be_read(tmp_path: Path) -> None:
    write_proofs(PROOFS, tmp_path / "new")

    assert read_proofs(tmp_path / "new") == PROOFS


def test_a_proof_without_a_timestamp_can_be_read(tmp_path: Path) -> None:
    unstamped = PartitionProof(PROVEN.identity, PROVEN.source, PROVEN.target, 95, 1, 2, newest=None)
    write_proofs({"a": {TopicPartition("orders", 0): unstamped}}, tmp_path)

    assert read_proofs(tmp_path) == {"a": {("orders", 0): unstamped}}


def test_the_first_run_has_no_proofs(tmp_path: Path) -> None:
    assert read_proofs(tmp_path) == {}


def test_a_truncated_file_has_no_proofs(tmp_path: Path) -> None:
    write_proofs(PROOFS, tmp_path)
    whole = (tmp_path / FILE).read_bytes()
    (tmp_path / FILE).write_bytes(whole[: len(whole) // 2])

    assert read_proofs(tmp_path) == {}


def test_a_file_of_another_release_has_no_proofs(tmp_path: Path) -> None:
    write_proofs(PROOFS, tmp_path)
    table = pq.read_table(tmp_path / FILE)
    pq.write_table(table.replace_schema_metadata({"mirrorstack": "0"}), tmp_path / FILE)

    assert read_proofs(tmp_path) == {}


def test_a_file_with_another_schema_has_no_proofs(tmp_path: Path) -> None:
    pq.write_table(pa.table({"flow": ["east-to-west"]}), tmp_path / FILE)

    assert read_proofs(tmp_path) == {}


def test_no_temporary_file_is_left(tmp_path: Path) -> None:
    write_proofs(PROOFS, tmp_path)

    assert [file.name for file in tmp_path.iterdir()] == [FILE]
