"""server.properties, for one broker and for three."""

from __future__ import annotations

from pathlib import Path

import pytest

from mirrorstack.local.java_properties import render
from mirrorstack.sandbox.layout import Layout
from mirrorstack.sandbox.names import Cluster
from mirrorstack.sandbox.nodes import bootstrap_servers, nodes_of
from mirrorstack.sandbox.server_properties import server_properties
from tests.unit.sandbox.conftest import settings_of

INTERNAL_TOPICS = ("offsets.topic", "transaction.state.log", "share.coordinator.state.topic")


def properties_of(layout: Layout, brokers: int, node: str = "east-1") -> dict[str, str]:
    nodes = nodes_of(layout, settings_of(brokers))
    chosen = next(each for each in nodes if each.name == node)
    peers = [each for each in nodes if each.cluster is chosen.cluster]
    return server_properties(chosen, peers, layout.ca, "the-password")


def test_all_listeners_are_on_loopback(layout: Layout) -> None:
    listeners = properties_of(layout, 3, "west-2")["listeners"]
    assert listeners == "CLIENT://127.0.0.1:29093,CONTROLLER://127.0.0.1:30093"


def test_clients_use_scram_over_tls_and_controllers_use_certificates(layout: Layout) -> None:
    properties = properties_of(layout, 1)
    protocols = properties["listener.security.protocol.map"]
    assert protocols == "CLIENT:SASL_SSL,CONTROLLER:SSL"
    assert properties["sasl.enabled.mechanisms"] == "SCRAM-SHA-512"
    assert properties["listener.name.controller.ssl.client.auth"] == "required"


def test_only_the_administrator_and_nodes_of_the_cluster_are_super_users(layout: Layout) -> None:
    properties = properties_of(layout, 2)
    assert properties["allow.everyone.if.no.acl.found"] == "false"
    assert properties["super.users"].split(";") == [
        "User:admin",
        "User:broker",
        "User:CN=east-1",
        "User:CN=east-2",
    ], "a node of west must not be a super user in east"


def test_without_an_authorizer_clients_still_authenticate(layout: Layout) -> None:
    (node, *_) = nodes_of(layout, settings_of(1))
    with_it, without = (
        server_properties(node, [node], layout.ca, "the-password", authorizer=wanted)
        for wanted in (True, False)
    )

    assert with_it.keys() - without.keys() == {
        "authorizer.class.name",
        "allow.everyone.if.no.acl.found",
        "super.users",
    }
    assert without["listener.security.protocol.map"].startswith("CLIENT:SASL_SSL")


@pytest.mark.parametrize(("brokers", "factor"), [(1, "1"), (2, "2"), (3, "3"), (5, "3")])
def test_the_replication_factor_is_the_number_of_brokers_up_to_three(
    layout: Layout, brokers: int, factor: str
) -> None:
    properties = properties_of(layout, brokers)
    for topic in INTERNAL_TOPICS:
        assert properties[f"{topic}.replication.factor"] == factor
    assert properties["default.replication.factor"] == factor


def test_nodes_share_the_voters_and_have_their_own_id_and_data_directory(layout: Layout) -> None:
    one, three = (properties_of(layout, 3, node) for node in ("east-1", "east-3"))
    assert one["controller.quorum.voters"] == three["controller.quorum.voters"]
    assert one["controller.quorum.voters"].count("@") == 3
    assert (one["node.id"], three["node.id"]) == ("1", "3")
    assert one["log.dirs"] != three["log.dirs"]


def test_records_with_old_timestamps_are_not_deleted(layout: Layout) -> None:
    assert properties_of(layout, 1)["log.retention.ms"] == "-1"


def test_bootstrap_servers_name_every_broker() -> None:
    assert bootstrap_servers(settings_of(2), Cluster.WEST) == "127.0.0.1:29092,127.0.0.1:29093"


def test_spaces_in_the_path_of_the_home_are_not_escaped(tmp_path: Path) -> None:
    layout = Layout(tmp_path / "my home", "trial")
    assert f"log.dirs={tmp_path}/my home/sandbox/trial/east/east-1/data\n" in render(
        properties_of(layout, 1)
    )
