"""Deleting topics."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Any

import pytest
from confluent_kafka import KafkaError

from mirrorstack.findings import UserError
from mirrorstack.kafka.topic_deletion import delete_topics
from tests.unit.kafka.fakes import FakeAdmin, cluster, done, failed


class Deleting(FakeAdmin):
    def delete_topics(self, names: list[str], **_options: Any) -> dict[str, Future[Any]]:
        self.requests += [("delete", name) for name in names]
        return {name: done(self.answers.get(name)) for name in names}


def test_topics_are_deleted_and_missing_ones_are_no_error() -> None:
    admin = Deleting({"gone": failed(KafkaError.UNKNOWN_TOPIC_OR_PART)})

    delete_topics(cluster(admin), ["orders", "gone"])

    assert admin.requests == [("delete", "orders"), ("delete", "gone")]


def test_without_topics_nothing_is_asked_of_the_cluster() -> None:
    admin = Deleting()

    delete_topics(cluster(admin), [])

    assert admin.requests == []


def test_a_topic_that_may_not_be_deleted_is_an_error() -> None:
    admin = Deleting({"orders": failed(KafkaError.TOPIC_AUTHORIZATION_FAILED)})

    with pytest.raises(UserError):
        delete_topics(cluster(admin), ["orders"])
