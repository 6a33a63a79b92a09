"""The graph of flows."""

from __future__ import annotations

import pytest

from mirrorstack.config.settings import parse
from mirrorstack.mm2.replication_policy import Naming
from mirrorstack.rules.topology import STACK_FILE, Topology, fixes_with, policy_of, route_of
from tests.unit.config.stacks import FLOW, stack


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
    config = {"replication.policy.class": java_class} if java_class else {}

    assert policy_of(config).naming is naming


def test_the_stack_file_describes_the_names_of_its_own_policy() -> None:
    own = {"class": "com.example.OurPolicy", "jar": "our.jar", "name": "{source}_{topic}"}
    declared = parse(stack(flows=[{**FLOW, "naming": "custom", "policy": own}]), "the test")
    config = {
        "source.cluster.alias": "east",
        "target.cluster.alias": "west",
        "replication.policy.class": "com.example.OurPolicy",
    }

    assert policy_of(config, declared).target_topic("orders") == "east_orders"
    assert not policy_of({**config, "target.cluster.alias": "north"}, declared).shows_origin


def test_a_route_has_the_separator_of_its_config() -> None:
    config = {"source.cluster.alias": "east", "replication.policy.separator": "_"}

    assert route_of(config, "1", None).policy.target_topic("orders") == "east_orders"
    assert not route_of({**config, "replication.policy.separator": ""}, "1", None).policy.is_cycle(
        "orders"
    )


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
