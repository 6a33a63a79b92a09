"""What is said about mm2.properties; whether a key is read at all is compared in `integration`."""

from __future__ import annotations

import pytest

from mirrorstack.findings import Finding, Severity
from mirrorstack.rules.keys.dedicated import dedicated_findings
from mirrorstack.rules.keys.rules import KeyRule

COMPLETE = {
    "clusters": "east, west",
    "east.bootstrap.servers": "east:9092",
    "west.bootstrap.servers": "west:9092",
    "east->west.enabled": "true",
}


def one(key: str, value: str = "1") -> Finding:
    (finding,) = dedicated_findings({**COMPLETE, key: value})
    assert finding.key == key
    return finding


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("tasks.max", "4"),
        ("east->west.topics", "orders, clicks"),
        ("east->west.consumer.max.poll.records", "100"),
        ("east->west.producer.override.batch.size", "100"),
        ("east->west.use.defaults.from", "source"),
        ("east.security.protocol", "SSL"),
        ("security.protocol", "SSL"),
        ("east.consumer.isolation.level", "read_committed"),
        ("west.exactly.once.source.support", "enabled"),
        ("west.offset.storage.min.insync.replicas", "2"),
        ("offset.storage.replication.factor", "3"),
        ("key.converter", "org.apache.kafka.connect.converters.ByteArrayConverter"),
        ("dedicated.mode.enable.internal.rest", "true"),
        ("listeners", "http://localhost:8080"),
        ("config.providers.file.class", "org.example.Provider"),
        ("east.sasl.jaas.config", "${file:/secrets:east}"),
    ],
)
def test_valid_keys_pass(key: str, value: str) -> None:
    assert dedicated_findings({**COMPLETE, key: value}) == []


@pytest.mark.parametrize(
    ("key", "instead"),
    [
        ("use.defaults.from", "east->west.use.defaults.from"),
        ("transaction.boundary", "east->west.transaction.boundary"),
        ("consumer.isolation.level", "east.consumer.isolation.level"),
        ("producer.override.batch.size", "east->west.producer.override.batch.size"),
        ("exactly.once.source.support", "west.exactly.once.source.support"),
        ("offset.flush.interval.ms", "west.offset.flush.interval.ms"),
        ("max.poll.records", "east.consumer.max.poll.records"),
        ("source.cluster.security.protocol", "east.security.protocol"),
        ("topic.creation.default.partitions", "east->west.topic.creation.default.partitions"),
    ],
)
def test_a_key_that_dedicated_mode_drops_is_reported_with_the_prefix_that_works(
    key: str, instead: str
) -> None:
    finding = one(key)
    assert finding.rule == KeyRule.DROPPED_KEY
    assert f"`{instead}`" in finding.fix
    assert not any(
        found.rule is KeyRule.DROPPED_KEY
        for found in dedicated_findings({**COMPLETE, instead: "1"})
    ), "the key of the fix is read"


@pytest.mark.parametrize(
    ("key", "rule", "fix"),
    [
        ("east.topics", KeyRule.UNREAD_KEY, "`east->west.topics`"),
        ("east.max.poll.records", KeyRule.UNREAD_KEY, "`east.consumer.max.poll.records`"),
        ("west.auto.create.topics.enable", KeyRule.UNREAD_KEY, "a broker config"),
        ("east->west.group.id", KeyRule.UNREAD_KEY, "`west.group.id`"),
        ("east->west.bootstrap.servers", KeyRule.UNREAD_KEY, "`east.bootstrap.servers`"),
        ("east->west.enable", KeyRule.UNKNOWN_KEY, "`east->west.enabled`"),
        ("east->west.emit.heartbeats", KeyRule.UNKNOWN_KEY, "`east->west.emit.heartbeats.enabled`"),
        ("east->west.topics.blacklist", KeyRule.REMOVED_KEY, "`topics.exclude`"),
        ("topics.blacklist", KeyRule.REMOVED_KEY, "`topics.exclude`"),
        ("task.max", KeyRule.UNKNOWN_KEY, "`tasks.max`"),
        ("replication.factr", KeyRule.UNKNOWN_KEY, "`replication.factor`"),
        ("east->wst.topics", KeyRule.UNDECLARED_CLUSTER, "`east->west.topics`"),
        ("eest->west.topics", KeyRule.UNDECLARED_CLUSTER, "`east->west.topics`"),
        ("east->north.topics", KeyRule.UNDECLARED_CLUSTER, "add it to `clusters`"),
        ("wset.bootstrap.servers", KeyRule.UNDECLARED_CLUSTER, "`west.bootstrap.servers`"),
        ("source.replication.topic.orders", KeyRule.UNKNOWN_KEY, "remove it"),
        ("north.group.id", KeyRule.UNDECLARED_CLUSTER, "add it to `clusters`"),
        ("west.config.storage.partitions", KeyRule.REMOVED_KEY, "remove it"),
        ("west.producer.override.acks", KeyRule.UNREAD_KEY, "`producer.acks`"),
    ],
)
def test_an_unread_key_is_reported_with_a_fix(key: str, rule: KeyRule, fix: str) -> None:
    finding = one(key)
    assert finding.rule == rule
    assert fix in finding.fix


