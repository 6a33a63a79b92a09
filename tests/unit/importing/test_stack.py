"""The stack file for discovered flows."""

from __future__ import annotations

import itertools

import pytest
import yaml

from mirrorstack.config.flows import FlowSettings
from mirrorstack.config.settings import parse
from mirrorstack.findings import UserError
from mirrorstack.importing.discovered_flows import ExistingConnector, flows_in_properties
from mirrorstack.importing.stack import import_flows
from mirrorstack.kafka.java_client import ClientAccess
from mirrorstack.mm2.connector_configs import connector_configs
from mirrorstack.mm2.resolved_flow import ResolvedFlow
from tests.unit.importing.deployments import (
    MM2,
    SECURE,
    from_connectors,
    from_mm2,
    notes_text,
    only_flow,
)
from tests.unit.rendering.stacks import CHOICES


def test_the_content_is_a_stack_file_with_the_notes_as_comments() -> None:
    stack = from_mm2(**SECURE)
    content = stack.content("mm2.properties")

    config = yaml.safe_load(content)["config"]
    parse({key.removeprefix("mirrorstack:"): config[key] for key in config}, "here")
    comments = [line for line in content.splitlines() if line.startswith("#")]
    assert comments[0] == "# yaml-language-server: $schema=schema.json"
    fixes = sum(bool(one.fix) for one in stack.notes)
    assert len(comments) == 2 + len(stack.notes) + fixes


def test_only_differences_are_noted() -> None:
    stack = from_mm2(
        **{
            "sync.topic.acls.enabled": "false",
            "sync.topic.configs.enabled": "false",
            "east.consumer.isolation.level": "read_committed",
            "offset-syncs.topic.location": "target",
        }
    )

    administer, sizes, offsets = stack.notes
    assert "administer: false" in administer.message
    assert "`profile: default`" in sizes.message
    assert "start from earliest" in offsets.message


def test_the_largest_replication_factor_of_a_cluster_is_written() -> None:
    stack = from_mm2(**{"checkpoints.topic.replication.factor": "2", "replication.factor": "3"})

    assert stack.values["clusters"]["west"]["replication-factor"] == 3
    assert "checkpoints.topic.replication.factor is 2" in notes_text(stack)


def test_no_flow_is_an_error() -> None:
    with pytest.raises(UserError, match="no flow that a stack file can declare"):
        from_mm2(**{"east->west.enabled": "false"})


def test_an_alias_that_is_invalid_in_a_stack_file_is_reported() -> None:
    dotted = {key.replace("east", "us.east"): value for key, value in MM2.items()}
    found = flows_in_properties({**dotted, "clusters": "us.east, west"})

    with pytest.raises(UserError, match=r"the alias 'us\.east' is not valid"):
        import_flows(found, "mm2.properties")


def test_a_cycle_is_imported_and_noted() -> None:
    stack = from_mm2(
        **{
            "west->east.enabled": "true",
            "west->east.topics": "orders",
            "replication.policy.class": (
                "org.apache.kafka.connect.mirror.IdentityReplicationPolicy"
            ),
        }
    )

    assert len(stack.values["flows"]) == 2
    assert any("form a" in one.message for one in stack.notes)


VARIANTS = [
    dict(zip(CHOICES, chosen, strict=True)) for chosen in itertools.product(*CHOICES.values())
]


def test_the_connectors_of_a_stack_are_imported_as_the_same_stack() -> None:
    access = ClientAccess("x", "x:9093", "mm2", "${file:/secrets:x}", ca_path="/ca.pem")
    for variant in VARIANTS:
        if not variant["groups"] and not variant["sync-group-offsets"]:
            continue  # has no effect without groups
        settings = FlowSettings.model_validate(
            {
                "from": "east",
                "to": "west",
                "topics": ["orders", "clicks"],
                "tasks": 5,
                "offset-lag": 7,
                "checkpoint-seconds": 9 if variant["groups"] else 60,
                "override": {"source": {"sync.topic.acls.interval.seconds": "30"}},
                **variant,
            }
        )
        deployed = connector_configs(
            ResolvedFlow(settings, ("orders", "clicks")), access, access, 3
        )

        stack = from_connectors(*(ExistingConnector(one.name, one.config) for one in deployed))

        assert FlowSettings.model_validate(only_flow(stack)) == settings, variant
        assert stack.values["clusters"]["west"]["replication-factor"] == 3
