"""Topics with every kind of difference, equal topics that are difficult to compare, and consumer
groups: what one verification has to judge."""

from __future__ import annotations

from tests.integration.record_copier import (
    BEGAN,
    MIDDLE,
    Copier,
    Written,
    altered,
    doubled,
    dropped,
    plain,
    swapped,
)

FAULTS = {
    "value": altered(value=b"value 10?"),
    "key": altered(key=b"key ?"),
    "null-key": altered(key=None),
    "header": altered(headers=(("trace", b"\x00\xfe"), ("note", None))),
    "header-order": altered(headers=(("note", None), ("trace", b"\x00\xff"))),
    "null-header": altered(headers=(("trace", b"\x00\xff"), ("note", b""))),
    "null-header-moved": altered(headers=(("trace", None), ("note", b"\x00\xff"))),
    "timestamp": altered(timestamp=BEGAN + MIDDLE * 300 + 1),
    "last": altered(at=199, value=b"another"),
    "dropped": dropped,
    "swapped": swapped,
    "doubled": doubled,
}
ALTERED = {
    "value": ("value",),
    "key": ("key",),
    "null-key": ("key",),
    "header": ("headers",),
    "header-order": ("headers",),
    "null-header": ("headers",),
    "null-header-moved": ("headers",),
    "timestamp": ("timestamp",),
}
"""What differs in the record that a fault alters."""
COMPACTED = {"cleanup.policy": "compact"}


def create_topics(copier: Copier) -> None:
    for name, fault in FAULTS.items():
        copier.copy(f"fault.{name}", fault)
    _create_equal_topics(copier)
    _create_topics_with_loss_or_lag(copier)


def _create_equal_topics(copier: Copier) -> None:
    copier.copy("right.plain")
    copier.copy("right.empty", records=[])
    copier.copy("right.trimmed-source")
    copier.trim(copier.source, "right.trimmed-source", 50)
    copier.copy("right.trimmed-target")
    copier.trim(copier.target, copier.target_topic("right.trimmed-target"), 50)
    # The same records in transactions, with aborted ones between them.
    copier.copy("right.aborted", records=[])
    copier.write(copier.source, "right.aborted", plain(30), commit=False)
    copier.write(copier.source, "right.aborted", plain(40), commit=True)
    copier.write(copier.target, copier.target_topic("right.aborted"), plain(40))
    copier.copy("right.append-time", target_config={"message.timestamp.type": "LogAppendTime"})
    # What compaction may leave: older values and tombstones on one side only.
    copier.copy("right.compacted", lambda all_: all_[-7:], plain(), config=COMPACTED)
    deleted = [Written(b"gone", b"x", BEGAN), Written(b"gone", None, BEGAN), *plain(7)]
    copier.copy("right.deleted", lambda all_: all_[2:], deleted, config=COMPACTED)
    # Equal records, twice on each side.
    copier.copy("right.repeated", records=[*plain(5), *plain(5)])


def _create_topics_with_loss_or_lag(copier: Copier) -> None:
    copier.copy("lost.behind", lambda all_: all_[:190])
    copier.copy("lost.partition", partitions=(2, 1), fault=lambda all_: all_[::2])
    copier.copy("lost.unexpected", lambda all_: [*all_, Written(b"who", b"me", BEGAN)])
    copier.copy("lost.value-of-key", altered(at=199, value=b"?"), config=COMPACTED)
    copier.copy("lost.key", lambda all_: [r for r in all_ if r.key != b"key 2"], config=COMPACTED)
    living = [*plain(7), Written(b"key 2", None, BEGAN + 9000), Written(b"z", b"z", BEGAN + 9001)]
    copier.copy("lost.deletion", lambda all_: [*all_[:7], all_[8]], living, config=COMPACTED)
    # MirrorMaker was stopped, retention deleted 50 to 99, and it resumed at 100.
    copier.copy("lost.retention", lambda all_: all_[:50] + all_[100:])
    copier.trim(copier.source, "lost.retention", 100)
    for upstream, downstream in ((0, 0), (49, 49), (100, 50), (199, 149)):
        copier.sync("lost.retention", upstream, downstream)
    copier.copy("lost.recreated", lambda _: plain(200), plain(20)[5:])
    copier.sync("lost.recreated", 199, 199)
    copier.copy("lost.unseen", records=[])
    copier.write(copier.source, "lost.unseen", plain(10), commit=False)


def place_groups(copier: Copier) -> None:
    """All have consumed up to 100; the target is complete, offset for offset."""
    topic = "right.plain"
    for group, offset in (("safe", 80), ("skips", 103), ("past", 999)):
        copier.commit(copier.source, f"proof-{group}", topic, 100)
        copier.commit(copier.target, f"proof-{group}", copier.target_topic(topic), offset)
    copier.commit(copier.source, "proof-noted", topic, 100)
    copier.checkpoint("proof-noted", topic, 100, 90)
    copier.commit(copier.source, "proof-lost", topic, 100)
    # In a partition with a difference, counting is not enough.
    for group, offset in (("differing", 90), ("differing-skips", 103)):
        copier.commit(copier.source, f"proof-{group}", "fault.dropped", 100)
        copier.commit(copier.target, f"proof-{group}", copier.target_topic("fault.dropped"), offset)
