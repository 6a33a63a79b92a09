"""Rules about topics and ACLs that Strimzi's operators create: they apply as to others."""

from __future__ import annotations

from typing import Any

import pytest
from pulumi_policy import PolicyProviderResource, PolicyResource
from pulumi_policy.proxy import unknown_checking_proxy

from policies.strimzi import KAFKA_TOPICS, KAFKA_USERS
from tests.policies.harness import UNKNOWN, connector, flow, resource, stack, violations_of

STRIMZI = {"cluster": "my-cluster", "namespace": "kafka", "context": "west"}
KUBERNETES = "pulumi:providers:kubernetes"
PATCHES = [each for each in KAFKA_USERS if each.endswith("Patch")]
HERE = stack(flow("east", "west"), clusters={"west": {"brokers": 3, "strimzi": STRIMZI}})
READ_ONLY = stack(flow("east", "west"), clusters={"east": {"read-only": True, "strimzi": STRIMZI}})


def in_namespace(kind: str, props: dict[str, Any], **changes: str) -> PolicyResource:
    """Of the provider of the cluster's context."""
    made = resource(kind, props)
    provider = unknown_checking_proxy({"context": "west", "namespace": "kafka", **changes})
    made.provider = PolicyProviderResource(KUBERNETES, provider, "urn:k", "k")
    return made


def topic(kind: str = KAFKA_TOPICS[0], name: str = "east.orders", **spec: Any) -> PolicyResource:
    labels = {"strimzi.io/cluster": "my-cluster"}
    metadata = {"name": "resource", "namespace": "kafka", "labels": labels}
    spec = {"topicName": name, "partitions": 3, "replicas": 3, "config": {}, **spec}
    return in_namespace(kind, {"metadata": metadata, "spec": spec})


def user(
    *operations: str,
    kind: str = PATCHES[0],
    name: str = "orders",
    pattern: str = "literal",
    **changes: str,
) -> PolicyResource:
    pattern_of = {"type": "topic", "name": name, "patternType": pattern}
    acls = [{"resource": pattern_of, "operations": list(operations), "host": "*"}]
    spec = {"authorization": {"type": "simple", "acls": acls}}
    metadata = {"name": "mirror", "namespace": "kafka"}
    return in_namespace(kind, {"metadata": metadata, "spec": spec}, **changes)


@pytest.mark.parametrize("kind", KAFKA_TOPICS)
class TestTopics:
    def test_the_replication_factor_is_checked(self, kind: str) -> None:
        fine, alone = topic(kind), topic(kind, replicas=4)

        assert violations_of("topic-replication-factor", HERE, fine) == []
        (message,) = violations_of("topic-replication-factor", HERE, alone)
        assert "east.orders" in message

    def test_a_topic_that_nobody_can_write_is_refused(self, kind: str) -> None:
        (message,) = violations_of(
            "writable-topics", topic(kind, replicas=1, config={"min.insync.replicas": "2"})
        )

        assert "Topic east.orders: min.insync.replicas is 2" in message

    def test_an_unknown_value_is_not_guessed(self, kind: str) -> None:
        unknown = topic(kind, replicas=UNKNOWN, config={"min.insync.replicas": "2"})

        assert violations_of("writable-topics", unknown) == ["unknown"]

    def test_none_is_created_on_a_read_only_cluster(self, kind: str) -> None:
        (message,) = violations_of("no-topics-on-read-only-clusters", READ_ONLY, topic(kind))

        assert "would be created on east" in message

    def test_configs_have_one_owner(self, kind: str) -> None:
        owned = topic(kind, config={"retention.ms": "1"})
        syncing = connector(sync_topic_configs_enabled="true")

        (message,) = violations_of("one-owner-of-topic-configs", HERE, syncing, owned)

        assert "retention.ms of topic east.orders" in message


@pytest.mark.parametrize("kind", KAFKA_USERS)
class TestAcls:
    def test_no_acl_allows_writing_to_a_read_only_cluster(self, kind: str) -> None:
        rule = "no-write-acls-on-read-only-clusters"

        assert violations_of(rule, READ_ONLY, user("Read", kind=kind)) == []
        (message,) = violations_of(rule, READ_ONLY, user("Read", "Alter", kind=kind))
        assert "User:mirror is allowed Alter on Topic orders of east" in message

    def test_an_acl_that_mirrormaker_does_not_need_is_refused(self, kind: str) -> None:
        excess = user("Read", kind=kind, name="salaries")

        (message,) = violations_of("no-excess-acls", HERE, connector(), excess)
        assert "Read on Topic salaries" in message


def test_resources_of_another_cluster_are_not_judged() -> None:
    rule = "no-write-acls-on-read-only-clusters"

    assert violations_of(rule, READ_ONLY, user("Alter", context="elsewhere")) == []
    assert violations_of(rule, HERE, user("Alter")) == []
