"""Connector keys that no flow setting covers."""

from __future__ import annotations

import pytest

from mirrorstack.config.settings import parse
from mirrorstack.rules.keys.overrides import check_overrides
from tests.unit.importing.deployments import from_mm2, notes_text, only_flow


def test_keys_without_a_setting_become_overrides_of_the_connectors_that_read_them() -> None:
    stack = from_mm2(
        **{
            "east.consumer.max.poll.records": "77",
            "east->west.producer.override.batch.size": "1000",
            "sync.topic.acls.interval.seconds": "30",
            "emit.heartbeats.interval.seconds": "5",
        }
    )

    assert only_flow(stack)["override"] == {
        "source": {
            "sync.topic.acls.interval.seconds": "30",
            "source.consumer.max.poll.records": "77",
            "producer.override.batch.size": "1000",
        },
        "checkpoint": {
            "source.consumer.max.poll.records": "77",
            "producer.override.batch.size": "1000",
        },
        "heartbeat": {
            "emit.heartbeats.interval.seconds": "5",
            "producer.override.batch.size": "1000",
        },
    }


def test_settings_of_the_worker_s_producer_become_overrides_of_the_connector_s_producer() -> None:
    tuning = {"max.request.size": "10485760", "compression.type": "zstd"}

    stack = from_mm2(**{f"west.producer.{key}": value for key, value in tuning.items()})

    own = only_flow(stack)["override"]["source"]
    assert own == {f"producer.override.{key}": value for key, value in tuning.items()}
    assert check_overrides(parse(stack.values, "here")) == []


def test_producer_settings_of_a_flow_win_over_those_of_the_cluster() -> None:
    stack = from_mm2(
        **{"west.producer.linger.ms": "5", "east->west.producer.override.linger.ms": "9"}
    )

    assert only_flow(stack)["override"]["source"] == {"producer.override.linger.ms": "9"}


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ({"east->west.topic.filter.class": "org.example.Filter"}, "a preview cannot know"),
        ({"key.converter": "org.example.C", "east->west.key.converter": "org.example.C"},
         "replicates bytes unchanged"),
        ({"east->west.consumer.ssl.key.password": "x"}, "looks like a secret"),
        ({"east->west.consumer.client.id": "${env:ID}"}, "refers to a secret of the old worker"),
    ],
)  # fmt: skip
def test_keys_that_are_not_imported_are_noted(more: dict[str, str], reason: str) -> None:
    assert reason in notes_text(from_mm2(**more))
