"""Values as ConfigDef reads them; an integration test compares with the real one."""

from __future__ import annotations

import pytest

from mirrorstack.mm2.catalogue import Section, keys_in
from mirrorstack.mm2.key_values import list_items, rejection_reason, split_list


def test_lists_are_split_at_every_comma_and_keep_empty_items() -> None:
    assert split_list(" a , b,\tc ") == ["a", "b", "c"]
    assert split_list("a,,b") == ["a", "", "b"]
    assert split_list(" ") == []
    assert list_items("a,,b,") == ("a", "b")


@pytest.mark.parametrize(
    ("key", "value", "reason"),
    [
        ("tasks.max", " 4 ", None),
        ("tasks.max", "0", "it must be at least 1"),
        ("tasks.max", "4.0", "it must be a whole number"),
        ("replication.factor", "9999999999", "it must be between -2147483648 and 2147483647"),
        ("sync.topic.acls.enabled", "TRUE", None),
        ("sync.topic.acls.enabled", "yes", "it must be true or false"),
        ("offset-syncs.topic.location", "Source", "it must be one of source, target"),
        ("replication.policy.class", "my class", "it must be the name of a Java class"),
    ],
)
def test_a_value_is_rejected_with_the_reason(key: str, value: str, reason: str | None) -> None:
    assert rejection_reason(keys_in(Section.SOURCE)[key], value) == reason


def test_a_reference_is_accepted_because_its_value_is_not_known() -> None:
    key = keys_in(Section.SOURCE)["tasks.max"]

    assert rejection_reason(key, "${file:/tuning.properties:tasks}") is None
