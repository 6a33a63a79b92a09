"""Which keys are left to Strimzi's operator."""

from __future__ import annotations

import pytest

from mirrorstack.kubernetes.strimzi_keys import (
    connector_keys,
    declared_keys,
    patterns,
    worker_keys,
)


@pytest.mark.parametrize(
    "key",
    [
        "bootstrap.servers",
        "group.id",
        "config.storage.topic",
        "rest.advertised.port",
        "security.protocol",
        "producer.sasl.jaas.config",
        "admin.ssl.truststore.certificates",
    ],
)
def test_keys_of_workers_that_the_operator_sets_are_left_out(key: str) -> None:
    assert worker_keys({key: "1"}) == {}


@pytest.mark.parametrize(
    "key",
    [
        "config.storage.replication.factor",
        "connector.client.config.override.policy",
        "producer.linger.ms",
        "ssl.endpoint.identification.algorithm",
    ],
)
def test_other_keys_of_workers_are_kept(key: str) -> None:
    assert worker_keys({key: "1"}) == {key: "1"}


def test_a_connector_keeps_what_no_field_sets() -> None:
    config = {
        "name": "east-to-west-source",
        "connector.class": "MirrorSourceConnector",
        "tasks.max": "2",
        "topics": "orders",
        "source.cluster.alias": "east",
        "source.cluster.sasl.mechanism": "SCRAM-SHA-512",
        "target.cluster.bootstrap.servers": "west:9093",
        "source.cluster.receive.buffer.bytes": "-1",
        "producer.override.batch.size": "524288",
    }

    assert connector_keys(config) == {
        "source.cluster.receive.buffer.bytes": "-1",
        "producer.override.batch.size": "524288",
    }
    assert patterns(config) == {"topicsPattern": "orders"}
    assert declared_keys(config) == {
        "connector.class",
        "tasks.max",
        "topics",
        "source.cluster.receive.buffer.bytes",
        "producer.override.batch.size",
    }
