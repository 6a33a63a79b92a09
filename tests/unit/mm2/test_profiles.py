"""Profiles: the sizes of a task's clients."""

from __future__ import annotations

from dataclasses import fields

import pytest

from mirrorstack.mm2.connector_configs import ConnectorKind
from mirrorstack.mm2.profiles import PROFILES, Profile, ProfileName
from mirrorstack.rules.keys.connector import CLASS, connector_key_findings

G1_REGION = 1024 * 1024
MAX_REQUEST_SIZE = 1024 * 1024
"""Kafka's default of the producer's `max.request.size`."""


@pytest.fixture(params=list(ProfileName))
def profile(request: pytest.FixtureRequest) -> Profile:
    return PROFILES[request.param]


def test_every_size_of_a_profile_is_a_key_of_the_source_connector() -> None:
    keys = PROFILES[ProfileName.FRUGAL].as_keys()

    assert keys["producer.override.batch.size"] == "65536"
    assert keys["consumer.fetch.max.bytes"] == "4194304"
    for field in fields(Profile):
        name = field.name.replace("_", ".")
        assert f"producer.override.{name}" in keys or f"consumer.{name}" in keys


def test_kafka_knows_the_keys_and_accepts_their_values(profile: Profile) -> None:
    config = {CLASS: ConnectorKind.SOURCE.java_class, **profile.as_keys()}

    assert connector_key_findings(config, complete=False) == []


def test_the_order_of_records_is_guaranteed_with_several_requests_in_flight(
    profile: Profile,
) -> None:
    keys = profile.as_keys()

    assert keys["producer.override.enable.idempotence"] == "true"
    assert keys["producer.override.max.in.flight.requests.per.connection"] == "5"


def test_the_operating_system_sizes_the_socket_buffers(profile: Profile) -> None:
    keys = profile.as_keys()

    assert keys["consumer.receive.buffer.bytes"] == "-1"
    assert keys["producer.override.send.buffer.bytes"] == "-1"


def test_the_sizes_fit_each_other(profile: Profile) -> None:
    assert profile.batch_size * 16 <= profile.buffer_memory
    assert profile.batch_size * 2 <= MAX_REQUEST_SIZE
    assert profile.fetch_min_bytes < profile.max_partition_fetch_bytes < profile.fetch_max_bytes


def test_a_batch_is_no_humongous_object_of_the_garbage_collector(profile: Profile) -> None:
    assert profile.batch_size < G1_REGION // 2 - 64
