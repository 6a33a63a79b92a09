"""Effective permissions, with a fake client."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from confluent_kafka import KafkaError
from confluent_kafka.admin import AclOperation

from mirrorstack.findings import UserError
from mirrorstack.kafka.acls import Operation, ResourceType
from mirrorstack.kafka.permissions import (
    EffectivePermission,
    missing_permissions,
    wait_for_permissions,
)
from tests.unit.kafka.fakes import FakeAdmin, cluster, failed

READ = EffectivePermission(ResourceType.TOPIC, "orders", Operation.READ, "to replicate it")
GROUP = EffectivePermission(ResourceType.GROUP, "billing", Operation.DESCRIBE, "to translate it")


def may(*operations: AclOperation) -> Any:
    return SimpleNamespace(authorized_operations=list(operations))


def admin(topic: Any = None, group: Any = None) -> FakeAdmin:
    return FakeAdmin({"describe_topics": {"orders": topic}, "describe_groups": {"billing": group}})


def test_an_authorized_operation_is_not_missing() -> None:
    east = cluster(admin(may(AclOperation.READ, AclOperation.DESCRIBE)))

    assert missing_permissions(east, [READ]) == []


@pytest.mark.parametrize(
    "topic",
    [
        may(AclOperation.DESCRIBE),
        may(),
        failed(KafkaError.TOPIC_AUTHORIZATION_FAILED),
        failed(KafkaError.UNKNOWN_TOPIC_OR_PART),
    ],
)
def test_an_operation_that_is_not_reported_is_missing(topic: Any) -> None:
    assert missing_permissions(cluster(admin(topic)), [READ]) == [READ]


def test_a_topic_that_need_not_exist_yet_must_be_allowed_to_be_described() -> None:
    later = replace(READ, may_be_absent=True)
    absent = cluster(admin(failed(KafkaError.UNKNOWN_TOPIC_OR_PART)))
    denied = cluster(admin(failed(KafkaError.TOPIC_AUTHORIZATION_FAILED)))

    assert missing_permissions(absent, [later]) == []
    assert missing_permissions(denied, [later]) == [later]


@pytest.mark.parametrize(
    ("group", "missing"),
    [
        (may(AclOperation.DESCRIBE), []),
        (may(), [GROUP]),
        (failed(KafkaError.GROUP_AUTHORIZATION_FAILED), [GROUP]),
        (failed(KafkaError.GROUP_ID_NOT_FOUND), []),
        (failed(KafkaError._INVALID_ARG), []),
        (failed(KafkaError.COORDINATOR_NOT_AVAILABLE), []),
    ],
)
def test_a_group_whose_permissions_are_not_reported_is_not_missing(
    group: Any, missing: list[EffectivePermission]
) -> None:
    assert missing_permissions(cluster(admin(group=group)), [GROUP]) == missing


def test_a_broker_error_is_a_user_error() -> None:
    east = cluster(admin(failed(KafkaError.REQUEST_TIMED_OUT, "request timed out")))

    with pytest.raises(UserError, match="request timed out"):
        missing_permissions(east, [READ])


def test_after_the_deadline_the_missing_permissions_are_reported_with_commands() -> None:
    with pytest.raises(UserError) as raised:
        wait_for_permissions(cluster(admin(may())), [READ], seconds=0)

    assert raised.value.message == (
        "Cluster east: User:mirror is not authorized for what MirrorMaker needs:"
        "\n    Read on Topic orders: to replicate it"
    )
    assert "--operation Read --topic 'orders'" in raised.value.fix
    assert raised.value.findings[0].cluster == "east"


def test_waiting_ends_with_the_last_missing_permission(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = admin(may())
    naps: list[float] = []

    def sleep(seconds: float) -> None:
        naps.append(seconds)
        fake.answers["describe_topics"]["orders"] = may(AclOperation.READ)

    monkeypatch.setattr("mirrorstack.local.polling.time.sleep", sleep)

    wait_for_permissions(cluster(fake), [READ], seconds=60)

    assert len(naps) == 1


def test_a_topic_that_was_deleted_is_named_instead_of_permissions() -> None:
    unknown = failed(KafkaError.UNKNOWN_TOPIC_OR_PART)

    with pytest.raises(UserError, match=r"Cluster .*: orders does not exist") as raised:
        wait_for_permissions(cluster(admin(unknown)), [READ], seconds=0)

    assert "pulumi up --refresh --run-program" in raised.value.fix
