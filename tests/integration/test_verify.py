"""Every kind of difference, created for real, is found; equal topics have no findings.

All topics are compared in one run: a connection for each partition is what takes time.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

import jsonschema
import pytest
from pyspark.sql import SparkSession

from mirrorstack.console import Console
from mirrorstack.sandbox.sandbox import Sandbox
from mirrorstack.verify.compare import small_diff
from mirrorstack.verify.compare.differences import DifferenceKind, RecordDifference
from mirrorstack.verify.groups.group_check import GroupCheck, GroupState
from mirrorstack.verify.history.silent_loss import LossCause
from mirrorstack.verify.report.codes import Verdict, VerifyCode
from mirrorstack.verify.report.files import PreviousRun, read_previous_run
from mirrorstack.verify.report.page import page
from mirrorstack.verify.report.report import PartitionReport, Report
from mirrorstack.verify.report.schema import report_schema
from tests.browser import DESK, PHONE, Browser
from tests.integration.record_copier import BEGAN, MIDDLE, Copier, plain
from tests.integration.topic_cases import ALTERED, FAULTS, create_topics, place_groups
from tests.integration.verification_runs import THERE, codes, settings, topic, verified
from tests.spark_sessions import quick_session

pytestmark = pytest.mark.slow

HERE = "proof"


@pytest.fixture(scope="module")
def spark() -> Iterator[SparkSession]:
    with quick_session() as opened:
        yield opened


@pytest.fixture(scope="module")
def copier(sandbox: Sandbox) -> Copier:
    return Copier(sandbox, HERE)


@pytest.fixture(scope="module")
def report(spark: SparkSession, copier: Copier, home: Path) -> Report:
    create_topics(copier)
    place_groups(copier)
    copier.beat(THERE, int(time.time() * 1000) + 600_000)
    declared = settings(HERE, r"fault\..*", r"right\..*", r"lost\..*", groups=["proof-.*"])
    return verified(spark, home, declared, payloads=True)


def test_many_unproven_records_have_the_same_result_as_few(
    spark: SparkSession, report: Report, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(small_diff, "MOST", -1)  # so that Spark is used

    again = verified(spark, home, settings(HERE, r"fault\..*", r"lost\..*"), payloads=True)

    for each in again.flows[0].topics:
        assert each.partitions == topic(report, each.topic).partitions


def only(report: Report, name: str) -> PartitionReport:
    (partition,) = topic(report, name).partitions
    return partition


def named(report: Report, name: str) -> list[RecordDifference]:
    return list(only(report, name).differences)


def group(report: Report, name: str) -> GroupCheck:
    return next(each for each in report.flows[0].groups if each.group == f"proof-{name}")


@pytest.mark.parametrize("part", ALTERED)
def test_an_altered_record_is_named_with_what_differs(report: Report, part: str) -> None:
    (found,) = named(report, f"fault.{part}")

    assert (found.kind, found.differs) == (DifferenceKind.ALTERED, ALTERED[part])
    assert (found.source_offset, found.target_offset, found.key) == (MIDDLE, MIDDLE, b"key 2")


def test_payloads_are_shown_when_asked_for(report: Report) -> None:
    (found,) = named(report, "fault.value")

    assert found.payloads == {"source": "value 100", "target": "value 10?"}


def test_an_altered_last_record_is_altered_and_not_behind(report: Report) -> None:
    assert only(report, "fault.last").counts == {DifferenceKind.ALTERED: 1}
    assert only(report, "fault.last").behind == 0


def test_a_dropped_record_is_missing(report: Report) -> None:
    (found,) = named(report, "fault.dropped")

    assert (found.kind, found.source_offset, found.target_offset) == (
        DifferenceKind.MISSING,
        MIDDLE,
        None,
    )


def test_exchanged_records_are_both_reported(report: Report) -> None:
    found = named(report, "fault.swapped")

    assert [each.kind for each in found] == [DifferenceKind.REORDERED, DifferenceKind.REORDERED]
    assert [(each.source_offset, each.target_offset) for each in found] == [(100, 101), (101, 100)]


def test_a_duplicated_record_is_reported_with_its_original(report: Report) -> None:
    (found,) = named(report, "fault.doubled")

    assert (found.kind, found.source_offset, found.target_offset) == (
        DifferenceKind.DUPLICATED,
        100,
        150,
    )
    assert codes(report, "fault.doubled") == [VerifyCode.DUPLICATES_ALLOWED], "at-least-once"


def test_equal_topics_are_equal_in_all_difficult_cases(report: Report) -> None:
    right = [each for each in report.flows[0].topics if each.topic.startswith("right.")]
    states = {each.topic: each.partitions[0].state for each in right}

    assert states.pop("right.empty") == "empty"
    assert set(states.values()) == {"equal"}, states
    assert only(report, "right.trimmed-source").trimmed == 50
    assert only(report, "right.trimmed-target").trimmed == 50
    assert only(report, "right.aborted").source_records == 40
    assert not topic(report, "right.append-time").timestamps


def test_there_are_no_findings_about_equal_topics(report: Report) -> None:
    about = [each for each in report.flows[0].findings if (each.topic or "").startswith("right.")]

    assert all(each.rule.startswith("group-") for each in about), about


def test_records_that_have_not_arrived_are_lag_and_not_loss(report: Report) -> None:
    assert only(report, "lost.behind").state == "behind"
    assert only(report, "lost.behind").behind == 10
    assert only(report, "lost.behind").oldest_behind == BEGAN + 190 * 300


def test_a_missing_partition_is_reported(report: Report) -> None:
    first, second = topic(report, "lost.partition").partitions

    assert (first.state, second.state) == ("equal", "missing")
    assert codes(report, "lost.partition") == [VerifyCode.PARTITION_MISSING]


def test_a_record_on_the_target_only_is_unexpected(report: Report) -> None:
    (found,) = named(report, "lost.unexpected")

    assert (found.kind, found.target_offset, found.key) == (DifferenceKind.UNEXPECTED, 200, b"who")


def test_in_compacted_topics_the_last_value_of_a_key_counts(report: Report) -> None:
    (value,) = named(report, "lost.value-of-key")
    (key,) = named(report, "lost.key")
    (deletion,) = named(report, "lost.deletion")

    assert (value.kind, value.key, value.differs) == (DifferenceKind.ALTERED, b"key 3", ("value",))
    assert (key.kind, key.key) == (DifferenceKind.MISSING, b"key 2")
    assert (deletion.kind, deletion.key) == (DifferenceKind.UNEXPECTED, b"key 2")


def test_retention_that_overtook_replication_is_detected(report: Report) -> None:
    (loss,) = [each for each in report.flows[0].silent_losses if each.topic == "lost.retention"]

    assert (loss.cause, loss.certain) == (LossCause.RETENTION, True)
    assert "50 records between offsets 49 and 100" in loss.message


def test_a_recreated_topic_is_detected(report: Report) -> None:
    (loss,) = [each for each in report.flows[0].silent_losses if each.topic == "lost.recreated"]

    assert (loss.cause, loss.certain) == (LossCause.RECREATED, True)


def test_nothing_to_compare_is_not_equal(report: Report) -> None:
    assert codes(report, "lost.unseen") == [VerifyCode.NOTHING_TO_COMPARE]


def test_a_group_that_consumes_records_again_skips_nothing(report: Report) -> None:
    assert group(report, "safe").state is GroupState.NOTHING_SKIPPED
    assert group(report, "safe").reconsumed == 20
    assert (group(report, "noted").target_offset, group(report, "noted").committed) == (90, False)


def test_a_group_that_was_translated_too_far_skips_records(report: Report) -> None:
    found = group(report, "skips")

    assert (found.state, found.skipped, found.first_skipped) == (GroupState.SKIPS, 3, 100)
    assert group(report, "past").skipped == 100


def test_groups_are_checked_in_partitions_that_differ(report: Report) -> None:
    assert group(report, "differing").state is GroupState.NOTHING_SKIPPED
    assert group(report, "differing").reconsumed == 10
    # Record 100 is missing there: 103 is the offset of 104.
    assert group(report, "differing-skips").state is GroupState.SKIPS
    assert group(report, "differing-skips").skipped == 3
    assert group(report, "differing-skips").first_skipped == 101


def test_a_group_without_a_checkpoint_is_reported(report: Report) -> None:
    assert group(report, "lost").state is GroupState.NO_CHECKPOINT
    assert VerifyCode.GROUP_WITHOUT_CHECKPOINT in codes(report, "right.plain")


def test_the_heartbeat_is_read(report: Report) -> None:
    beat = report.flows[0].freshness.heartbeat

    assert beat is not None
    assert beat > report.started
    assert not [code for code in codes(report, None) if code.startswith("heartbeat-")]


def test_the_verdict_is_different_and_the_report_matches_the_schema(
    report: Report, tmp_path: Path
) -> None:
    content = json.loads(report.to_json())
    jsonschema.validate(content, report_schema())
    (tmp_path / "report.html").write_text(page(report))

    assert report.verdict is Verdict.DIFFERENT
    assert (content["version"], content["verdict"]) == (3, "different")
    assert "fault.dropped" in (tmp_path / "report.html").read_text()


def test_the_page_with_all_differences_is_displayed_correctly(
    report: Report, tmp_path: Path
) -> None:
    for look in Browser(tmp_path).look(page(report), DESK, PHONE, at=["table.records tr"]):
        assert look.faults == {}
        assert "fault.dropped-0" in look.text
        assert len(look.selectors["table.records tr"]) > len(FAULTS)


def test_a_topic_with_another_id_than_in_the_previous_report_was_recreated(
    spark: SparkSession, copier: Copier, home: Path, report: Report, tmp_path: Path
) -> None:
    again = verified(spark, home, settings(HERE, "right.repeated", "right.deleted"))
    (tmp_path / "report.json").write_text(again.to_json().replace(_id(again), "another"))

    later = verified(
        spark,
        home,
        settings(HERE, "right.repeated"),
        previous=PreviousRun(read_previous_run(tmp_path, Console()).topic_ids),
    )

    assert again.verdict is Verdict.EQUAL, again.flows[0].findings
    assert later.verdict is Verdict.DIFFERENT
    assert later.flows[0].silent_losses[0].cause is LossCause.RECREATED


def test_a_topic_that_was_created_after_the_deployment_is_not_reported_as_missing(
    spark: SparkSession, copier: Copier, home: Path
) -> None:
    copier.copy("undeployed.equal")
    for name in ("undeployed.new", "undeployed.deleted"):
        copier.make(copier.source, name)
        copier.write(copier.source, name, plain(5))
    copier.sync("undeployed.deleted", 0, 0)  # it was replicated before its target topic was deleted

    new = verified(spark, home, settings(HERE, "undeployed.equal", "undeployed.new"))
    deleted = verified(spark, home, settings(HERE, "undeployed.equal", "undeployed.deleted"))

    assert new.verdict is Verdict.INCONCLUSIVE
    assert new.flows[0].undeployed_topics == ("undeployed.new",)
    assert codes(new, "undeployed.new") == [VerifyCode.TOPIC_NOT_DEPLOYED]
    assert deleted.verdict is Verdict.DIFFERENT
    assert codes(deleted, "undeployed.deleted") == [VerifyCode.PARTITION_MISSING]


def _id(report: Report) -> str:
    return topic(report, "right.repeated").id
