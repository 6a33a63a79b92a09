"""The check of one key, whatever file it is in."""

from __future__ import annotations

import pytest

from mirrorstack.mm2.catalogue import Section
from mirrorstack.mm2.key_scopes import connector_scope
from mirrorstack.rules.keys.checks import closest_key, key_findings
from mirrorstack.rules.keys.rules import KeyRule

SCOPE = connector_scope(Section.SOURCE, {})


def test_the_value_of_a_password_is_not_shown() -> None:
    findings = key_findings(SCOPE, "tasks.max", "many", {})

    assert ["'many'" in finding.message for finding in findings] == [True]
    for finding in key_findings(SCOPE, "source.cluster.ssl.key.pasword", "hunter2", {}):
        assert "hunter2" not in str(finding)


@pytest.mark.parametrize(
    ("name", "closest"),
    [
        ("task.max", "tasks.max"),
        ("consumer.max.pol.records", "consumer.max.poll.records"),
        ("somewhere.else", None),
    ],
)
def test_the_closest_key_has_the_same_prefix(name: str, closest: str | None) -> None:
    assert closest_key(SCOPE, name) == closest


def test_a_pattern_is_checked_item_by_item() -> None:
    findings = list(key_findings(SCOPE, "topics", 'orders,*,"clicks"', {}))

    assert [finding.rule for finding in findings] == [KeyRule.INVALID_VALUE] * 2
