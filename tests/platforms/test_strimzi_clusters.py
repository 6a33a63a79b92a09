"""Topics as KafkaTopics and ACLs of a KafkaUser, on a real API server with Strimzi's own
CustomResourceDefinitions in both versions. Stand-ins of the operators create them in Kafka.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from confluent_kafka.admin import AclOperation

from mirrorstack.local.home import ROOT
from mirrorstack.local.kafka_installation import KafkaInstallation
from mirrorstack.sandbox.names import Cluster
from mirrorstack.sandbox.sandbox import Sandbox
from tests.integration.conftest import eventually
from tests.integration.replicated_stack import acls, admin, equal_between, fill, read_to_the_end
from tests.platforms.kubernetes.api import KubernetesApi
from tests.platforms.kubernetes.cluster_objects import ClusterObjects
from tests.platforms.kubernetes.node import KubernetesNode
from tests.platforms.kubernetes_stack import NAMESPACE, KubernetesStack
from tests.platforms.strimzi.entity_operators import EntityOperators, entity_operators
from tests.platforms.strimzi.operator_stand_in import OperatorStandIn, operator_stand_in

KAFKA = "kafka-standby"
PACK = ROOT / "policies"
TOPICS = ("orders", "payments-eu")
LATER = "Clicks_2"
"""Not a name that Kubernetes accepts."""
TOO_WIDE = """
import pulumi
import pulumi_kubernetes as kubernetes

west = kubernetes.Provider("west", context="test", namespace="{namespace}")
kubernetes.apiextensions.CustomResource(
    "wide",
    api_version="kafka.strimzi.io/{version}",
    kind="KafkaTopic",
    metadata={{
        "name": "wide",
        "namespace": "{namespace}",
        "labels": {{"strimzi.io/cluster": "{cluster}"}},
    }},
    spec={{"partitions": 1, "replicas": 3}},
    opts=pulumi.ResourceOptions(provider=west),
)
"""
"""Added to the program: a topic with more replicas than the cluster has brokers."""


@pytest.fixture(scope="module")
def topics(reachable: Sandbox) -> None:
    place = (reachable, Cluster.EAST)
    for topic in {*TOPICS, LATER} - admin(*place).list_topics(timeout=15).topics.keys():
        fill(place, topic)
    read_to_the_end(place, "billing", "orders")


@pytest.fixture
def stack(
    tmp_path: Path,
    home: Path,
    node: KubernetesNode,
    reachable: Sandbox,
    pulumi_home_with_kubernetes: Path,
    version: str,
    namespace: None,
    topics: None,
    objects: ClusterObjects,
) -> Iterator[KubernetesStack]:
    """The stack file `strimzi`, and the target is a cluster of Strimzi's as its header says."""
    made = KubernetesStack(
        tmp_path,
        home,
        pulumi_home_with_kubernetes,
        node,
        reachable,
        file="strimzi",
        runtime="strimzi",
    )
    made.workers["strimzi"]["api-version"] = version
    made.settings["clusters"]["standby"]["strimzi"] = {
        "cluster": KAFKA,
        "context": "test",
        "namespace": NAMESPACE,
        "api-version": version,
    }
    objects.apply(kafka_user(version))
    yield made
    made.destroy()
    objects.delete(kafka_user(version))
    for topic in resources(objects.api, version, "kafkatopics").values():
        path = f"{_path(version, 'kafkatopics')}/{topic['metadata']['name']}"
        change: dict[str, Any] = {"metadata": {"finalizers": []}}
        objects.api.call("PATCH", path, change, "application/merge-patch+json")
        objects.api.call("DELETE", path)
    _delete_target(*made.places["standby"])


def _delete_target(kafka: Sandbox, cluster: Cluster) -> None:
    client = admin(kafka, cluster)
    names = [name for name in client.list_topics(timeout=15).topics if not name.startswith("__")]
    for deleted in client.delete_topics(names).values() if names else ():
        deleted.result()
    eventually(
        lambda: not {*names} & {*client.list_topics(timeout=15).topics}, "the topics are deleted"
    )


@pytest.fixture
def operators(
    stack: KubernetesStack,
    tmp_path: Path,
    objects: ClusterObjects,
    version: str,
    runtime: KafkaInstallation,
) -> Iterator[EntityOperators]:
    """They and the Cluster Operator run."""
    workers = OperatorStandIn(objects.api, NAMESPACE, version, runtime, tmp_path / "operator")
    entities = EntityOperators(objects.api, NAMESPACE, version, KAFKA, stack.places["standby"])
    with ExitStack() as running:
        running.enter_context(operator_stand_in(workers))
        running.enter_context(entity_operators(entities))
        yield entities
        stack.destroy()


def kafka_user(version: str, cluster: str = KAFKA, **spec: Any) -> dict[str, Any]:
    """As the cluster's owner creates it: with credentials."""
    return {
        "apiVersion": f"kafka.strimzi.io/{version}",
        "kind": "KafkaUser",
        "metadata": {
            "name": "mirror",
            "namespace": NAMESPACE,
            "labels": {"strimzi.io/cluster": cluster},
        },
        "spec": {"authentication": {"type": "scram-sha-512"}, **spec},
    }


def resources(api: KubernetesApi, version: str, plural: str) -> dict[str, dict[str, Any]]:
    found = api.call("GET", _path(version, plural))["items"]
    return {each["metadata"]["name"]: each for each in found}


def _path(version: str, plural: str) -> str:
    return f"/apis/kafka.strimzi.io/{version}/namespaces/{NAMESPACE}/{plural}"


