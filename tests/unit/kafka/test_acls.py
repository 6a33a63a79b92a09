"""ACLs and resource patterns."""

from __future__ import annotations

import pytest

from mirrorstack.kafka.acls import Acl, Operation, PatternType, ResourcePattern, ResourceType

TOPIC, GROUP = ResourceType.TOPIC, ResourceType.GROUP
PREFIX = ResourcePattern(TOPIC, "east.", PatternType.PREFIXED)
ORDERS = ResourcePattern(TOPIC, "east.orders")


@pytest.mark.parametrize(
    ("wide", "narrow", "covers"),
    [
        (PREFIX, ORDERS, True),
        (PREFIX, ResourcePattern(TOPIC, "east.a.", PatternType.PREFIXED), True),
        (ORDERS, PREFIX, False),
        (ORDERS, ORDERS, True),
        (PREFIX, ResourcePattern(GROUP, "east.orders"), False),
        (ResourcePattern(TOPIC, "*"), ORDERS, True),
        (ResourcePattern(TOPIC, "*"), PREFIX, True),
    ],
)
def test_a_pattern_covers_what_it_matches(
    wide: ResourcePattern, narrow: ResourcePattern, covers: bool
) -> None:
    assert wide.covers(narrow) is covers


def test_an_acl_describes_itself_with_its_reason() -> None:
    acl = Acl("west", PREFIX, Operation.WRITE, "east-to-west writes its topics")

    assert acl.summary == "Write on Topic east.*"
    assert acl.description == "Write on Topic east.*: east-to-west writes its topics"
    assert acl.key == ("west", PREFIX, Operation.WRITE)


@pytest.mark.parametrize(
    ("resource", "options"),
    [
        (PREFIX, "--topic 'east.' --resource-pattern-type prefixed"),
        (ResourcePattern(GROUP, "billing"), "--group 'billing' --resource-pattern-type literal"),
        (
            ResourcePattern(ResourceType.TRANSACTIONAL_ID, "t"),
            "--transactional-id 't' --resource-pattern-type literal",
        ),
    ],
)
def test_the_command_adds_the_acl(resource: ResourcePattern, options: str) -> None:
    command = Acl("west", resource, Operation.READ, "").command("mirror", "west:9093")

    assert command == (
        "kafka-acls --bootstrap-server west:9093 --command-config admin.properties --add "
        f"--allow-principal User:mirror --operation Read {options}"
    )


def test_another_command_removes_the_acl() -> None:
    acl = Acl("west", PREFIX, Operation.WRITE, "")

    added, removed = (acl.command("mirror", "west:9093", remove=remove) for remove in (False, True))

    assert removed == added.replace("--add", "--remove --force")


@pytest.mark.parametrize(
    ("resource", "label"),
    [
        (PREFIX, "topic-east.-prefixed-read"),
        (ORDERS, "topic-east.orders-read"),
        (ResourcePattern(GROUP, "*"), "group-any-read"),
        (ResourcePattern(TOPIC, "UPPER"), "topic-UPPER-read"),
    ],
)
def test_labels_are_short_and_distinct(resource: ResourcePattern, label: str) -> None:
    assert Acl("west", resource, Operation.READ, "").label == label
