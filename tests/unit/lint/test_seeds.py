"""Configurations from published articles and from Kafka's documentation: valid ones have no
findings; invented and misspelled keys are reported."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.lint.files import PACKAGE, connector, findings

READ_ONLY_SOURCE = """
    clusters = remote, local
    remote.bootstrap.servers = remote.example:9093
    local.bootstrap.servers = localhost:9092
    remote.security.protocol=SSL
    remote.ssl.truststore.type=PEM
    remote.ssl.truststore.location=/secrets/ca.crt
    remote.ssl.keystore.location=/secrets/client.pfx
    remote.ssl.keystore.password=${file:/secrets/tls.properties:keystore}
    remote.ssl.key.password=${file:/secrets/tls.properties:key}
    remote.topic.creation.enable=false
    local.topic.creation.enable=true

    remote->local.enabled = true
    local->remote.enabled = false
    remote->local.topics = invoices, customers-v2
    remote->local.offset-syncs.topic.location = target
    remote->local.offset-syncs.topic.replication.factor = 1
    remote->local.config.properties.exclude = .*
    local->remote.emit.offset-syncs.enabled = false
    local->remote.emit.checkpoints.enabled = false
    local->remote.sync.group.offsets.enabled = false
    local->remote.emit.heartbeats.enabled = false
    local->remote.topics.exclude = .*
    local->remote.groups.exclude = .*
    local.offset.storage.replication.factor=1
    local.offset.storage.topic=mm2-offsets
    local.offset.storage.partitions=1
    local.config.storage.replication.factor=1
    local.status.storage.replication.factor=1
    key.converter=org.apache.kafka.connect.converters.ByteArrayConverter
    value.converter=org.apache.kafka.connect.converters.ByteArrayConverter
    replication.policy.class=org.apache.kafka.connect.mirror.IdentityReplicationPolicy
    sync.topic.acls.enabled = false
    local.exactly.once.source.support = enabled
    dedicated.mode.enable.internal.rest = true
    listeners = http://localhost:8080
    remote.consumer.isolation.level = read_committed
"""
MANAGED = """
    clusters = src, dest
    src.bootstrap.servers = src-1.example:9092,src-2.example:9092
    dest.bootstrap.servers = dest-1.example:9092
    src->dest.enabled = true
    src->dest.topics = vehicles-.*
    groups=.*
    replication.factor=3
    checkpoints.topic.replication.factor=1
    heartbeats.topic.replication.factor=1
    offset-syncs.topic.replication.factor=1
    offset.storage.replication.factor=1
    status.storage.replication.factor=1
    config.storage.replication.factor=1
    dest.security.protocol=SASL_SSL
    dest.ssl.truststore.password=${env:STORE}
    dest.ssl.truststore.location=/stores/trust.jks
    dest.ssl.keystore.location=/stores/key.jks
    dest.sasl.mechanism=GSSAPI
    refresh.topics.enabled=true
    refresh.topics.interval.seconds=5
    refresh.groups.enabled=true
    refresh.groups.interval.seconds=5
"""
ACTIVE_ACTIVE = """
    clusters = us-east, us-west
    us-east.bootstrap.servers = east-1:9092,east-2:9092
    us-west.bootstrap.servers = west-1:9092,west-2:9092
    us-east->us-west.enabled = true
    us-west->us-east.enabled = true
    us-east->us-west.topics = .*
    us-west->us-east.topics = .*
    us-east->us-west.sync.group.offsets.enabled = true
    us-east->us-west.sync.group.offsets.interval.seconds = 60
    us-east->us-west.sync.topic.configs.enabled = true
    us-east->us-west.sync.topic.acls.enabled = true
    us-east->us-west.emit.heartbeats.enabled = true
    us-east->us-west.emit.heartbeats.interval.seconds = 5
    us-east->us-west.emit.checkpoints.enabled = true
    us-east->us-west.emit.checkpoints.interval.seconds = 60
    replication.factor = 3
    replication.policy.class = org.apache.kafka.connect.mirror.DefaultReplicationPolicy
    replication.policy.separator = .
    offset.storage.replication.factor = 3
    us-east.security.protocol = SASL_SSL
    us-east.sasl.mechanism = PLAIN
    us-east.sasl.jaas.config = org.apache.kafka.common.security.plain.PlainLoginModule required \\
        username="mm2" password="${file:/secrets:east}";
    us-west.ssl.key.password = ${file:/secrets:west}
