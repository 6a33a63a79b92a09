"""From a stack to mm2.properties and back, and compared with the connectors of the stack."""

from __future__ import annotations

from typing import Any

import pytest

from mirrorstack.config.flows import FlowSettings
from mirrorstack.config.settings import StackSettings, parse
from mirrorstack.findings import Severity
from mirrorstack.importing.discovered_flows import flows_in_properties
from mirrorstack.importing.stack import import_flows
from mirrorstack.lint.properties_files import PropertiesKind, check_properties
from mirrorstack.local.java_properties import load
from mirrorstack.mm2.connector_configs import connector_configs
from mirrorstack.mm2.dedicated.expansion import expand
from mirrorstack.mm2.resolved_flow import ResolvedFlow
from mirrorstack.rules.connector_config import CONVERTERS
from tests.unit.rendering.stacks import accesses, cluster, flow, rendered, stack, variants


def back(settings: StackSettings) -> StackSettings:
    """Rendered, linted, parsed as by Java, and imported."""
    properties = load(rendered(settings).content("Pulumi.dr.yaml").encode("ascii"))
    findings = check_properties(properties, PropertiesKind.MM2)
    assert [one for one in findings if one.severity is Severity.ERROR] == []
    found = flows_in_properties({one.key: one.value for one in properties})
    return parse(import_flows(found, "mm2.properties").values, "the import")


def test_a_flow_with_any_settings_is_imported_unchanged() -> None:
    for variant in variants():
        settings = stack(variant)
        assert back(settings) == settings, variant


@pytest.mark.parametrize(
    "flows",
    [
        [flow(topics=["orders.v1", r"clicks-.*"], exclude=[r".*\.tmp", "test-.*"])],
        [flow("east", "west"), flow("north", "west", naming="prefixed", tasks=7)],
        [flow("east", "west", separator="_"), flow("west", "east", separator="--")],
        [flow("east", "west"), flow("east", "north")],
        [flow("east", "west"), flow("west", "east")],
        [flow("east", "west", **{"exactly-once": False}), flow("west", "east")],
        [flow("a", "b"), flow("b", "c"), flow("c", "a", **{"offset-syncs": "source"})],
    ],
    ids=[
        "patterns",
        "to one target",
        "separators",
        "from one source",
        "both ways",
        "one way exactly-once",
        "cycle",
    ],
)
def test_flows_between_several_clusters_are_imported_unchanged(flows: list[dict[str, Any]]) -> None:
    settings = stack(*flows)
    assert back(settings) == settings


@pytest.mark.parametrize("protocol", ["PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL"])
def test_every_security_protocol_is_imported_unchanged(protocol: str) -> None:
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


class TestSettingsThatAreLost:
    """Settings that mm2.properties does not contain or cannot express."""

    @pytest.mark.parametrize(
        ("changes", "why"),
        [
            ({"production": True}, "MirrorMaker has no such setting"),
            ({"peers": ["Pulumi.other.yaml"]}, "MirrorMaker knows no other stacks"),
            ({"delete-topics": True}, "MirrorMaker never deletes topics"),
            ({"workers": {"west": {"count": 3}}}, "the number of processes is not in the file"),
        ],
    )
    def test_settings_of_the_stack(self, changes: dict[str, Any], why: str) -> None:
        assert back(stack(flow(), **changes)) == stack(flow()), why

    @pytest.mark.parametrize(
        ("east", "west", "why"),
        [
            ({"read-only": True}, {}, "the file does not declare it"),
            ({"brokers": 5}, {"brokers": 5}, "only the replication factor is written"),
            ({"replication-factor": 2}, {}, "no topic is created on a source that is only read"),
            (
                {"administer": True, "principals": {"mirror": "mm2", "admin": "boss"}},
                {"principals": {"mirror": "mm2", "admin": "boss"}},
                "MirrorMaker has one user per cluster",
            ),
        ],
    )
    def test_settings_of_clusters(
        self, east: dict[str, Any], west: dict[str, Any], why: str
    ) -> None:
        plain = stack(flow())
        given = plain.declared()
        given["clusters"]["east"] |= east
        given["clusters"]["west"] |= west
        assert back(parse(given, "the test")) == plain, why

    def test_the_replication_factor_of_the_source_is_not_that_of_the_target(self) -> None:
        plain = stack(flow(**{"offset-syncs": "source"}))
        given = plain.declared()
        given["clusters"]["east"]["replication-factor"] = 5
        assert back(parse(given, "the test")) == plain, "a source is left to its stack"

    def test_a_flow_that_does_not_run_is_left_out_because_it_is_not_enabled(self) -> None:
        settings = stack(flow(), flow("east", "north", state="paused"))
        assert back(settings) == stack(flow())

    def test_one_exactly_once_flow_makes_all_flows_to_its_target_exactly_once(self) -> None:
        half = flow("north", "west", **{"exactly-once": False})
        settings = stack(flow(), half)
        returned = back(settings)
        assert [one.exactly_once for one in returned.flows] == [True, True]

    def test_an_override_of_one_connector_applies_to_all_three(self) -> None:
        own = {"source": {"producer.override.batch.size": "1000"}}
        (returned,) = back(stack(flow(override=own))).flows
        everywhere = dict.fromkeys(("source", "checkpoint", "heartbeat"), own["source"])
        assert returned.override.model_dump() == everywhere


# Keys with another value in dedicated mode, and why.
DIFFERENT = {
    "name": "dedicated mode names connectors by their class",
    "exactly.once.support": "all three connectors get it, and two of them reject `required`",
    "heartbeats.replication.enabled": "patterns do not show whether the source has heartbeats",
}


def test_the_connectors_get_the_same_configs_as_those_of_the_stack() -> None:
    for variant in variants():
        settings = stack(variant)
        declared = settings.declared()
        declared["clusters"]["east"]["replication-factor"] = 3
        settings = parse(declared, "the test")
        (only,) = settings.flows
        access = accesses(settings)
        ours = connector_configs(ResolvedFlow(only, only.topics), access["east"], access["west"], 3)
        theirs = expand(rendered(settings).properties, "east", "west").connectors
        for one in ours:
            config = theirs[one.kind]
            absent = one.config.keys() - config.keys()
            # Dedicated mode sets the converters on its workers.
            assert absent <= {*CONVERTERS}, variant
            other = {
                key for key in one.config.keys() & config.keys() if config[key] != one.config[key]
            }
            assert other <= DIFFERENT.keys(), variant


def test_topics_are_selected_by_the_patterns_of_the_stack_file() -> None:
    only = FlowSettings.model_validate(flow(topics=["orders", r"a\.b-.*"], exclude=["a.b-test"]))
    properties = rendered(stack(only.model_dump(by_alias=True))).properties
    assert properties["east->west.topics"] == r"orders,a\.b-.*"
    assert properties["east->west.topics.exclude"].endswith(",a.b-test")
