"""The graph of flows."""

from __future__ import annotations

import pytest

from mirrorstack.mm2.replication_policy import Naming
from mirrorstack.rules.topology import STACK_FILE, Topology, fixes_with, naming_of, route_of


@pytest.mark.parametrize(
    ("java_class", "naming"),
    [
        (None, Naming.PREFIXED),
        ("org.apache.kafka.connect.mirror.DefaultReplicationPolicy", Naming.PREFIXED),
        ("org.apache.kafka.connect.mirror.IdentityReplicationPolicy", Naming.IDENTITY),
        ("com.example.OurPolicy", Naming.IDENTITY),
    ],
)
def test_an_unknown_policy_counts_as_identity_naming(
    java_class: str | None, naming: Naming
) -> None:
    assert naming_of(java_class) is naming


def test_a_fix_repeats_the_default_that_a_key_replaces() -> None:
    assert "`exclude`" in STACK_FILE.exclude
    assert "mm2.*" in fixes_with("topics.exclude").exclude


def test_clusters_with_a_common_address_are_one_cluster() -> None:
    chain = [
        route_of(
            {"source.cluster.bootstrap.servers": "a", "target.cluster.bootstrap.servers": "x"},
            "1",
            None,
        ),
        route_of(
            {"source.cluster.bootstrap.servers": "b", "target.cluster.bootstrap.servers": "x"},
            "2",
            None,
        ),
        route_of(
            {"source.cluster.bootstrap.servers": "a,b", "target.cluster.bootstrap.servers": "y"},
            "3",
            None,
        ),
    ]

    assert Topology(chain).cluster(frozenset({"a"})) == Topology(chain).cluster(frozenset({"b"}))
