"""The keys and values of a connector's config."""

from __future__ import annotations

import pytest

from mirrorstack.findings import Finding, Severity
from mirrorstack.mm2.catalogue import CONNECTORS
from mirrorstack.rules.keys.connector import connector_key_findings
from mirrorstack.rules.keys.rules import KeyRule

SOURCE, CHECKPOINT, HEARTBEAT = CONNECTORS
COMPLETE = {
    "source.cluster.alias": "east",
    "source.cluster.bootstrap.servers": "east:9092",
    "target.cluster.bootstrap.servers": "west:9092",
}


def found(java_class: str = SOURCE, **config: str) -> list[Finding]:
    return connector_key_findings({"connector.class": java_class, **COMPLETE, **config})


def one(key: str, value: str = "1", java_class: str = SOURCE) -> Finding:
    (finding,) = found(java_class, **{key: value})
    assert finding.key == key
    assert key in finding.message, "a message stands alone"
    return finding


class TestAcceptedKeys:
    @pytest.mark.parametrize(
        ("key", "value"),
        [
            ("tasks.max", "4"),
            ("tasks.max", "${file:/etc/tuning.properties:tasks}"),
            ("consumer.poll.timeout.ms", "500"),  # MirrorMaker's, though it looks like a client's
            ("admin.timeout.ms", "500"),
            ("use.defaults.from", "source"),  # declared by a filter, not by the connector
            ("source.consumer.max.poll.records", "100"),
            ("target.admin.request.timeout.ms", "100"),
            ("producer.override.linger.ms", "5"),
            ("target.cluster.sasl.jaas.config", "anything"),
            ("topic.creation.default.retention.ms", "-1"),
            ("key.converter.schemas.enable", "false"),
            ("metrics.jmx.exclude", ".*"),
            ("topics", r"orders,clicks-\d+,app\.(a|b)"),
            ("security.protocol", "sasl_ssl"),
        ],
    )
    def test_nothing_is_reported(self, key: str, value: str) -> None:
        assert found(**{key: value}) == []

    def test_the_checkpoint_connector_s_filters_read_topics(self) -> None:
        assert found(CHECKPOINT, topics="orders", groups="billing") == []

    def test_keys_of_listed_transformations_and_topic_groups_are_accepted(self) -> None:
        assert (
            found(
                **{
                    "transforms": "route",
                    "transforms.route.type": "org.example.Route",
                    "transforms.route.anything": "x",
                    "topic.creation.groups": "big",
                    "topic.creation.big.partitions": "9",
                }
            )
            == []
        )

    def test_other_connectors_are_not_checked(self) -> None:
        assert (
            connector_key_findings({"connector.class": "org.example.Sink", "task.max": "x"}) == []
        )

    def test_an_override_alone_needs_no_required_keys(self) -> None:
        assert (
            connector_key_findings({"connector.class": SOURCE, "tasks.max": "1"}, complete=False)
            == []
        )


class TestUnreadKeys:
    @pytest.mark.parametrize(
        ("key", "meant"),
        [
            ("task.max", "tasks.max"),
            ("topics.exlude", "topics.exclude"),
            ("consumer.max.pol.records", "consumer.max.poll.records"),
            ("souce.cluster.bootstrap.servers", "source.cluster.bootstrap.servers"),
            ("target.cluster.securty.protocol", "target.cluster.security.protocol"),
            ("producer.overide.batch.size", "producer.override.batch.size"),
            ("emit.heartbeats", "emit.heartbeats.enabled"),
        ],
    )
    def test_a_mistyped_key_is_reported_with_the_closest_one(self, key: str, meant: str) -> None:
        finding = one(key)
        assert finding.rule == KeyRule.UNKNOWN_KEY
        assert finding.fix == f"did you mean `{meant}`?"

    @pytest.mark.parametrize(
        ("key", "effect", "instead"),
        [
            ("topics.blacklist", "was removed in Kafka 4.0; .* are replicated", "topics.exclude"),
            ("groups.blacklist", "was removed in Kafka 4.0", "groups.exclude"),
            (
                "config.properties.blacklist",
                "was removed in Kafka 4.0",
                "config.properties.exclude",
            ),
            ("sync.topic.configs.exclude", "never was a key", "config.properties.exclude"),
            ("readahead.queue.capacity", "never was a key", "consumer.max.poll.records"),
            ("consumer.auto.include.jmx.reporter", "was removed in Kafka 4.0", "metric.reporters"),
        ],
    )
    def test_a_removed_key_is_reported_with_its_effect(
        self, key: str, effect: str, instead: str
    ) -> None:
        finding = one(key)
        assert finding.rule == KeyRule.REMOVED_KEY
        with pytest.raises(AssertionError, match=effect):
            raise AssertionError(finding.message)
        assert instead in finding.fix

    @pytest.mark.parametrize(
        ("key", "fix"),
        [
            ("source.cluster.max.poll.records", "write `source.consumer.max.poll.records`"),
            ("max.poll.records", "write `consumer.max.poll.records`"),
            ("batch.size", "write `producer.override.batch.size`"),
            ("bootstrap.servers", "write `source.cluster.bootstrap.servers` or"),
            ("exactly.once.source.support", "move it to the worker's properties"),
            ("retention.ms", "set it on the topic"),
            ("producer.max.poll.records", "a consumer reads it"),
            ("transforms.route.type", "name it there"),
            ("topic.creation.big.partitions", "name it there"),
            ("internal.topics.automatic.creation.enable", "until then"),
        ],
    )
    def test_a_key_in_the_wrong_place_is_reported_with_the_right_one(
        self, key: str, fix: str
    ) -> None:
        finding = one(key)
        assert (finding.rule, finding.severity) == (KeyRule.UNREAD_KEY, Severity.ERROR)
        assert fix in finding.fix

    def test_a_key_of_another_mirror_connector_is_a_warning(self) -> None:
        finding = one("sync.group.offsets.enabled", "true")
        assert finding.severity is Severity.WARNING
        assert "MirrorCheckpointConnector does" in finding.fix

    @pytest.mark.parametrize(
        ("key", "instead"),
        [
            ("consumer.override.fetch.min.bytes", "consumer.fetch.min.bytes"),
            ("producer.batch.size", "producer.override.batch.size"),
            ("target.producer.linger.ms", "producer.override.linger.ms"),
        ],
    )
    def test_a_client_config_that_does_not_reach_the_replicating_client_is_a_warning(
        self, key: str, instead: str
    ) -> None:
        finding = one(key)
        assert finding.severity is Severity.WARNING
        assert finding.fix == f"write `{instead}`"
        assert found(**{key: "1", instead: "1"}) == [] or key.startswith("consumer")

    def test_a_custom_class_may_read_unknown_keys(self) -> None:
        own = {"topic.filter.class": "org.example.Filter"}
        (finding,) = found(**own, **{"tenant": "a"})
        assert finding.severity is Severity.WARNING
        assert "org.example.Filter" in finding.message
        (finding,) = found(**own, **{"task.max": "1"})
        assert finding.severity is Severity.ERROR, (
            "a key that is nearly one of Kafka's is a mistake"
        )


