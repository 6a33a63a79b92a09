"""Connect workers from a KafkaMirrorMaker2: stacks/Pulumi.strimzi.yaml on a real API server.

The CustomResourceDefinitions are Strimzi's own, in both versions. A stand-in of the operator does
what they ask for, because the operator itself is in no package registry.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from kubernetes.client.exceptions import ApiException

from mirrorstack.kubernetes.strimzi_heartbeats import heartbeat_resources
from mirrorstack.kubernetes.strimzi_resources import mirror_maker
from mirrorstack.local.kafka_installation import KafkaInstallation
from mirrorstack.sandbox.names import Cluster, Principal
from mirrorstack.sandbox.sandbox import Sandbox
from tests.integration.conftest import eventually
from tests.integration.replicated_stack import admin, equal_between, fill, read_to_the_end
from tests.integration.written_topic import written_to
from tests.platforms.kubernetes.api import ApiError, KubernetesApi
from tests.platforms.kubernetes.cluster_objects import ClusterObjects
from tests.platforms.kubernetes.node import KubernetesNode
from tests.platforms.kubernetes_stack import MISTAKES, NAMESPACE, KubernetesStack
from tests.platforms.strimzi.definitions import RELEASES, SCHEMAS, schemas, strimzi_definitions
from tests.platforms.strimzi.operator_stand_in import OperatorStandIn, operator_stand_in
from tests.unit.kubernetes.strimzi_examples import HEARTBEATS, strimzi_workers
from toolchain.cache import Cache

TOPICS = ("orders", "payments-eu")
EQUAL = {topic: topic for topic in TOPICS}
NAME = "mirrorstack-dev-standby"
VERSIONS = list(RELEASES)


@pytest.fixture(scope="module")
def topics(reachable: Sandbox) -> None:
    for topic in TOPICS:
        fill((reachable, Cluster.EAST), topic)
    read_to_the_end((reachable, Cluster.EAST), "billing", "orders")


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
) -> Iterator[KubernetesStack]:
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
    yield made
    made.destroy()
    _delete_topics(*made.places["standby"])


def _delete_topics(kafka: Sandbox, cluster: Cluster) -> None:
    """The next test may have connectors of other names, whose offsets are not those of the records
    that are there."""
    client = admin(kafka, cluster)
    names = [name for name in client.list_topics(timeout=15).topics if not name.startswith("__")]
    for deleted in client.delete_topics(names).values() if names else ():
        deleted.result()
    eventually(
        lambda: not {*names} & {*client.list_topics(timeout=15).topics}, "the topics are deleted"
    )


@pytest.fixture
def operator(
    tmp_path: Path, objects: ClusterObjects, version: str, runtime: KafkaInstallation
) -> OperatorStandIn:
    return OperatorStandIn(objects.api, NAMESPACE, version, runtime, tmp_path / "operator")


def test_the_schemas_of_the_unit_tests_are_strimzi_s() -> None:
    definitions = [
        each for version in VERSIONS for each in strimzi_definitions(version, Cache.of_user())
    ]

    assert schemas(definitions) == json.loads(SCHEMAS.read_text())


@pytest.mark.usefixtures("namespace")
def test_resources_are_accepted_and_mistakes_refused(objects: ClusterObjects, version: str) -> None:
    workers = strimzi_workers(
        namespace=NAMESPACE, api_version=version, heartbeats=HEARTBEATS if version == "v1" else None
    )
    manifests = [mirror_maker(workers), *heartbeat_resources(workers)]

    for manifest in manifests:
        objects.apply(manifest, dry_run=True)

    wrong = mirror_maker(workers)
    wrong["spec"]["mirrors"][0]["topicPattern"] = "orders"
    with pytest.raises(ApiError, match="topicPattern"):
        objects.apply(wrong, dry_run=True)
    wrong = mirror_maker(workers)
    wrong["spec"]["mirrors"][0]["sourceConnector"]["state"] = "halted"
    with pytest.raises(ApiError, match="halted"):
        objects.apply(wrong, dry_run=True)


def test_the_stack_file_is_deployed_changed_and_destroyed(
    stack: KubernetesStack, operator: OperatorStandIn, version: str
) -> None:
    stack.configure()
    with operator_stand_in(operator):
        printed = stack.project.up()  # ends with the smoke test

        assert ("KafkaConnectors beside it" in printed) == (version == "v1")
        equal(stack)
        stack.project.up("--expect-no-changes")
        stack.project.pulumi("refresh", "--yes", "--skip-preview", "--expect-no-changes")
        _has_no_secret(stack)
        names = {name for each in operator.workers.values() for name in each.connectors()}
        assert {"primary->standby.MirrorSourceConnector"} < names
        assert any("eartbeat" in name for name in names)

        stack.settings["flows"][0]["tasks"] = 1
        stack.configure()
        with written_to(stack.places["primary"], "orders"):
            stack.project.up()
        equal(stack)

        stack.destroy()
        eventually(lambda: not operator.workers, "the stand-in has stopped the workers")
    assert stack.core().list_namespaced_secret(NAMESPACE).items == []


def test_workers_move_from_processes_to_the_operator_and_back_under_load(
    stack: KubernetesStack, operator: OperatorStandIn
) -> None:
    """With exactly-once: no record is lost, and none is sent twice."""
    of_operator, processes = dict(stack.workers), {"count": 1}
    stack.settings["workers"]["standby"] = processes
    stack.configure()
    with operator_stand_in(operator):
        stack.project.up()
        with written_to(stack.places["primary"], "orders"):
            for workers in (of_operator, processes):
                stack.settings["workers"]["standby"] = workers
                stack.configure()
                stack.project.up()

        equal(stack)
        stack.project.up("--expect-no-changes")


def test_without_an_operator_the_error_says_so(stack: KubernetesStack) -> None:
    stack.configure(**{"wait-seconds": 5})

    printed = stack.project.up(fails=True)

    assert f"KafkaMirrorMaker2 {NAME} in namespace kafka of context test is not Ready" in printed
    assert "the operator has reported no status" in printed
    assert "watches the namespace kafka" in printed
    assert "Traceback" not in printed


def test_the_reason_of_the_operator_ends_the_deployment(
    stack: KubernetesStack, operator: OperatorStandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A Secret that is deleted after the preview."""
    secret: Any = {
        "metadata": {"name": "theirs"},
        "stringData": {
            alias: sandbox.connection(cluster, Principal.MIRROR).password
            for alias, (sandbox, cluster) in stack.places.items()
        },
    }
    stack.core().create_namespaced_secret(NAMESPACE, secret)
    stack.configure(secret="theirs")
    write_secrets = operator._write_secrets

    def after_it_was_deleted(resource: dict[str, Any]) -> None:
        with suppress(ApiException):
            stack.core().delete_namespaced_secret("theirs", NAMESPACE)
        write_secrets(resource)

    monkeypatch.setattr(operator, "_write_secrets", after_it_was_deleted)
    with operator_stand_in(operator):
        printed = stack.project.up(fails=True)

    assert "NotReady: InvalidConfigurationException: Secret theirs not found" in printed
    assert "Traceback" not in printed


