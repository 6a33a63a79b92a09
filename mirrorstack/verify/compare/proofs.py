"""What previous runs proved equal, stored as a Parquet file beside the report."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.parquet as pq  # type: ignore[import-untyped]

from mirrorstack.kafka.offset_ranges import OffsetRange
from mirrorstack.kafka.partitions import TopicPartition
from mirrorstack.local.files import atomic_write
from mirrorstack.verify.reading.scope import TopicIdentity

FILE = "proven.parquet"
VERSION = "2"


@dataclass(frozen=True)
class PartitionProof:
    """The offsets of one partition within which both sides are equal."""

    identity: TopicIdentity
    source: OffsetRange
    target: OffsetRange
    records: int
    hash_sum_low: int
    hash_sum_high: int
    """The number of records on the target, and the sums of their hashes."""
    newest: int | None
    """The latest timestamp among them, in milliseconds."""


ProofsByFlow = Mapping[str, Mapping[TopicPartition, PartitionProof]]
"""By flow."""
SCHEMA = pa.schema(
    [
        ("flow", pa.string()),
        ("topic", pa.string()),
        ("partition", pa.int32()),
        ("source_id", pa.string()),
        ("target_id", pa.string()),
        ("timestamps", pa.bool_()),
        ("source_start", pa.int64()),
        ("source_end", pa.int64()),
        ("target_start", pa.int64()),
        ("target_end", pa.int64()),
        ("records", pa.int64()),
        ("hash_sum_low", pa.int64()),
        ("hash_sum_high", pa.int64()),
        ("newest", pa.timestamp("ms", tz="UTC")),
    ],
    metadata={"mirrorstack": VERSION},
)


def read_proofs(directory: Path) -> ProofsByFlow:
    """Empty if the file does not exist or has another schema; then all records are read."""
    try:
        table = pq.read_table(directory / FILE)
    except (OSError, pa.ArrowException):
        return {}
    if not table.schema.equals(SCHEMA, check_metadata=True):
        return {}
    table = table.set_column(
        table.column_names.index("newest"), "newest", table["newest"].cast(pa.int64())
    )
    result: dict[str, dict[TopicPartition, PartitionProof]] = defaultdict(dict)
    for row in table.to_pylist():
        result[row["flow"]][TopicPartition(row["topic"], row["partition"])] = _proof(row)
    return result


def write_proofs(proofs: ProofsByFlow, directory: Path) -> None:
    rows = [
        _row(flow, partition, each)
        for flow, partitions in proofs.items()
        for partition, each in partitions.items()
    ]
    directory.mkdir(parents=True, exist_ok=True)
    with atomic_write(directory / FILE) as written:
        pq.write_table(pa.Table.from_pylist(rows, schema=SCHEMA), written)


def _proof(row: Mapping[str, Any]) -> PartitionProof:
    return PartitionProof(
        TopicIdentity(row["source_id"], row["target_id"], row["timestamps"]),
        OffsetRange(row["source_start"], row["source_end"]),
        OffsetRange(row["target_start"], row["target_end"]),
        row["records"],
        row["hash_sum_low"],
        row["hash_sum_high"],
        row["newest"],
    )


def _row(flow: str, partition: TopicPartition, each: PartitionProof) -> dict[str, Any]:
    return {
        "flow": flow,
        "topic": partition.topic,
        "partition": partition.partition,
        "source_id": each.identity.source,
        "target_id": each.identity.target,
        "timestamps": each.identity.timestamps,
        "source_start": each.source.start,
        "source_end": each.source.end,
        "target_start": each.target.start,
        "target_end": each.target.end,
        "records": each.records,
        "hash_sum_low": each.hash_sum_low,
        "hash_sum_high": each.hash_sum_high,
        "newest": each.newest,
    }
