"""The flows of mm2.properties."""

from __future__ import annotations

from mirrorstack.rules.dedicated_flows import (
    HerderPair,
    dedicated_flow_findings,
    herders,
    no_shared_dedicated_workers,
)

MM2 = {
    "clusters": "a, b",
    "a.bootstrap.servers": "a:1",
    "b.bootstrap.servers": "b:1",
    "a->b.enabled": "true",
    "b->a.emit.heartbeats.enabled": "false",
    "a->b.sync.group.offsets.enabled": "true",
}


def rules(**more: str) -> list[tuple[str, str, str | None]]:
    found = dedicated_flow_findings({**MM2, **more})
    return [(finding.rule, finding.key, finding.flow) for finding in found]


def test_a_herder_starts_for_every_flow_that_is_enabled_or_emits_heartbeats() -> None:
    assert [herder.name for herder in herders(MM2)] == ["a->b"]
    emitting = {**MM2, "b->a.emit.heartbeats.enabled": "true"}
    assert [herder.name for herder in herders(emitting)] == ["a->b", "b->a"]


def test_heartbeats_write_to_a_source_whose_offset_syncs_are_on_the_target() -> None:
    on_target = {"a->b.offset-syncs.topic.location": "target"}

    assert rules(**on_target) == []
    assert rules(**on_target, **{"b->a.emit.heartbeats.enabled": "true"}) == [
        ("no-heartbeats-on-read-only-clusters", "a->b.offset-syncs.topic.location", "a->b")
    ]


def test_groups_need_checkpoints() -> None:
    off = {"a->b.groups": "billing", "a->b.emit.checkpoints.enabled": "false"}

    assert ("checkpoints-for-groups", "a->b.emit.checkpoints.enabled", "a->b") in rules(**off)


def test_two_files_share_a_group_only_with_the_same_config() -> None:
    def found(**more: str) -> list[str | None]:
        (one,), (other,) = herders(MM2), herders({**MM2, **more})
        pair = HerderPair(one, other, "one.properties")
        return [finding.cluster for finding in no_shared_dedicated_workers.findings(pair)]

    assert found() == []
    assert found(**{"a->b.topics": "orders"}) == ["b"]
    assert found(**{"a->b.topics": "orders", "b.bootstrap.servers": "c:1"}) == []
