"""mm2.properties from a stack: never a write on the source, never a password, never a lost key."""

from __future__ import annotations

from typing import Any

import pytest

from mirrorstack.findings import UserError
from mirrorstack.mm2.connector_configs import ConnectorKind
from mirrorstack.mm2.dedicated import expand
from mirrorstack.rendering.dedicated import Rendered
from tests.unit.rendering.stacks import SECRETS, cluster, flow, made_of, stack

TOP = {
    *("clusters", "config.providers", "config.providers.file.class"),
    *("dedicated.mode.enable.internal.rest", "listeners"),
}


def said(made: Rendered) -> str:
    return "\n".join(map(str, made.notes))


class TestTheSourceIsNeverWritten:
    def test_pairs_without_a_flow_have_no_heartbeats_and_so_no_workers(self) -> None:
        keys = made_of(stack(flow("a", "b"), flow("c", "b"))).properties
        idle = {key: value for key, value in keys.items() if not key.startswith(("a->b", "c->b"))}
        assert {key: value for key, value in idle.items() if "->" in key} == {
            "b->a.emit.heartbeats.enabled": "false",
            "a->c.emit.heartbeats.enabled": "false",
            "c->a.emit.heartbeats.enabled": "false",
            "b->c.emit.heartbeats.enabled": "false",
        }

    def test_offset_syncs_stay_on_the_target_for_both_who_use_them(self) -> None:
        made = expand(made_of(stack(flow())).properties, "east", "west").connectors
        for kind in (ConnectorKind.SOURCE, ConnectorKind.CHECKPOINT):
            assert made[kind]["offset-syncs.topic.location"] == "target"
        assert made[ConnectorKind.SOURCE]["sync.topic.acls.enabled"] == "false"

    @pytest.mark.parametrize("state", ["paused", "stopped"])
    def test_a_flow_that_does_not_run_has_no_workers_either(self, state: str) -> None:
        made = made_of(stack(flow(state=state)))
        assert made.properties["east->west.enabled"] == "false"
        assert made.properties["east->west.emit.heartbeats.enabled"] == "false"
        assert f"east->west: it is {state}" in said(made)


class TestExactlyOnce:
    def test_it_is_requested_and_the_workers_can(self) -> None:
        keys = made_of(stack(flow())).properties
        assert keys["east->west.exactly.once.support"] == "requested"
        assert keys["east->west.consumer.isolation.level"] == "read_committed"
        assert keys["west.exactly.once.source.support"] == "enabled"
        assert keys["dedicated.mode.enable.internal.rest"] == "true"
        assert keys["listeners"] == "http://127.0.0.1:8083"

    def test_without_it_no_port_is_opened(self) -> None:
        keys = made_of(stack(flow("east", "west", **{"exactly-once": False}))).properties
        assert keys["west.exactly.once.source.support"] == "disabled"
        assert not {"listeners", "dedicated.mode.enable.internal.rest"} & keys.keys()


def test_nothing_stands_at_the_top_level_but_what_belongs_there() -> None:
    keys = made_of(stack(flow(), flow("west", "east"), flow("north", "west"))).properties
    assert {key for key in keys if not key.startswith(("east", "west", "north"))} == TOP


def test_passwords_are_references() -> None:
    keys = made_of(stack(flow())).properties
    for alias in ("east", "west"):
        assert f'password="${{file:{SECRETS}:{alias}}}"' in keys[f"{alias}.sasl.jaas.config"]


def test_a_secret_in_an_override_is_refused_and_not_shown() -> None:
    own = {"source": {"consumer.ssl.key.password": "hunter2"}}
    with pytest.raises(UserError, match=r"consumer\.ssl\.key\.password") as refused:
        made_of(stack(flow(override=own)))
    assert "hunter2" not in str(refused.value)


def test_what_would_have_to_be_asked_is_left_to_the_brokers() -> None:
    settings = stack(flow(), clusters={"east": cluster("east"), "west": cluster("west")})
    made = made_of(settings)
    assert made.properties["west.offset.storage.replication.factor"] == "-1"
    assert made.properties["east->west.replication.factor"] == "-1"
    assert "west: how often topics are kept is left to its brokers" in said(made)


def test_a_topic_on_the_source_is_kept_as_often_as_the_source_can() -> None:
    clusters = {"east": cluster("east", brokers=1), "west": cluster("west", brokers=5)}
    keys = made_of(stack(flow(**{"offset-syncs": "source"}), clusters=clusters)).properties
    assert keys["east->west.offset-syncs.topic.replication.factor"] == "1"
    assert keys["east->west.replication.factor"] == "3"


@pytest.mark.parametrize(
    ("of_flow", "of_stack", "note"),
    [
        ({}, {}, "the file: nobody can ask dedicated mode for states"),
        ({}, {}, "east->west: its place is not taken over"),
        ({}, {}, "east->west: dedicated mode always has a checkpoint connector"),
        ({}, {}, "west: MirrorMaker makes the topics here by itself"),
        ({}, {}, f"not in the file but referred to, as ${{file:{SECRETS}"),
        ({}, {"workers": {"west": {"count": 3}}}, "start it with the same file on 3 machines"),
        ({}, {"workers": {"west": {"group": "mine"}}}, "has one for each flow, east-mm2"),
        ({}, {"workers": {"west": {"heap-mb": 900}}}, "KAFKA_HEAP_OPTS=-Xmx900m"),
        ({"rpo-seconds": 60}, {}, "east->west: rpo-seconds is for `mirrorstack verify`"),
        ({"override": {"checkpoint": {"tasks.max": "9"}}}, {}, "is to be 9 for the checkpoint"),
        ({"override": {"source": {"consumer.max.poll.records": "9"}}}, {}, "get it too"),
        (
            {"heartbeats": False, "override": {"heartbeat": {"admin.retries": "9"}}},
            {},
            "heartbeats, which are off: it is left out",
        ),
    ],
)  # fmt: skip
def test_what_dedicated_mode_cannot_do_is_named(
    of_flow: dict[str, Any], of_stack: dict[str, Any], note: str
) -> None:
    assert note in said(made_of(stack(flow(**of_flow), **of_stack)))


def test_flows_that_become_exactly_once_and_clusters_without_a_flow_are_named() -> None:
    settings = stack(flow(), flow("north", "west", **{"exactly-once": False}))
    assert "north->west: all flows to west are exactly-once" in said(made_of(settings))
    relative = {"protocol": "SSL", "ca-file": "certs/ca.pem"}
    clusters = {
        "east": cluster("east", security=relative),
        **{alias: cluster(alias) for alias in ("west", "spare")},
    }
    made = made_of(stack(flow(), clusters=clusters))
    assert "spare: no flow leaves or reaches it" in said(made)
    assert "east: ca-file is certs/ca.pem" in said(made)
    assert made.properties["clusters"] == "east, west"