@pytest.mark.parametrize("key", ["source.producer.acks", "target.bootstrap.servers"])
def test_clusters_may_have_the_aliases_source_and_target(key: str) -> None:
    config = {
        name.replace("east", "source").replace("west", "target"): value.replace(
            "east", "source"
        ).replace("west", "target")
        for name, value in COMPLETE.items()
    }
    assert dedicated_findings({**config, key: "all"}) == []


def test_a_mistyped_alias_with_a_dot_is_recognised() -> None:
    config = {key.replace("west", "us-east"): value for key, value in COMPLETE.items()}
    config["clusters"] = "east, us-east"

    (finding,) = dedicated_findings({**config, "east->us.east.topics": "x"})

    assert finding.fix == "did you mean `east->us-east.topics`?"


def test_blanks_around_the_arrow_end_the_key() -> None:
    finding = one("east", "-> west.topics = orders")
    assert finding.rule == KeyRule.UNDECLARED_CLUSTER
    assert "`east->west.topics = orders`" in finding.fix


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("east->west.topics", "*.internal"),
        ("east->west.replication.factor", "two"),
        ("west.offset.storage.replication.factor", "0"),
        ("east.security.protocol", "TLS"),
        ("east.consumer.isolation.level", "committed"),
        ("dedicated.mode.enable.internal.rest", "yes"),
    ],
)
def test_a_value_that_kafka_refuses_is_reported(key: str, value: str) -> None:
    assert one(key, value).rule is KeyRule.INVALID_VALUE


def test_a_blank_after_true_is_reported_where_it_matters() -> None:
    finding = one("east->west.enabled", "true ")
    assert (finding.rule, finding.severity) == (KeyRule.TRAILING_WHITESPACE, Severity.WARNING)
    assert dedicated_findings({**COMPLETE, "sync.topic.acls.enabled": "true "}) == []


def test_exactly_once_cannot_be_required_for_all_three_connectors() -> None:
    assert one("east->west.exactly.once.support", "required").rule is KeyRule.CONFLICT


@pytest.mark.parametrize(
    ("without", "said"),
    [
        ("clusters", "add `clusters = east, west`"),
        ("west.bootstrap.servers", "west.bootstrap.servers is absent"),
        ("east->west.enabled", "no flow is enabled"),
    ],
)
def test_a_missing_required_key_is_reported(without: str, said: str) -> None:
    config = {key: value for key, value in COMPLETE.items() if key != without}

    (finding,) = dedicated_findings(config)

    assert finding.rule == KeyRule.MISSING_KEY
    assert said in str(finding)


def test_one_address_for_all_clusters_is_one_cluster() -> None:
    assert one("bootstrap.servers", "east:9092").rule is KeyRule.DROPPED_KEY
    shared = {"clusters": "east, west", "bootstrap.servers": "a:1", "east->west.enabled": "true"}
    (finding,) = dedicated_findings(shared)
    assert finding.rule == KeyRule.CONFLICT