def test_the_stack_is_deployed_changed_and_destroyed(
    stack: KubernetesStack, operators: EntityOperators, version: str
) -> None:
    standby, api = stack.places["standby"], operators.api
    stack.configure()

    stack.project.up()  # ends with the smoke test

    equal(stack, *TOPICS)
    created = resources(api, version, "kafkatopics")
    # MirrorMaker creates payments-eu, which matches a live pattern.
    assert {"orders", "heartbeats", "mirrorstack-standby-offsets"} < created.keys()
    assert "payments-eu" not in created
    state = stack.project.pulumi("stack")
    assert state.count("KafkaTopic") == len(created)
    assert "KafkaUserPatch" in state
    assert "kafka:index:Topic" not in state
    assert {each.operation for each in acls(standby)} >= {AclOperation.WRITE, AclOperation.CREATE}
    stack.project.up("--expect-no-changes")
    stack.project.pulumi("refresh", "--yes", "--skip-preview", "--expect-no-changes")

    _policies_apply(stack, version)

    stack.settings["flows"][0]["topics"].append(LATER)
    stack.configure()
    stack.project.up()

    equal(stack, *TOPICS, LATER)
    (added,) = resources(api, version, "kafkatopics").keys() - created.keys()
    assert added.startswith("clicks-2-")

    stack.destroy()
    eventually(lambda: not acls(standby), "the ACLs are deleted")
    user = resources(api, version, "kafkausers")["mirror"]
    assert user["spec"] == kafka_user(version)["spec"]
    assert resources(api, version, "kafkatopics").keys() == {*created, added}
    assert {*TOPICS, LATER} < admin(*standby).list_topics(timeout=15).topics.keys()


def test_the_reason_of_an_operator_ends_the_deployment_before_the_workers_start(
    stack: KubernetesStack, operators: EntityOperators, version: str
) -> None:
    operators.refused = {"orders": "NotSupported: Replication factor change not supported"}
    stack.configure()

    printed = stack.project.up(fails=True)

    assert (
        "KafkaTopic orders in namespace kafka of context test is not Ready: NotReady: "
        "NotSupported: Replication factor change not supported" in printed
    )
    assert "describe kafkatopic orders" in printed
    assert "Traceback" not in printed
    assert resources(operators.api, version, "kafkamirrormaker2s") == {}

    operators.refused = {}
    stack.project.up()
    equal(stack, *TOPICS)


class OperatorsThatAreNew(EntityOperators):
    """They start when the KafkaUser has ACLs: before, they would delete those of the stack."""

    def reconcile(self) -> None:
        user = resources(self.api, self.version, "kafkausers")["mirror"]
        if "authorization" in user["spec"]:
            super().reconcile()


def test_a_deployed_stack_hands_its_topics_and_acls_over(
    stack: KubernetesStack, objects: ClusterObjects, version: str
) -> None:
    standby = stack.places["standby"]
    strimzi = stack.settings["clusters"]["standby"].pop("strimzi")
    stack.settings["workers"]["standby"] = {"count": 1}
    stack.configure()
    stack.project.up()
    existing, allowed = admin(*standby).list_topics(timeout=15).topics.keys(), acls(standby)

    stack.settings["clusters"]["standby"]["strimzi"] = strimzi
    stack.configure()
    with entity_operators(OperatorsThatAreNew(objects.api, NAMESPACE, version, KAFKA, standby)):
        printed = stack.project.up()
        assert "marks them as retained" in printed
        assert "kafka:index:Topic" not in stack.project.pulumi("stack")
        stack.project.up()  # removes the ACLs from the state
        assert "mirrorstack-standby-acls" not in stack.project.pulumi("stack")
        stack.project.up("--expect-no-changes")

        assert acls(standby) == allowed
        assert existing <= admin(*standby).list_topics(timeout=15).topics.keys()
        equal(stack, *TOPICS)
        stack.destroy()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({}, "principals.mirror: namespace kafka of context test has no KafkaUser mirror"),
        ({"cluster": "other"}, "the KafkaUser mirror in namespace kafka of context test has"),
        (
            {"authorization": {"type": "simple", "acls": []}},
            "`spec.authorization` of the KafkaUser mirror in namespace kafka of context test "
            "belongs to pulumi-kubernetes",
        ),
    ],
)
def test_a_preview_says_what_is_wrong_with_the_kafka_user(
    stack: KubernetesStack,
    objects: ClusterObjects,
    version: str,
    change: dict[str, Any],
    said: str,
) -> None:
    objects.delete(kafka_user(version))
    if change:
        objects.apply(kafka_user(version, **change))

    assert said in stack.refused_preview()


def _policies_apply(stack: KubernetesStack, version: str) -> None:
    """The engine passes the resources to the pack as its tests do."""
    preview = ("preview", "--policy-pack", str(PACK))
    assert "topic-replication-factor" not in stack.project.pulumi(*preview)
    program = stack.project.directory / "__main__.py"
    before = program.read_text()
    added = TOO_WIDE.format(namespace=NAMESPACE, version=version, cluster=KAFKA)
    program.write_text(before + added)

    printed = stack.project.pulumi(*preview, fails=True)

    assert "Topic wide: the replication factor is 3" in printed
    program.write_text(before)


def equal(stack: KubernetesStack, *topics: str) -> None:
    same = {topic: topic for topic in topics}
    equal_between(stack.places["primary"], stack.places["standby"], same, 120.0)