class TestValues:
    @pytest.mark.parametrize(
        ("key", "value", "rule"),
        [
            ("tasks.max", "many", "it must be a whole number"),
            ("tasks.max", "0", "it must be at least 1"),
            ("replication.factor", "99999999999", "it must be between"),
            ("sync.topic.acls.enabled", "no", "it must be true or false"),
            ("offset-syncs.topic.location", "traget", "it must be one of source, target"),
            ("consumer.isolation.level", "committed", "it must be one of"),
            ("producer.override.compression.type", "zst", "it must be one of"),
            ("producer.override.compression.gzip.level", "0", "between 1 and 9, or -1"),
            ("consumer.auto.offset.reset", "smallest", "it must be one of"),
            ("metric.names.formats", "legacy,old", "'old' is none of"),
            ("topics", "orders,,clicks", "a comma too many"),
            ("replication.policy.class", "my class", "the name of a Java class"),
            ("topics", "*.internal", "no valid Java pattern"),
            ("topics.exclude", '"orders"', "quotes are part of the pattern"),
        ],
    )
    def test_a_value_that_kafka_rejects_is_reported_with_the_reason(
        self, key: str, value: str, rule: str
    ) -> None:
        finding = one(key, value)
        assert rule in finding.message
        assert repr(value.split(",")[-1])[1:-1] in finding.message

    def test_an_unknown_class_of_kafka_is_reported(self) -> None:
        legacy = "org.apache.kafka.connect.mirror.LegacyReplicationPolicy"
        assert "ReplicationPolicy`?" in one("replication.policy.class", legacy).fix

    def test_an_unknown_mirror_connector_is_reported(self) -> None:
        for name in ("org.apache.kafka.connect.mirror.MirrorSinkConnector", "MirrorSink"):
            (finding,) = connector_key_findings({"connector.class": name})
            assert name in finding.message
            assert SOURCE in finding.fix


class TestRequiredAndConflictingKeys:
    def test_missing_required_keys_are_reported(self) -> None:
        absent = {finding.key for finding in connector_key_findings({"connector.class": HEARTBEAT})}
        assert absent == {"source.cluster.alias", "target.cluster.bootstrap.servers"}

    @pytest.mark.parametrize(
        ("java_class", "config", "key"),
        [
            (SOURCE, {"exactly.once.support": "required"}, "exactly.once.support"),
            (
                SOURCE,
                {"emit.offset-syncs.enabled": "false", "offset-syncs.topic.location": "target"},
                "emit.offset-syncs.enabled",
            ),
            (CHECKPOINT, {"emit.checkpoints.enabled": "false"}, "emit.checkpoints.enabled"),
            (CHECKPOINT, {"emit.offset-syncs.enabled": "false"}, "emit.offset-syncs.enabled"),
        ],
    )
    def test_conflicting_keys_are_reported(
        self, java_class: str, config: dict[str, str], key: str
    ) -> None:
        (finding,) = found(java_class, **config)
        assert (finding.key, finding.rule) == (key, KeyRule.CONFLICT)

    def test_exactly_once_with_read_committed_is_no_conflict(self) -> None:
        once = {"exactly.once.support": "required"}
        assert found(**once, **{"consumer.isolation.level": "read_committed"}) == []
        assert found(**once, **{"source.consumer.isolation.level": "read_committed"}) == []
