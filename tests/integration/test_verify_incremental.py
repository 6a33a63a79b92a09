"""Records that were proven equal are not read again, and no difference is missed because of it.

One topic for each change after the first run. All are compared in three runs: the first one, the
second one after all changes, and a full one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from confluent_kafka import KafkaException
from pyspark.sql import SparkSession

from mirrorstack.console import Console
from mirrorstack.sandbox.sandbox import Sandbox
from mirrorstack.verify.compare.differences import DifferenceKind
from mirrorstack.verify.report.files import read_previous_run, write
from mirrorstack.verify.report.report import PartitionReport, Report
from tests.integration.conftest import eventually
from tests.integration.record_copier import Copier, Written, plain
from tests.integration.replicated_stack import admin
from tests.integration.verification_runs import settings, topic, verified
from tests.spark_sessions import quick_session

HERE = "onward"
FIRST, ALL = 150, 200
TOPICS = ("idle", "more", "late", "dropped", "repeated", "trimmed", "recreated")


@dataclass(frozen=True)
class Runs:
    first: Report
    second: Report
    full: Report


@pytest.fixture(scope="module")
def spark() -> Iterator[SparkSession]:
    with quick_session() as opened:
        yield opened


@pytest.fixture(scope="module")
def runs(
    spark: SparkSession, sandbox: Sandbox, home: Path, tmp_path_factory: pytest.TempPathFactory
) -> Runs:
    kept, copier = tmp_path_factory.mktemp("kept"), Copier(sandbox, HERE)
    records = plain(ALL)
    for name in TOPICS:
        copier.copy(f"on.{name}", records=records[:FIRST])
    copier.copy("on.changing", records=records[:FIRST], config={"cleanup.policy": "compact"})
    copier.write(copier.source, "on.late", records[FIRST : FIRST + 10])  # not replicated yet
    declared = settings(HERE, r"on\..*", **{"rpo-seconds": 1e9})

    def run(*, full: bool = False) -> Report:
        report = verified(spark, home, declared, read_previous_run(kept, Console(), full=full))
        write(report, kept)
        return report

    first = run()
    _change(copier, records)
    return Runs(first, run(), run(full=True))


def _change(copier: Copier, records: list[Written]) -> None:
    more = records[FIRST:]

    def write(name: str, source: list[Written], target: list[Written]) -> None:
        copier.write(copier.source, f"on.{name}", source)
        copier.write(copier.target, copier.target_topic(f"on.{name}"), target)

    write("more", more, more)
    write("late", more[10:], more)
    write("dropped", more, more[1:])  # the first new record
    write("repeated", more, [records[FIRST - 1], *more])  # as after a restart
    write("trimmed", more, more)
    copier.trim(copier.source, "on.trimmed", FIRST + 10)
    write("changing", more, more)
    remote = copier.target_topic("on.recreated")
    admin(*copier.target).delete_topics([remote])[remote].result(15)

    def recreated() -> bool:
        try:
            copier.make(copier.target, remote)
        except KafkaException:  # the deletion has not finished
            return False
        return True

    eventually(recreated, "the topic is recreated")
    copier.write(copier.target, remote, [*records[:50], *records[51:FIRST]])


def read(report: Report, name: str) -> PartitionReport:
    (partition,) = topic(report, f"on.{name}").partitions
    return partition


def test_the_first_run_reads_everything(runs: Runs) -> None:
    assert {read(runs.first, name).source_records for name in TOPICS if name != "late"} == {FIRST}
    assert all(read(runs.first, name).proven_before == 0 for name in TOPICS)
    assert {read(runs.first, name).state for name in TOPICS if name != "late"} == {"equal"}
    assert read(runs.first, "late").state == "behind"


def test_without_new_records_nothing_is_read(runs: Runs) -> None:
    idle = read(runs.second, "idle")

    assert (idle.source_records, idle.target_records, idle.proven_before) == (0, 0, FIRST)
    assert idle.state == "equal"


def test_only_new_records_are_read(runs: Runs) -> None:
    more = read(runs.second, "more")

    assert (more.source_records, more.target_records) == (ALL - FIRST, ALL - FIRST)
    assert (more.proven_before, more.state) == (FIRST, "equal")


def test_records_that_were_behind_are_not_proven(runs: Runs) -> None:
    late = read(runs.second, "late")

    assert (late.proven_before, late.source_records, late.state) == (FIRST, ALL - FIRST, "equal")


def test_a_missing_record_right_after_the_proof_is_reported(runs: Runs) -> None:
    dropped = read(runs.second, "dropped")

    assert dropped.counts == {DifferenceKind.MISSING: 1}
    assert dropped.differences[0].source_offset == FIRST


def test_a_repeated_proven_record_is_duplicated_and_not_unexpected(runs: Runs) -> None:
    repeated = read(runs.second, "repeated")

    assert repeated.counts == {DifferenceKind.DUPLICATED: 1}
    assert repeated.differences[0].source_offset == FIRST - 1


def test_a_partition_with_a_difference_is_read_completely_now_and_next_time(runs: Runs) -> None:
    dropped = read(runs.second, "dropped")

    assert (dropped.source_records, dropped.proven) == (ALL, None)


def test_retention_beyond_the_proof_is_no_loss(runs: Runs) -> None:
    trimmed = read(runs.second, "trimmed")

    assert (trimmed.trimmed, trimmed.state, trimmed.counts) == (10, "equal", {})


def test_a_recreated_target_topic_is_read_from_earliest(runs: Runs) -> None:
    again = read(runs.second, "recreated")

    assert (again.proven_before, again.counts) == (0, {DifferenceKind.MISSING: 1})


def test_compacted_topics_are_always_read_completely(runs: Runs) -> None:
    changing = read(runs.second, "changing")

    assert (changing.proven_before, changing.proven, changing.state) == (0, None, "equal")


def test_a_full_run_reads_everything_with_the_same_result(runs: Runs) -> None:
    assert read(runs.full, "more").source_records == ALL
    assert all(read(runs.full, name).proven_before == 0 for name in TOPICS)
    for name in TOPICS:
        assert read(runs.full, name).counts == read(runs.second, name).counts
        assert read(runs.full, name).state == read(runs.second, name).state


def test_two_runs_have_the_digest_of_one(runs: Runs) -> None:
    assert read(runs.second, "more").proven == read(runs.full, "more").proven is not None
