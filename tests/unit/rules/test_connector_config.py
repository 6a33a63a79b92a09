"""Rules about one connector, in a deployment and in a file that may leave keys out."""

from __future__ import annotations

import pytest

from mirrorstack.mm2.connector_configs import BYTE_ARRAY_CONVERTER, ConnectorKind
from mirrorstack.rules.connector_config import (
    CONVERTERS,
    byte_array_converters,
    no_acl_sync,
    no_excluded_groups,
    sync_group_offsets,
)
from mirrorstack.rules.rule import Rule
from mirrorstack.rules.subjects import NamedConnector

SOURCE, CHECKPOINT, _ = ConnectorKind


def found(
    rule: Rule[NamedConnector],
    kind: ConnectorKind,
    config: dict[str, str],
    *,
    is_partial: bool = False,
) -> list[str]:
    given = {"connector.class": kind.java_class, **config}
    return [one.key for one in rule.findings(NamedConnector("c", given, is_partial=is_partial))]


def test_every_converter_is_checked() -> None:
    good = dict.fromkeys(CONVERTERS, BYTE_ARRAY_CONVERTER)

    assert found(byte_array_converters, SOURCE, good) == []
    assert found(byte_array_converters, SOURCE, {**good, "key.converter": "x"}) == ["key.converter"]
    assert found(byte_array_converters, SOURCE, {}) == [*CONVERTERS]


def test_a_file_may_leave_converters_to_the_worker() -> None:
    given = {"key.converter": "x", "value.converter": "${file:/a:b}"}

    assert found(byte_array_converters, SOURCE, given, is_partial=True) == ["key.converter"]


def test_connectors_that_are_not_mirror_maker_s_are_ignored() -> None:
    assert list(byte_array_converters.findings(NamedConnector("c", {}))) == []


@pytest.mark.parametrize(
    ("kind", "config", "count"),
    [
        (SOURCE, {"sync.topic.acls.enabled": "false"}, 0),
        (SOURCE, {"sync.topic.acls.enabled": "true"}, 1),
        (SOURCE, {}, 1),
        (CHECKPOINT, {}, 0),
    ],
)
def test_only_source_connectors_sync_acls(
    kind: ConnectorKind, config: dict[str, str], count: int
) -> None:
    assert len(found(no_acl_sync, kind, config)) == count


@pytest.mark.parametrize(
    ("config", "count"),
    [
        ({"groups": "billing"}, 0),
        ({"groups": "connect-sink"}, 1),
        ({"groups": "connect-sink", "groups.exclude": ""}, 0),
        ({"groups": "billing,x", "groups.exclude": "b.*"}, 1),
        ({"groups": "connect-sink", "emit.checkpoints.enabled": "false"}, 0),
    ],
)
def test_a_declared_group_is_not_excluded(config: dict[str, str], count: int) -> None:
    assert len(found(no_excluded_groups, CHECKPOINT, config)) == count


@pytest.mark.parametrize(
    ("config", "is_partial", "count"),
    [
        ({"sync.group.offsets.enabled": "true"}, False, 0),
        ({}, False, 1),
        ({}, True, 0),
        ({"groups": ".*"}, True, 0),
        ({"groups": "billing"}, True, 1),
    ],
)
def test_a_file_that_names_groups_should_sync_their_offsets(
    config: dict[str, str], is_partial: bool, count: int
) -> None:
    assert len(found(sync_group_offsets, CHECKPOINT, config, is_partial=is_partial)) == count
