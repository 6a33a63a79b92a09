"""Waiting for the brokers of a cluster."""

from __future__ import annotations

import time
from types import SimpleNamespace
from typing import Any

import pytest
from confluent_kafka import KafkaError, KafkaException
from confluent_kafka.admin import AclOperation

from mirrorstack.sandbox.readiness import app_acls, brokers_up, wait_for_brokers


class FakeAdmin:
    """Each call of list_topics returns the next number of brokers; None is an error."""

    def __init__(self, *answers: int | None) -> None:
        self._answers = list(answers)

    def list_topics(self, **_options: float) -> SimpleNamespace:
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        if answer is None:
            raise KafkaException(KafkaError(KafkaError._TRANSPORT))
        return SimpleNamespace(brokers=dict.fromkeys(range(1, answer + 1)))


def admin(*answers: int | None) -> Any:
    return FakeAdmin(*answers)


def test_a_cluster_that_does_not_answer_has_no_brokers() -> None:
    assert brokers_up(admin(None)) == frozenset()
    assert brokers_up(admin(2)) == {1, 2}


def test_waiting_ends_when_all_brokers_answer() -> None:
    answering: list[int] = []
    wait_for_brokers(admin(None, 1, 3), 3, time.monotonic() + 20, answering.append)
    assert answering == [0, 1]


def test_waiting_ends_with_the_error_of_a_broker_that_has_ended() -> None:
    def check(_answering: int) -> None:
        raise ChildProcessError("east-1 ended")

    with pytest.raises(ChildProcessError, match="east-1 ended"):
        wait_for_brokers(admin(None), 1, time.monotonic() + 20, check)


def test_waiting_ends_at_the_deadline() -> None:
    with pytest.raises(TimeoutError):
        wait_for_brokers(admin(1), 3, time.monotonic(), lambda _answering: None)


def test_applications_may_not_alter_or_delete() -> None:
    operations = {acl.operation for acl in app_acls()}
    assert operations >= {AclOperation.CREATE, AclOperation.READ, AclOperation.WRITE}
    assert operations.isdisjoint(
        {AclOperation.ALL, AclOperation.ALTER, AclOperation.DELETE, AclOperation.ALTER_CONFIGS}
    )
