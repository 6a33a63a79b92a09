"""Reports with every section and with difficult content: long names, and names that are HTML."""

from __future__ import annotations

from dataclasses import replace

from mirrorstack.findings import Finding
from mirrorstack.verify.compare.differences import DifferenceKind, RecordDifference
from mirrorstack.verify.groups.group_check import GroupCheck, GroupState
from mirrorstack.verify.history.freshness import Freshness
from mirrorstack.verify.history.latency import latency
from mirrorstack.verify.history.replication_history import History
from mirrorstack.verify.report.codes import VerifyCode, finding
from mirrorstack.verify.report.report import FlowReport, PartitionReport, Report, TopicReport

NOON = 1_800_000_000_000
EVIL = "<script>document.title = 'evil'</script>"
LONG = "orders.of.the.north-eastern.region.with-a-name-as-long-as-kafka-permits." + "x" * 177
KINDS = (
    DifferenceKind.MISSING,
    DifferenceKind.ALTERED,
    DifferenceKind.UNEXPECTED,
    DifferenceKind.REORDERED,
    DifferenceKind.DUPLICATED,
)
FRESH = Freshness(NOON, NOON, None, 0, 60.0, True)
LATE = Freshness(NOON - 600_000, NOON - 90_000, NOON - 80_000, 12_345, 60.0, False)
PAST = History(
    offset_syncs=754,
    omitted=12,
    first=NOON - 47_000,
    last=NOON,
    interval=1000,
    lag=tuple(range(20_000, 0, -500)) + (0,) * 8,
    rate=(13_991.0, *(500.0 + 10 * at for at in range(39)), *(0.2,) * 7),
    latency=latency([(NOON - at, NOON - at - at * at) for at in range(1, 300)], NOON - 90_000, 3),
)


def equal() -> Report:
    topics = (_topic("audit", "empty"), _topic("orders", *["equal"] * 12))
    groups = tuple(_group("billing", "orders", number) for number in range(12))
    return Report("local", NOON, 69.0, (_flow("east", "west", topics, groups, FRESH),))


def different() -> Report:
    """Every kind of difference, and a second flow that is only late and has no offset syncs."""
    states = ["equal", "behind", *map(str, KINDS)]
    topics = (
        _topic("orders", *states, differences=tuple(_difference(kind) for kind in KINDS)),
        _topic(LONG, *["equal"] * 128),
        _topic(EVIL, "altered", differences=(_evil(),)),
        replace(_topic("customers", "equal", "empty"), compacted=True, timestamps=False),
    )
    groups = (
        _group("billing", "orders", 0),
        _group("billing", "orders", 1, GroupState.SKIPS, skipped=1_234_567),
        _group("billing", "orders", 2, GroupState.PAST_END),
        replace(_group(LONG, LONG, 0, GroupState.NO_CHECKPOINT), target_offset=None),
        _group(EVIL, EVIL, 0),
    )
    failing = _flow("frankfurt-production", "west", topics, groups, LATE)
    findings = (
        found(VerifyCode.RECORDS_MISSING, "orders-2: 3 records missing"),
        found(VerifyCode.RECORDS_ALTERED, f"{EVIL}-0: 1 record altered"),
        found(VerifyCode.TOPIC_NOT_DEPLOYED, f"{LONG}: not deployed yet", "run `pulumi up`"),
        found(VerifyCode.DUPLICATES_ALLOWED, "orders-6: 2 records duplicated"),
    )
    late = _flow("west", "frankfurt-production", (_topic("orders", "behind"),), (), LATE)
    behind = found(VerifyCode.LAG, "records that have not arrived cannot be compared")
    return Report(
        EVIL,
        NOON,
        1_234.5,
        (
            replace(failing, exactly_once=False, findings=findings),
            replace(late, history=None, findings=(behind,)),
        ),
    )


def found(code: VerifyCode, message: str, fix: str = "") -> Finding:
    return finding(code, "east-to-west", message, fix)


def _flow(
    source: str,
    target: str,
    topics: tuple[TopicReport, ...],
    groups: tuple[GroupCheck, ...],
    freshness: Freshness,
) -> FlowReport:
    name = f"{source}-to-{target}"
    return FlowReport(name, source, target, True, topics, (), groups, (), freshness, history=PAST)


def _topic(name: str, *states: str, differences: tuple[RecordDifference, ...] = ()) -> TopicReport:
    partitions = tuple(
        _partition(number, state, tuple(each for each in differences if str(each.kind) == state))
        for number, state in enumerate(states)
    )
    return TopicReport(name, f"east.{name}", "id", False, True, partitions)


def _partition(
    number: int, state: str, differences: tuple[RecordDifference, ...]
) -> PartitionReport:
    held = 0 if state == "empty" else 1_000_000
    return PartitionReport(
        partition=number,
        state=state,
        source_records=held,
        target_records=held,
        source_start=0,
        source_end=held,
        target_start=0,
        target_end=held,
        behind=12_345 if state == "behind" else 0,
        oldest_behind=None,
        newest=NOON,
        trimmed=7,
        later=0,
        counts={each.kind: 1 for each in differences},
        differences=differences,
        proven_before=held,
    )


def _difference(kind: DifferenceKind) -> RecordDifference:
    here = None if kind is DifferenceKind.UNEXPECTED else 1_234_567
    there = None if kind is DifferenceKind.MISSING else 1_234_569
    differs = ("value", "headers") if kind is DifferenceKind.ALTERED else ()
    payloads = {"source": "v" * 4096, "target": ""} if kind is DifferenceKind.ALTERED else {}
    return RecordDifference("orders", 2, kind, here, there, b"customer-17", NOON, differs, payloads)


def _evil() -> RecordDifference:
    key = EVIL.encode()
    return RecordDifference(
        EVIL, 0, DifferenceKind.ALTERED, 1, 1, key, NOON, ("value",), {"source": EVIL}
    )


def _group(
    group: str,
    topic: str,
    partition: int,
    state: GroupState = GroupState.NOTHING_SKIPPED,
    skipped: int = 0,
) -> GroupCheck:
    return GroupCheck(group, topic, partition, 999_000, 999_100, True, state, skipped, None, 20)