"""
WORKER = """
    bootstrap.servers=b.example:9092
    group.id=connect-mirrormaker-a-to-b
    plugin.discovery=service_load
    key.converter=org.apache.kafka.connect.converters.ByteArrayConverter
    value.converter=org.apache.kafka.connect.converters.ByteArrayConverter
    offset.storage.topic=__connect-a-to-b-offsets
    offset.storage.replication.factor=-1
    config.storage.topic=__connect-a-to-b-configs
    config.storage.replication.factor=-1
    status.storage.topic=__connect-a-to-b-status
    status.storage.replication.factor=-1
    exactly.once.source.support=enabled
    listeners=http://:8083
    security.protocol=SASL_SSL
    sasl.mechanism=SCRAM-SHA-512
"""
IDENTITY = {
    "replication.policy.class": f"{PACKAGE}.IdentityReplicationPolicy",
    "offset-syncs.topic.location": "target",
    "tasks.max": "30",
}
DISASTER_RECOVERY = [
    connector(
        "Source",
        **IDENTITY,
        **{
            "heartbeats.replication.enabled": "false",
            "replication.factor": "-1",
            "offset-syncs.topic.replication.factor": "-1",
            "sync.topic.acls.enabled": "false",
            "consumer.isolation.level": "read_committed",
            "producer.override.compression.type": "lz4",
            "transaction.boundary": "interval",
            "transaction.boundary.interval.ms": "10000",
            "offset.lag.max": "100",
            "topics": "orders,payments-.*",
        },
    ),
    connector(
        "Checkpoint",
        **IDENTITY,
        **{
            "checkpoints.topic.replication.factor": "-1",
            "sync.group.offsets.enabled": "true",
            "groups": "billing,fulfilment-.*",
        },
    ),
]


class TestValidConfigurations:
    @pytest.mark.parametrize(
        ("name", "content"),
        [
            ("mm2.conf", READ_ONLY_SOURCE),
            ("mirror-maker.properties", MANAGED),
            ("mm2.properties", ACTIVE_ACTIVE),
            ("connect-distributed.properties", WORKER),
        ],
    )
    def test_properties_have_no_findings(self, tmp_path: Path, name: str, content: str) -> None:
        assert findings(tmp_path, name, content) == {}

    def test_connectors_for_disaster_recovery_have_no_findings(self, tmp_path: Path) -> None:
        assert findings(tmp_path, "both.json", DISASTER_RECOVERY) == {}

    def test_connectors_on_a_distributed_cluster_have_no_findings(self, tmp_path: Path) -> None:
        policy = {"replication.policy.class": f"{PACKAGE}.DefaultReplicationPolicy"}
        three = [
            connector("Source", **policy, topics=".*", **{"sync.topic.configs.enabled": "true"}),
            connector("Checkpoint", **{"emit.checkpoints.interval.seconds": "60"}),
            connector("Heartbeat", **{"emit.heartbeats.interval.seconds": "5"}),
        ]
        assert findings(tmp_path, "three.json", three) == {}


class TestInvalidConfigurations:
    def test_a_broker_setting_and_an_extra_comma_are_reported(self, tmp_path: Path) -> None:
        wrong = (
            READ_ONLY_SOURCE.replace("remote.example:9093", "remote.example:9093,")
            + """
    remote.auto.create.topics.enable=false
    local.auto.create.topics.enable=true
