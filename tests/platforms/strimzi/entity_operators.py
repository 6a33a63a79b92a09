"""A stand-in of Strimzi's Topic Operator and User Operator, which are in no package registry.

They watch the resources of one Kafka cluster, by its label, and create topics and ACLs in a real
one. As the operators do, they refuse fewer partitions and another replication factor, adopt a topic
that exists, and delete ACLs that no KafkaUser has. Credentials are not here: the sandbox has them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from threading import Event, Thread
from typing import Any

from confluent_kafka import KafkaException
from confluent_kafka.admin import (
    AclBinding,
    AclBindingFilter,
    AclOperation,
    AclPermissionType,
    AlterConfigOpType,
    ConfigEntry,
    ConfigResource,
    ConfigSource,
    NewPartitions,
    NewTopic,
    ResourcePatternType,
    ResourceType,
)

from tests.integration.replicated_stack import Place, admin
from tests.platforms.kubernetes.api import ApiError, KubernetesApi

POLL_SECONDS = 0.5
CALL_SECONDS = 20
LABEL = "strimzi.io/cluster"
FINALIZER = "strimzi.io/topic-operator"
TYPES = {
    "topic": ResourceType.TOPIC,
    "group": ResourceType.GROUP,
    "transactionalId": ResourceType.TRANSACTIONAL_ID,
}
PATTERNS = {"literal": ResourcePatternType.LITERAL, "prefix": ResourcePatternType.PREFIXED}
OPERATIONS = {
    each.name.replace("_", "").lower(): each
    for each in AclOperation
    if each not in (AclOperation.UNKNOWN, AclOperation.ANY)
}

Resource = dict[str, Any]


class RefusedError(Exception):
    """What an operator reports as NotReady: `reason: message`."""


@dataclass
class EntityOperators:
    api: KubernetesApi
    namespace: str
    version: str
    cluster: str
    """The name of the Kafka resource."""
    place: Place
    refused: dict[str, str] = field(default_factory=dict)
    """By name of a resource: what an operator reports about it."""

    def reconcile(self) -> None:
        for topic in self._list("kafkatopics"):
            if topic["metadata"].get("deletionTimestamp"):
                self._delete_topic(topic)
            else:
                self._report("kafkatopics", topic, self._create_topic)
        for user in self._list("kafkausers"):
            self._report("kafkausers", user, self._set_acls)

    def _create_topic(self, topic: Resource) -> Resource:
        self._set_finalizers(topic, [FINALIZER])
        spec, name = topic["spec"], topic_name(topic)
        client = admin(*self.place)
        config = {key: str(value) for key, value in (spec.get("config") or {}).items()}
        held = client.list_topics(timeout=CALL_SECONDS).topics
        if name not in held:
            new = NewTopic(name, spec["partitions"], spec["replicas"], config=config)
            self._result(client.create_topics([new])[name])
            return {"topicName": name}
        partitions = held[name].partitions
        if spec["partitions"] < len(partitions):
            raise RefusedError("NotSupported: Decreasing partitions not supported")
        if spec["replicas"] != len(partitions[0].replicas):
            raise RefusedError(
                "NotSupported: Replication factor change not supported, but required for "
                f"partitions {sorted(partitions)}"
            )
        if spec["partitions"] > len(partitions):
            added = client.create_partitions([NewPartitions(name, spec["partitions"])])
            self._result(added[name])
        self._set_config(name, config)
        return {"topicName": name}

    def _set_config(self, name: str, config: dict[str, str]) -> None:
        """Exactly these overrides."""
        client, resource = admin(*self.place), ConfigResource(ConfigResource.Type.TOPIC, name)
        described = client.describe_configs([resource])[resource].result(CALL_SECONDS)
        source = ConfigSource.DYNAMIC_TOPIC_CONFIG.value
        held = {key: each.value for key, each in described.items() if each.source == source}
        changes = [
            ConfigEntry(key, value, incremental_operation=AlterConfigOpType.SET)
            for key, value in config.items()
            if held.get(key) != value
        ]
        changes += [
            ConfigEntry(key, None, incremental_operation=AlterConfigOpType.DELETE)
            for key in held.keys() - config.keys()
        ]
        if changes:
            changed = ConfigResource(ConfigResource.Type.TOPIC, name, incremental_configs=changes)
            self._result(client.incremental_alter_configs([changed])[changed])

    def _delete_topic(self, topic: Resource) -> None:
        client, name = admin(*self.place), topic_name(topic)
        if name in client.list_topics(timeout=CALL_SECONDS).topics:
            self._result(client.delete_topics([name])[name])
        self._set_finalizers(topic, [])

    def _set_acls(self, user: Resource) -> Resource:
        principal = f"User:{user['metadata']['name']}"
        client = admin(*self.place)
        wanted = set(_bindings(user, principal))
        anything = AclBindingFilter(
            ResourceType.ANY, None, ResourcePatternType.ANY, principal, None,  # type: ignore[arg-type]
            AclOperation.ANY, AclPermissionType.ANY,
        )  # fmt: skip
        held = set(client.describe_acls(anything).result(CALL_SECONDS))
        for created in client.create_acls([*(wanted - held)]).values() if wanted - held else ():
            self._result(created)
        superfluous = [_exactly(each) for each in held - wanted]
        for deleted in client.delete_acls(superfluous).values() if superfluous else ():
            self._result(deleted)
        return {"username": user["metadata"]["name"]}

    def _report(
        self, plural: str, resource: Resource, reconcile: Callable[[Resource], Resource]
    ) -> None:
        name, generation = resource["metadata"]["name"], resource["metadata"]["generation"]
        condition = {"type": "Ready", "status": "True"}
        status: Resource = {}
        try:
            self._refuse(name)
            status = reconcile(resource)
        except RefusedError as error:
            reason, _, message = str(error).partition(": ")
            condition = {"type": "NotReady", "status": "True", "reason": reason}
            condition |= {"message": message}
        before = ((resource.get("status") or {}).get("conditions") or [{}])[0]
        condition["lastTransitionTime"] = before.get("lastTransitionTime", "2026-01-01T00:00:00Z")
        status |= {"conditions": [condition], "observedGeneration": generation}
        if status != resource.get("status"):
            self._patch(f"{self._path(plural)}/{name}/status", {"status": status})

    def _refuse(self, name: str) -> None:
        if name in self.refused:
            raise RefusedError(self.refused[name])

    def _set_finalizers(self, topic: Resource, finalizers: list[str]) -> None:
        if topic["metadata"].get("finalizers", []) != finalizers:
            path = f"{self._path('kafkatopics')}/{topic['metadata']['name']}"
            self._patch(path, {"metadata": {"finalizers": finalizers}})

    def _patch(self, path: str, change: Resource) -> None:
        try:
            self.api.call("PATCH", path, change, "application/merge-patch+json")
        except ApiError as error:
            if error.status != HTTPStatus.NOT_FOUND:
                raise

    def _list(self, plural: str) -> list[Resource]:
        selected = f"{LABEL}={self.cluster}"
        path = self._path(plural)
        found: list[Resource] = self.api.call("GET", path, labelSelector=selected)["items"]
        return found

    def _path(self, plural: str) -> str:
        return f"/apis/kafka.strimzi.io/{self.version}/namespaces/{self.namespace}/{plural}"

    @staticmethod
    def _result(future: Any) -> None:
        try:
            future.result(CALL_SECONDS)
        except KafkaException as error:
            raise RefusedError(f"KafkaError: {error.args[0].str()}") from error


def topic_name(topic: Resource) -> str:
    return str(topic["spec"].get("topicName") or topic["metadata"]["name"])


def _bindings(user: Resource, principal: str) -> Iterator[AclBinding]:
    for acl in (user["spec"].get("authorization") or {}).get("acls", ()):
        resource = acl["resource"]
        for operation in acl["operations"]:
            yield AclBinding(
                TYPES[resource["type"]],
                resource["name"],
                PATTERNS[resource.get("patternType", "literal")],
                principal,
                acl.get("host", "*"),
                OPERATIONS[operation.lower()],
                AclPermissionType.ALLOW,
            )


def _exactly(binding: AclBinding) -> AclBindingFilter:
    return AclBindingFilter(
        binding.restype,
        binding.name,
        binding.resource_pattern_type,
        binding.principal,
        binding.host,
        binding.operation,
        binding.permission_type,
    )


@contextmanager
def entity_operators(operators: EntityOperators) -> Iterator[None]:
    """They work as long as the block runs; what made them end is raised afterwards."""
    over, errors = Event(), list[Exception]()

    def work() -> None:
        try:
            while not over.wait(POLL_SECONDS):
                operators.reconcile()
        except Exception as error:
            errors.append(error)

    thread = Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
    if errors:
        raise errors[0]
