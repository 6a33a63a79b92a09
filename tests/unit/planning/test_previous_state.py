"""The previous deployment, from the resources of the stack's state."""

from __future__ import annotations

from mirrorstack.changes.diff import encode_topics
from mirrorstack.planning.previous_state import PreviousState
from mirrorstack.runtimes.base import DeployedWorkers

STATE = {
    "urn:workers": {
        "type": "mirrorstack:index:ConnectWorkers",
        "outputs": {"target": "west", "group": "mine", "rest_url": "http://127.0.0.1:1"},
    },
    "urn:connector": {
        "type": "pulumi-python:dynamic/kafkaconnect:Connector",
        "outputs": {"name": "east-to-west-source", "state": "running"},
    },
    "urn:topic": {"type": "kafka:index/topic:Topic", "outputs": {"name": "orders"}},
    # A component is in the state before its outputs are.
    "urn:half": {"type": "mirrorstack:index:ConnectWorkers", "outputs": {}},
}


def test_workers_and_connectors_are_found() -> None:
    previous = PreviousState.of(STATE)

    assert previous.workers_of("west", "mine") == DeployedWorkers(
        "west", ("mine",), "http://127.0.0.1:1"
    )
    assert previous.connectors == {"east-to-west-source"}


def test_workers_on_another_runtime_do_not_keep_their_place() -> None:
    outputs = STATE["urn:workers"]["outputs"] | {"runtime": "docker"}  # type: ignore[operator]
    previous = PreviousState.of({"urn:workers": {**STATE["urn:workers"], "outputs": outputs}})

    assert previous.workers_on("west", "docker") == previous.workers["west"]
    assert previous.workers_on("west", "local-process") is None
    assert PreviousState.of(STATE).workers_on("west", "local-process") is not None


def test_topics_that_pulumi_deletes_with_their_resources_are_found() -> None:
    topics = {
        "west/east.orders": {"delete_topics": True},
        "west/east.clicks": {"delete_topics": True, "discovered": True},
        "west/east.audit": {"delete_topics": False},
    }
    record = {
        "type": "pulumi-python:dynamic/mirrorstack:DeploymentRecord",
        "outputs": {"topics": encode_topics(topics)},
    }

    assert PreviousState.of({"urn:record": record}).deletable_topics == {"west/east.orders"}


def test_workers_of_another_group_or_target_are_not_those() -> None:
    previous = PreviousState.of(STATE)

    assert previous.workers_of("west", "other") is None
    assert previous.workers_of("east", "mine") is None


def test_acls_are_found() -> None:
    record = {
        "type": "pulumi-python:dynamic/mirrorstack:DeploymentRecord",
        "outputs": {"acls": {"west": {"mode": "shared", "principal": "mirror", "acls": []}}},
    }

    previous = PreviousState.of({**STATE, "urn:record": record})

    assert previous.acls.recorded["west"]["mode"] == "shared"


def test_a_stack_that_was_never_deployed_has_nothing() -> None:
    assert PreviousState.of({}) == PreviousState()


def test_clusters_whose_topics_are_kafka_topics_are_known() -> None:
    resource = {"type": "mirrorstack:index:StrimziCluster", "outputs": {"cluster": "west"}}

    assert PreviousState.of({"urn": resource}).strimzi == {"west"}
    assert PreviousState.of({"urn": resource}).kafka_users == frozenset()
    with_acls = {**resource, "outputs": {"cluster": "west", "acls": True}}
    assert PreviousState.of({"urn": with_acls}).kafka_users == {"west"}
    assert PreviousState.of({"urn": {**resource, "outputs": {}}}).strimzi == frozenset()
