"""Client settings for a stack's clusters."""

from __future__ import annotations

from mirrorstack.config.settings import parse
from mirrorstack.kafka.connection import Connection
from mirrorstack.rendering.clusters import client_accesses, cluster_notes, used_clusters
from tests.unit.rendering.stacks import SECRETS, accesses, cluster, flow, stack


def test_only_clusters_of_flows_are_used() -> None:
    clusters = {alias: cluster(alias) for alias in ("spare", "west", "east")}
    settings = stack(flow(), clusters=clusters)

    assert used_clusters(settings) == ["west", "east"]
    assert next(one.message for one in cluster_notes(settings, accesses(settings))) == (
        "cluster spare: no flow uses it; it is left out"
    )


def test_passwords_are_references() -> None:
    access = accesses(stack(flow()))["east"]

    assert access.password == f"${{file:{SECRETS}:east}}"
    assert access.bootstrap_servers == "east-1.example:9093,east-2.example:9093"


def test_the_connection_of_a_sandbox_comes_from_the_resolver() -> None:
    asked: list[tuple[str, str, str]] = []

    def sandbox_connection(name: str, cluster: str, principal: str) -> Connection:
        asked.append((name, cluster, principal))
        return Connection(
            bootstrap_servers=f"{cluster}:9092", username="mirror", password="hunter2"
        )

    sandboxes = {alias: {"sandbox": "mine"} for alias in ("east", "west")}
    settings = parse({"clusters": sandboxes, "flows": [flow()]}, "the test")

    access = client_accesses(settings, SECRETS, sandbox_connection)

    assert asked == [("mine", "east", "mirror"), ("mine", "west", "mirror")]
    assert access["west"].bootstrap_servers == "west:9092"
    assert "hunter2" not in str(access)