"""
        )
        assert findings(tmp_path, "mm2.conf", wrong) == {
            "remote.bootstrap.servers": "invalid-value",
            "remote.auto.create.topics.enable": "unread-key",
            "local.auto.create.topics.enable": "unread-key",
        }

    def test_invented_keys_are_reported(self, tmp_path: Path) -> None:
        invented = """
            bootstrap.servers=a.example:9092
            target.cluster.bootstrap.servers=b.example:9092
            source.replication.topic.orders=orders
            source.replication.topic.*=all-in-one
            source.replication.group.id=mirrors
            replication.internal.topic.replication.factor=3
            emit.checkpoints.enabled=true
            emit.checkpoints.interval.seconds=60
        """
        assert findings(tmp_path, "mm2.properties", invented) == {
            "clusters": "missing-key",
            "SOURCE->TARGET.enabled": "missing-key",
            "bootstrap.servers": "dropped-key",
            "target.cluster.bootstrap.servers": "dropped-key",
            "source.replication.topic.orders": "unknown-key",
            "source.replication.topic.*": "unknown-key",
            "source.replication.group.id": "unknown-key",
            "replication.internal.topic.replication.factor": "removed-key",
        }

    def test_removed_exclude_keys_are_reported(self, tmp_path: Path) -> None:
        old = (
            MANAGED
            + """
    topics.blacklist="*.internal,__.*"
    groups.blacklist=test-.*
"""
        )
        assert findings(tmp_path, "mm2.properties", old) == {
            "topics.blacklist": "removed-key",
            "groups.blacklist": "removed-key",
        }
        both = (
            ACTIVE_ACTIVE
            + r"""
    us-east->us-west.topics.blacklist = .*\.internal, .*-changelog
    us-west->us-east.topics.blacklist = .*\.internal, .*-changelog
    us-east->us-west.sync.topic.configs.exclude = follower\.replication\.throttled\.replicas, \
        leader\.replication\.throttled\.replicas
"""
        )
        assert findings(tmp_path, "mm2.properties", both) == {
            "us-east->us-west.topics.blacklist": "removed-key",
            "us-west->us-east.topics.blacklist": "removed-key",
            "us-east->us-west.sync.topic.configs.exclude": "removed-key",
        }

    def test_keys_that_were_only_proposed_are_reported(self, tmp_path: Path) -> None:
        table = (
            MANAGED
            + """
    readahead.queue.capacity=500
    heartbeats.topic.retention.ms=86400000
    checkpoints.topic.retention.ms=86400000
    offset.syncs.topic.retention.ms=9223372036854775807
    emit.heartbeats.interval.seconds=true
    replication.policy.class=org.apache.kafka.connect.mirror.LegacyReplicationPolicy
"""
        )
        assert findings(tmp_path, "mm2.properties", table) == {
            "readahead.queue.capacity": "removed-key",
            "heartbeats.topic.retention.ms": "removed-key",
            "checkpoints.topic.retention.ms": "removed-key",
            "offset.syncs.topic.retention.ms": "removed-key",
            "emit.heartbeats.interval.seconds": "invalid-value",
            "replication.policy.class": "invalid-value",
        }

    def test_a_connector_class_that_does_not_exist_is_reported(self, tmp_path: Path) -> None:
        assert findings(tmp_path, "sink.json", connector("Sink")) == {
            "connector.class": "invalid-value"
        }

    def test_client_keys_without_a_prefix_are_reported(self, tmp_path: Path) -> None:
        tuned = connector("Source", **{"fetch.max.bytes": "1", "producer.batch.size": "1"})
        assert findings(tmp_path, "tuned.json", tuned) == {
            "fetch.max.bytes": "unread-key",
            "producer.batch.size": "unread-key",
        }

    def test_mistakes_in_kafka_s_documentation_are_reported(self, tmp_path: Path) -> None:
        printed = (
            ACTIVE_ACTIVE.replace(
                "us-west->us-east.topics = .*", "us-west->us.east.topics = .*  # all of them"
            )
            + """
    us-east->us-west.enable = true
    us-west->us-east.emit.heartbeats = false
"""
        )
        assert findings(tmp_path, "mm2.properties", printed) == {
            "us-west->us.east.topics": "undeclared-cluster",
            "us-east->us-west.enable": "unknown-key",
            "us-west->us-east.emit.heartbeats": "unknown-key",
        }
