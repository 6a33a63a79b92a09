"""What a deployment declares on clusters, for workers and for flows."""

from __future__ import annotations

from pathlib import Path

from tests.unit.planning.fake_clusters import Held, holding, stack_settings
from tests.unit.planning.test_preflight import prepared


def test_the_deployment_has_topics_acls_workers_and_connectors(tmp_path: Path) -> None:
    deployment = prepared(tmp_path)

    (flow,) = deployment.flows
    assert [topic.name for topic in flow.target_topics] == ["east.orders"]
    assert [connector.name for connector in flow.connectors] == [
        "east-to-west-source",
        "east-to-west-heartbeat",
    ]
    assert flow.partitions == {"orders": 3}
    assert {acl.cluster for acl in deployment.clusters["east"].acls.declared} == {"east"}
    assert "mirrorstack-west-offsets" in {
        topic.name for topic in deployment.clusters["west"].internal_topics
    }
    assert deployment.workers["west"].runtime == "local-process"
    assert deployment.workers["west"].configs[0]["group.id"] == "mirrorstack-west"


def test_the_record_lists_the_acls_of_each_cluster(tmp_path: Path) -> None:
    recorded = prepared(tmp_path).record.acls

    assert recorded["east"] == {
        "mode": "managed",
        "principal": "mirror",
        "acls": ["topic-orders-read"],
    }
    assert "topic-heartbeats-write" in recorded["west"]["acls"]


def test_topics_of_the_connect_group_are_told_apart_from_those_of_mirrormaker(
    tmp_path: Path,
) -> None:
    west = prepared(tmp_path).clusters["west"]

    assert west.connect_topics == {
        f"mirrorstack-west-{kind}" for kind in ("configs", "offsets", "status")
    }
    others = {topic.name for topic in west.internal_topics} - west.connect_topics
    assert others == {"heartbeats", "mm2-offset-syncs.east.internal"}


def test_no_password_is_in_the_deployment_but_in_connections(tmp_path: Path) -> None:
    deployment = prepared(tmp_path)

    assert "password-of" not in repr(deployment)
    configs = [c.config for flow in deployment.flows for c in flow.connectors]
    assert "password-of" not in str([*configs, *deployment.workers["west"].configs])
    assert deployment.workers["west"].passwords["east"].as_dict() == {
        "sandbox": "default",
        "cluster": "east",
        "principal": "mirror",
    }


def test_topics_whose_target_topics_do_not_exist_are_replicated_from_earliest(
    tmp_path: Path,
) -> None:
    def new_topics(*on_the_target: str) -> tuple[str, ...]:
        held = Held({"east": holding("orders"), "west": holding(*on_the_target)})
        (flow,) = prepared(tmp_path, held=held).flows
        return flow.new_topics

    assert new_topics() == ("orders",)
    assert new_topics("east.orders") == ()


def test_a_cluster_that_is_not_administered_exports_commands_for_its_owner(tmp_path: Path) -> None:
    clusters = {"east": {"sandbox": "default", "administer": False}, "west": {"sandbox": "default"}}
    flow = {"from": "east", "to": "west", "topics": ["orders"]}
    deployment = prepared(tmp_path, stack_settings(flow, clusters=clusters))

    assert deployment.clusters["east"].admin is None
    assert deployment.clusters["east"].acl_outputs["commands"]
    assert "commands" not in deployment.clusters["west"].acl_outputs


def test_workers_have_the_passwords_of_their_own_flows_only(tmp_path: Path) -> None:
    aliases = ("east", "west", "north")
    settings = stack_settings(
        {"from": "east", "to": "west", "topics": ["orders"]},
        {"from": "north", "to": "east", "topics": ["orders"]},
        clusters={alias: {"sandbox": "default", "cluster": "east"} for alias in aliases},
    )
    held = Held({alias: holding("orders") for alias in aliases})
    workers = prepared(tmp_path, settings, held).workers

    assert set(workers["west"].passwords) == {"west", "east"}
    assert set(workers["east"].passwords) == {"east", "north"}
    assert workers["west"].password_fingerprint != workers["east"].password_fingerprint
