"""mm2.properties from a stack: the source is not written, and no password is printed."""

from __future__ import annotations

from typing import Any

import pytest

from mirrorstack.findings import UserError
from mirrorstack.mm2.connector_configs import ConnectorKind
from mirrorstack.mm2.dedicated.expansion import expand
from mirrorstack.rendering.dedicated import RenderedProperties
from tests.unit.rendering.stacks import SECRETS, cluster, flow, rendered, stack

TOP = {
    *("clusters", "config.providers", "config.providers.file.class"),
    *("dedicated.mode.enable.internal.rest", "listeners"),
}


def notes_text(made: RenderedProperties) -> str:
    return "\n".join(map(str, made.notes))


class TestReadOnlySource:
    def test_pairs_of_clusters_without_a_flow_have_heartbeats_off(self) -> None:
        keys = rendered(stack(flow("a", "b"), flow("c", "b"))).properties
        idle = {key: value for key, value in keys.items() if not key.startswith(("a->b", "c->b"))}
        assert {key: value for key, value in idle.items() if "->" in key} == {
            "b->a.emit.heartbeats.enabled": "false",
            "a->c.emit.heartbeats.enabled": "false",
            "c->a.emit.heartbeats.enabled": "false",
            "b->c.emit.heartbeats.enabled": "false",
        }

    def test_offset_syncs_are_on_the_target_for_both_connectors_that_use_them(self) -> None:
        made = expand(rendered(stack(flow())).properties, "east", "west").connectors
        for kind in (ConnectorKind.SOURCE, ConnectorKind.CHECKPOINT):
            assert made[kind]["offset-syncs.topic.location"] == "target"
        assert made[ConnectorKind.SOURCE]["sync.topic.acls.enabled"] == "false"

    @pytest.mark.parametrize("state", ["paused", "stopped"])
    def test_a_flow_that_is_not_running_is_not_enabled(self, state: str) -> None:
        made = rendered(stack(flow(state=state)))
        assert made.properties["east->west.enabled"] == "false"
        assert made.properties["east->west.emit.heartbeats.enabled"] == "false"
        assert f"flow east->west: state is {state}" in notes_text(made)


class TestExactlyOnce:
    def test_it_is_requested_by_the_connectors_and_enabled_on_the_workers(self) -> None:
        keys = rendered(stack(flow())).properties
        assert keys["east->west.exactly.once.support"] == "requested"
        assert keys["east->west.consumer.isolation.level"] == "read_committed"
        assert keys["west.exactly.once.source.support"] == "enabled"
        assert keys["dedicated.mode.enable.internal.rest"] == "true"
        assert keys["listeners"] == "http://127.0.0.1:8083"

    def test_without_it_there_is_no_internal_rest_server(self) -> None:
        keys = rendered(stack(flow("east", "west", **{"exactly-once": False}))).properties
        assert keys["west.exactly.once.source.support"] == "disabled"
        assert not {"listeners", "dedicated.mode.enable.internal.rest"} & keys.keys()


def test_the_top_level_has_only_keys_that_are_read_there() -> None:
    keys = rendered(stack(flow(), flow("west", "east"), flow("north", "west"))).properties
    assert {key for key in keys if not key.startswith(("east", "west", "north"))} == TOP


def test_passwords_are_references() -> None:
    keys = rendered(stack(flow())).properties
    for alias in ("east", "west"):
        assert f'password="${{file:{SECRETS}:{alias}}}"' in keys[f"{alias}.sasl.jaas.config"]


def test_a_secret_in_an_override_is_an_error_that_does_not_show_it() -> None:
    own = {"source": {"consumer.ssl.key.password": "hunter2"}}
    with pytest.raises(UserError, match=r"consumer\.ssl\.key\.password") as refused:
        rendered(stack(flow(override=own)))
    assert "hunter2" not in str(refused.value)


def test_an_unknown_replication_factor_is_left_to_the_brokers() -> None:
    settings = stack(flow(), clusters={"east": cluster("east"), "west": cluster("west")})
    made = rendered(settings)
    assert made.properties["west.offset.storage.replication.factor"] == "-1"
    assert made.properties["east->west.replication.factor"] == "-1"
    assert "cluster west: topics get the brokers' default.replication.factor" in notes_text(made)


def test_a_topic_on_the_source_has_the_replication_factor_of_the_source() -> None:
    clusters = {"east": cluster("east", brokers=1), "west": cluster("west", brokers=5)}
    keys = rendered(stack(flow(**{"offset-syncs": "source"}), clusters=clusters)).properties
    assert keys["east->west.offset-syncs.topic.replication.factor"] == "1"
    assert keys["east->west.replication.factor"] == "3"


@pytest.mark.parametrize(
    ("of_flow", "of_stack", "note"),
    [
        ({}, {}, "dedicated mode has no public REST API"),
        ({}, {}, "flow east->west: source offsets of Connect workers are not carried over"),
        ({}, {}, "flow east->west: dedicated mode always has a checkpoint connector"),
        ({}, {}, "cluster west: MirrorMaker creates topics here"),
        ({}, {}, f"refers to the password of mm2 as ${{file:{SECRETS}"),
        ({}, {"workers": {"west": {"count": 3}}}, "start MirrorMaker with this file on 3 machines"),
        ({}, {"workers": {"west": {"group": "mine"}}}, "has one group per flow, east-mm2"),
        ({}, {"workers": {"west": {"heap-mb": 1900}}}, "KAFKA_HEAP_OPTS=-Xmx1900m"),
        ({"tasks": 9}, {}, "KAFKA_HEAP_OPTS=-Xmx4"),
        ({"rpo-seconds": 60}, {}, "flow east->west: rpo-seconds is used by `mirrorstack verify`"),
        ({"override": {"checkpoint": {"tasks.max": "9"}}}, {}, "tasks.max is 9 for the checkpoint"),
        ({"override": {"source": {"consumer.max.poll.records": "9"}}}, {}, "get it too"),
        (
            {"heartbeats": False, "override": {"heartbeat": {"admin.retries": "9"}}},
            {},
            "heartbeats are off; left out",
        ),
    ],
)  # fmt: skip
def test_what_dedicated_mode_cannot_do_is_noted(
    of_flow: dict[str, Any], of_stack: dict[str, Any], note: str
) -> None:
    assert note in notes_text(rendered(stack(flow(**of_flow), **of_stack)))


def test_flows_that_become_exactly_once_and_unused_clusters_are_noted() -> None:
    settings = stack(flow(), flow("north", "west", **{"exactly-once": False}))
    assert (
        "flow north->west: exactly-once is on, because another flow to west has it"
        in notes_text(rendered(settings))
    )
    relative = {"protocol": "SSL", "ca-file": "certs/ca.pem"}
    clusters = {
        "east": cluster("east", security=relative),
        **{alias: cluster(alias) for alias in ("west", "spare")},
    }
    made = rendered(stack(flow(), clusters=clusters))
    assert "cluster spare: no flow uses it" in notes_text(made)
    assert "cluster east: ca-file is certs/ca.pem" in notes_text(made)
    assert made.properties["clusters"] == "east, west"


def test_an_override_of_a_key_that_the_flow_sets_is_refused() -> None:
    override = {"source": {"offset-syncs.topic.location": "source"}}

    with pytest.raises(UserError, match=r"offset-syncs\.topic\.location cannot be overridden"):
        rendered(stack(flow(override=override)))
