"""Which keys of mm2.properties are read."""

from __future__ import annotations

import pytest

from mirrorstack.mm2.dedicated.scopes import dedicated_scope

SCOPE = dedicated_scope(["east", "west"], {})


@pytest.mark.parametrize(
    "name",
    [
        "clusters",
        "tasks.max",
        "offset.storage.replication.factor",
        "plugin.path",
        "east.bootstrap.servers",
        "east.producer.batch.size",
        "west.group.id",
        "east->west.topics",
        "east->west.producer.override.batch.size",
    ],
)
def test_keys_of_the_file_its_clusters_and_its_flows_are_read(name: str) -> None:
    assert SCOPE.reads(name)


@pytest.mark.parametrize(
    ("name", "fix"),
    [
        ("group.id", "it is a worker's key; write `west.group.id`"),
        ("producer.batch.size", "write `west.producer.batch.size`"),
        ("source.cluster.security.protocol", "write `east.security.protocol`"),
    ],
)
def test_keys_that_are_dropped_at_the_top_level_say_where_to_set_them(name: str, fix: str) -> None:
    scope, prefix = SCOPE.resolve(name)

    assert not SCOPE.reads(name)
    assert scope.dropped
    assert scope.elsewhere[name.removeprefix(prefix)] == fix


def test_a_cluster_may_have_the_alias_source() -> None:
    assert dedicated_scope(["source", "west"], {}).reads("source.bootstrap.servers")
