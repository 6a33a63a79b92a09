"""From a stack to mm2.properties and back, and to the connectors that the stack itself makes."""

from __future__ import annotations

from typing import Any

import pytest

from mirrorstack.config.flows import FlowSettings
from mirrorstack.config.settings import StackSettings, parse
from mirrorstack.findings import Severity
from mirrorstack.importing.discovered_flows import flows_in_properties
from mirrorstack.importing.stack import import_flows
from mirrorstack.lint.properties_files import PropertiesKind as FileKind
from mirrorstack.lint.properties_files import check_properties
from mirrorstack.local.java_properties import load
from mirrorstack.mm2.connector_configs import connector_configs
from mirrorstack.mm2.dedicated import expand
from mirrorstack.rules.connector_config import CONVERTERS
from tests.unit.rendering.stacks import accesses, cluster, flow, rendered, stack, variants


def back(settings: StackSettings) -> StackSettings:
    """Rendered, linted, read as Java reads it, and imported."""
    properties = load(rendered(settings).content("Pulumi.dr.yaml").encode("ascii"))
    judged = check_properties(properties, FileKind.MM2)
    assert [one for one in judged if one.severity is Severity.ERROR] == []
    found = flows_in_properties({one.key: one.value for one in properties})
    return parse(import_flows(found, "mm2.properties").values, "the import")


def test_a_flow_comes_back_as_it_was_whatever_it_is() -> None:
    for variant in variants():
        settings = stack(variant)
        assert back(settings) == settings, variant


@pytest.mark.parametrize(
    "flows",
    [
        [flow(topics=["orders.v1", r"clicks-.*"], exclude=[r".*\.tmp", "test-.*"])],
        [flow("east", "west"), flow("north", "west", naming="prefixed", tasks=7)],
        [flow("east", "west"), flow("east", "north")],
        [flow("east", "west"), flow("west", "east")],
        [flow("east", "west", **{"exactly-once": False}), flow("west", "east")],
        [flow("a", "b"), flow("b", "c"), flow("c", "a", **{"offset-syncs": "source"})],
    ],
    ids=["patterns", "to one target", "from one source", "both ways", "one way once", "ring"],
)
def test_flows_between_several_clusters_come_back(flows: list[dict[str, Any]]) -> None:
    settings = stack(*flows)
    assert back(settings) == settings


@pytest.mark.parametrize("protocol", ["PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL"])
def test_however_clusters_are_reached_it_comes_back(protocol: str) -> None:
    with_tls, with_users = protocol.endswith("SSL"), protocol.startswith("SASL_")
    security = {"protocol": protocol, **({"ca-file": "/etc/ca.pem"} if with_tls else {})}
    users = {"principals": {"mirror": "mm2", "admin": "mm2"} if with_users else {}}
    west = cluster("west", **users, security=security)
    east = cluster("east", **users, security=security)
    settings = parse(
        {"clusters": {"east": east, "west": west}, "flows": [flow(**{"offset-syncs": "source"})]},
        "the test",
    )
    assert back(settings) == settings


class TestWhatAnImportCannotKnow:
    """Each is either nowhere in mm2.properties, or cannot be said there at all."""

    @pytest.mark.parametrize(
        ("changes", "why"),
        [
            ({"production": True}, "MirrorMaker has no production"),
            ({"peers": ["Pulumi.other.yaml"]}, "nor other stacks"),
            ({"delete-topics": True}, "it never deletes topics"),
            ({"workers": {"west": {"count": 3}}}, "how many are started is not in the file"),
        ],
    )
    def test_of_a_stack(self, changes: dict[str, Any], why: str) -> None:
        assert back(stack(flow(), **changes)) == stack(flow()), why

    @pytest.mark.parametrize(
        ("east", "west", "why"),
        [
            ({"read-only": True}, {}, "that nobody may write is not said, only not done"),
            ({"brokers": 5}, {"brokers": 5}, "of brokers, only the factor is written"),
            ({"replication-factor": 2}, {}, "nothing is made on a source that is only read"),
            (
                {"administer": True, "principals": {"mirror": "mm2", "admin": "boss"}},
                {"principals": {"mirror": "mm2", "admin": "boss"}},
                "MirrorMaker knows one user, and nobody's administrator",
            ),
        ],
    )
    def test_of_clusters(self, east: dict[str, Any], west: dict[str, Any], why: str) -> None:
        plain = stack(flow())
        given = plain.declared()
        given["clusters"]["east"] |= east
        given["clusters"]["west"] |= west
        assert back(parse(given, "the test")) == plain, why

    def test_how_often_a_source_keeps_its_topics_is_not_how_often_the_target_does(self) -> None:
        plain = stack(flow(**{"offset-syncs": "source"}))
        given = plain.declared()
        given["clusters"]["east"]["replication-factor"] = 5
        assert back(parse(given, "the test")) == plain, "a source is left to its stack"

    def test_a_flow_that_does_not_run_is_left_out_because_it_is_not_enabled(self) -> None:
        settings = stack(flow(), flow("east", "north", state="paused"))
        assert back(settings) == stack(flow())

    def test_one_flow_that_is_exactly_once_makes_all_to_its_target_so(self) -> None:
        half = flow("north", "west", **{"exactly-once": False})
        settings = stack(flow(), half)
        returned = back(settings)
        assert [one.exactly_once for one in returned.flows] == [True, True]

    def test_what_tunes_a_client_of_one_connector_reaches_all_three(self) -> None:
        own = {"source": {"producer.override.batch.size": "1000"}}
        (returned,) = back(stack(flow(override=own))).flows
        everywhere = dict.fromkeys(("source", "checkpoint", "heartbeat"), own["source"])
        assert returned.override.model_dump() == everywhere


# What dedicated mode has to be told in another way, and why.
OTHERWISE = {
    "name": "dedicated mode names connectors by their class",
    "exactly.once.support": "all three get it, and two of them are refused with `required`",
    "heartbeats.replication.enabled": "patterns cannot tell whether the source has heartbeats",
}


def test_the_connectors_are_told_what_a_stack_s_own_are_told() -> None:
    for variant in variants():
        settings = stack(variant)
        declared = settings.declared()
        declared["clusters"]["east"]["replication-factor"] = 3
        settings = parse(declared, "the test")
        (only,) = settings.flows
        access = accesses(settings)
        ours = connector_configs(only, access["east"], access["west"], only.topics, 3)
        theirs = expand(rendered(settings).properties, "east", "west").connectors
        for one in ours:
            told = theirs[one.kind]
            absent = one.config.keys() - told.keys()
            # What Connect needs to hear, dedicated mode's workers do by themselves.
            assert absent <= {*CONVERTERS}, variant
            other = {key for key in one.config.keys() & told.keys() if told[key] != one.config[key]}
            assert other <= OTHERWISE.keys(), variant


def test_topics_are_chosen_by_the_patterns_of_the_stack_file() -> None:
    only = FlowSettings.model_validate(flow(topics=["orders", r"a\.b-.*"], exclude=["a.b-test"]))
    properties = rendered(stack(only.model_dump(by_alias=True))).properties
    assert properties["east->west.topics"] == r"orders,a\.b-.*"
    assert properties["east->west.topics.exclude"].endswith(",a.b-test")
