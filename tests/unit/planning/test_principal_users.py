"""Who else uses a principal."""

from __future__ import annotations

from mirrorstack.kafka.acl_bindings import AclKey
from mirrorstack.kafka.acls import Acl, Operation, ResourcePattern, ResourceType
from mirrorstack.planning.principal_users import LOOKED_UP, OtherUsers, other_users

OWN = [Acl("west", ResourcePattern(ResourceType.GROUP, "mine"), Operation.READ, "")]


def group(name: str, pattern: str = "literal") -> AclKey:
    return AclKey("group", name, pattern, "read")


def test_groups_with_members_are_named_first() -> None:
    keys = [
        group("mine"),
        group("theirs"),
        group("billing"),
        AclKey("transactionalid", "theirs-", "prefixed", "write"),
        AclKey("topic", "payments", "literal", "read"),
        AclKey("topic", "payments", "literal", "describeconfigs"),
    ]

    users = other_users(keys, OWN, lambda name: name == "theirs")

    assert users == OtherUsers(("theirs",), ("billing",), ("theirs-*",), ("payments",))
    assert users.text == (
        "Its other ACLs are for groups with members theirs; groups billing; transactional ids "
        "theirs-*; topics payments. "
    )


def test_another_operation_on_what_the_stack_uses_names_nobody() -> None:
    users = other_users([AclKey("group", "mine", "literal", "describe")], OWN, lambda _: True)

    assert users == OtherUsers()
    assert users.text == ""


def test_only_exact_names_are_looked_up_and_not_too_many() -> None:
    asked: list[str] = []
    keys = [group("*"), group("any-", "prefixed"), *(group(f"g{n:02}") for n in range(50))]

    def has_members(name: str) -> bool:
        asked.append(name)
        return False

    other_users(keys, OWN, has_members)

    assert asked == [f"g{n:02}" for n in range(LOOKED_UP)]
