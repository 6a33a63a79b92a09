"""The internal topics of a Connect group."""

from __future__ import annotations

from mirrorstack.connect.storage import ConnectStorage


def test_topics_are_named_after_the_group_and_configs_have_one_partition() -> None:
    storage = ConnectStorage.named_after("mirrorstack-west")

    assert storage.partitions == {
        "mirrorstack-west-configs": 1,
        "mirrorstack-west-offsets": 5,
        "mirrorstack-west-status": 5,
    }
