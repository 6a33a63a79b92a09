"""A stand-in of Strimzi's operator, which is in no package registry.

It watches the resources of one namespace, runs real Connect workers with the config that the
operator would derive, creates connectors under the operator's names and writes statuses as the
operator does. What the operator does besides (pods, NetworkPolicies, certificates) is not here.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http import HTTPStatus
from pathlib import Path
from threading import Event, Thread

from mirrorstack.local.files import write_private
from mirrorstack.local.kafka_installation import KafkaInstallation
from mirrorstack.local.ports import is_free
from tests.platforms.kubernetes.api import ApiError, KubernetesApi
from tests.platforms.strimzi.operator_model import (
    Resource,
    as_v1,
    kafka_connector,
    mirror_connectors,
    secret_names,
    worker_properties,
)
from tests.platforms.strimzi.operator_workers import OperatedWorkers, WorkerNotReadyError

POLL_SECONDS = 0.5
MIRROR_MAKERS, CONNECTS, CONNECTORS = "kafkamirrormaker2s", "kafkaconnects", "kafkaconnectors"
PORTS = range(33000, 33900)


class InvalidResourceError(Exception):
    """What the operator reports as NotReady."""


@dataclass
class OperatorStandIn:
    api: KubernetesApi
    namespace: str
    version: str
    kafka: KafkaInstallation
    directory: Path
    workers: dict[str, OperatedWorkers] = field(default_factory=dict)
    """By plural and name of the resource."""

    def reconcile(self) -> None:
        """Everything in the namespace, once."""
        found = {plural: self._list(plural) for plural in (MIRROR_MAKERS, CONNECTS, CONNECTORS)}
        existing = {
            f"{plural}-{each['metadata']['name']}"
            for plural in (MIRROR_MAKERS, CONNECTS)
            for each in found[plural]
        }
        for gone in self.workers.keys() - existing:
            self.workers.pop(gone).stop()
        for resource in found[MIRROR_MAKERS]:
            self._report(MIRROR_MAKERS, resource, self._reconcile_mirror_maker)
        for resource in found[CONNECTS]:
            self._report(CONNECTS, resource, self._reconcile_connect)
        for resource in found[CONNECTORS]:
            self._report(CONNECTORS, resource, self._reconcile_connector)

    def stop(self) -> None:
        for each in self.workers.values():
            each.stop()

    def _reconcile_mirror_maker(self, resource: Resource) -> Resource:
        workers, status = self._run(MIRROR_MAKERS, as_v1(resource))
        if not workers.processes:
            return status
        wanted = {each.name: each for each in mirror_connectors(as_v1(resource))}
        for name in set(workers.connectors()) - wanted.keys():
            workers.delete(name)
        states = [workers.apply(each.name, each.config, each.state) for each in wanted.values()]
        if any(each["connector"]["state"] == "FAILED" for each in states):
            raise InvalidResourceError("One or more connectors are in FAILED state")
        return {**status, "connectors": states}

    def _reconcile_connect(self, resource: Resource) -> Resource:
        workers, status = self._run(CONNECTS, resource)
        if workers.processes:
            workers.connectors()
        return status

    def _reconcile_connector(self, resource: Resource) -> Resource:
        labels = resource["metadata"].get("labels", {})
        workers = self.workers.get(f"{CONNECTS}-{labels.get('strimzi.io/cluster')}")
        if workers is None or not workers.processes:
            raise InvalidResourceError("NoSuchResourceException: its KafkaConnect has no workers")
        workers.connectors()
        wanted = kafka_connector(resource)
        return {"connectorStatus": workers.apply(wanted.name, wanted.config, wanted.state)}

    def _run(self, plural: str, resource: Resource) -> tuple[OperatedWorkers, Resource]:
        name, replicas = resource["metadata"]["name"], resource["spec"]["replicas"]
        self._write_secrets(resource)
        key = f"{plural}-{name}"
        if key not in self.workers:
            self.workers[key] = OperatedWorkers(self.kafka, self.directory, key, [])
        workers = self.workers[key]
        parts = {part: resource["spec"].get(part) for part in ("target", "config", "template")}
        revision = json.dumps([replicas, parts], sort_keys=True)
        if workers.revision != revision:
            workers.stop()
            workers.ports = self._free_ports(replicas)
            properties = [worker_properties(resource, port) for port in workers.ports]
            workers.start(properties, revision)
        return workers, {"replicas": replicas}

    def _free_ports(self, count: int) -> list[int]:
        taken = {port for each in self.workers.values() for port in each.ports}
        free = (port for port in PORTS if port not in taken and is_free(port))
        return [next(free) for _ in range(count)]

    def _write_secrets(self, resource: Resource) -> None:
        for name in sorted(secret_names(resource)):
            try:
                path = f"/api/v1/namespaces/{self.namespace}/secrets/{name}"
                data = self.api.call("GET", path).get("data", {})
            except ApiError as error:
                raise InvalidResourceError(
                    f"InvalidConfigurationException: Secret {name} not found"
                ) from error
            directory = self.directory / self.namespace / name
            directory.mkdir(parents=True, exist_ok=True)
            for key, value in data.items():
                write_private(directory / key, base64.b64decode(value).decode())

    def _report(
        self, plural: str, resource: Resource, reconcile: Callable[[Resource], Resource]
    ) -> None:
        status: Resource = {}
        condition = {"type": "Ready", "status": "True"}
        try:
            status = reconcile(resource)
        except WorkerNotReadyError:  # the operator waits for its pods before it reports anything
            return
        except (InvalidResourceError, RuntimeError) as error:
            reason, _, message = str(error).partition(": ")
            condition = {"type": "NotReady", "status": "True", "reason": reason}
            condition |= {"message": message}
        before = (resource.get("status") or {}).get("conditions") or [{}]
        now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        same = before[0].get("type") == condition["type"]
        condition["lastTransitionTime"] = before[0]["lastTransitionTime"] if same else now
        generation = resource["metadata"]["generation"]
        status |= {"conditions": [condition], "observedGeneration": generation}
        if status != resource.get("status"):
            self._patch_status(plural, resource["metadata"]["name"], status)

    def _patch_status(self, plural: str, name: str, status: Resource) -> None:
        path = f"{self._path(plural)}/{name}/status"
        try:
            self.api.call("PATCH", path, {"status": status}, "application/merge-patch+json")
        except ApiError as error:
            if error.status != HTTPStatus.NOT_FOUND:
                raise

    def _list(self, plural: str) -> list[Resource]:
        found: list[Resource] = self.api.call("GET", self._path(plural))["items"]
        return found

    def _path(self, plural: str) -> str:
        return f"/apis/kafka.strimzi.io/{self.version}/namespaces/{self.namespace}/{plural}"


@contextmanager
def operator_stand_in(operator: OperatorStandIn) -> Iterator[None]:
    """It works as long as the block runs; what made it end is raised afterwards."""
    over, errors = Event(), list[Exception]()

    def work() -> None:
        try:
            while not over.wait(POLL_SECONDS):
                operator.reconcile()
        except Exception as error:
            errors.append(error)

    operator.directory.mkdir(parents=True, exist_ok=True)
    thread = Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
        operator.stop()
    if errors:
        raise errors[0]