@pytest.mark.parametrize(("changes", "said"), MISTAKES)
def test_a_preview_says_what_the_cluster_lacks(
    stack: KubernetesStack, changes: dict[str, Any], said: str
) -> None:
    assert f"workers.standby.strimzi{said}" in stack.refused_preview(**changes)


def test_a_preview_says_which_version_of_the_api_the_cluster_has(
    stack: KubernetesStack, version: str
) -> None:
    other = next(each for each in VERSIONS if each != version)

    printed = stack.refused_preview(**{"api-version": other})

    assert f"serves kafkamirrormaker2s.kafka.strimzi.io as {version}, and not as {other}" in printed


def equal(stack: KubernetesStack, seconds: float = 120.0) -> None:
    equal_between(stack.places["primary"], stack.places["standby"], EQUAL, seconds)


def _has_no_secret(stack: KubernetesStack) -> None:
    """Neither the state nor a resource."""
    api = KubernetesApi.of(stack.node.kubeconfig)
    version = stack.workers["strimzi"]["api-version"]
    shown = [stack.project.pulumi("stack", "export")]
    for plural in ("kafkamirrormaker2s", "kafkaconnects", "kafkaconnectors"):
        path = f"/apis/kafka.strimzi.io/{version}/namespaces/{NAMESPACE}/{plural}"
        shown.append(json.dumps(api.call("GET", path)))
    for kafka, cluster in stack.places.values():
        password = kafka.connection(cluster, Principal.MIRROR).password
        assert not any(password in text for text in shown)
