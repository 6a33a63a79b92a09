"""Waits until Strimzi's operator reports that its resources are Ready, and reports why they are
not."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mirrorstack.findings import UserError
from mirrorstack.kubernetes.access import CALL_SECONDS, ClusterAccess, KubernetesError, as_json
from mirrorstack.kubernetes.rollout import POLL_SECONDS, pod_problems, remaining_pods
from mirrorstack.kubernetes.strimzi_resources import GROUP

NOT_FOUND = 404
PLURALS = {
    "KafkaConnect": "kafkaconnects",
    "KafkaConnector": "kafkaconnectors",
    "KafkaMirrorMaker2": "kafkamirrormaker2s",
    "KafkaTopic": "kafkatopics",
    "KafkaUser": "kafkausers",
}
ENTITIES = ("KafkaTopic", "KafkaUser")
"""Kinds that the operators of one Kafka cluster watch, and that have no pods."""
LISTED = ("KafkaTopic",)
"""Kinds of which a stack may have thousands."""
PAGE = 500
SHOWN = 5
SETTLED_SECONDS = 30.0
"""For so long a resource may be NotReady: pods start, and tasks are restarted."""


@dataclass(frozen=True)
class StrimziObject:
    """A resource of the operator."""

    version: str
    """Of the API."""
    kind: str
    name: str

    @classmethod
    def of(cls, manifest: Mapping[str, Any]) -> StrimziObject:
        version = manifest["apiVersion"].rpartition("/")[2]
        return cls(version, manifest["kind"], manifest["metadata"]["name"])

    @classmethod
    def decode(cls, text: str) -> StrimziObject:
        return cls(*text.split("/"))

    @property
    def encoded(self) -> str:
        """As one value of a resource's state."""
        return f"{self.version}/{self.kind}/{self.name}"

    @property
    def text(self) -> str:
        return f"{self.kind} {self.name}"


@dataclass(frozen=True)
class StatusProblem:
    """What keeps a resource from being Ready."""

    reason: str
    is_reported: bool = False
    """Whether the operator says so, of what is declared now."""


def status_problem(resource: Mapping[str, Any]) -> StatusProblem | None:
    """None if it is Ready, and none of its connectors and tasks has FAILED. `resource` is empty if
    it does not exist."""
    if not resource:
        return StatusProblem("it does not exist")
    status = resource.get("status") or {}
    if not status:
        return StatusProblem("the operator has reported no status")
    if status.get("observedGeneration", 0) < resource["metadata"].get("generation", 0):
        return StatusProblem("the operator has not seen the change yet")
    for condition in status.get("conditions") or ():
        if condition.get("type") == "NotReady" and condition.get("status") == "True":
            text = ": ".join(filter(None, (condition.get("reason"), condition.get("message"))))
            return StatusProblem(" ".join(f"NotReady: {text}".split()), is_reported=True)
    if failed := "; ".join(_failed(status)):
        return StatusProblem(failed, is_reported=True)
    if not _is_ready(status):
        return StatusProblem("the operator has not reported that it is Ready")
    return None


def is_ready(access: ClusterAccess, objects: Sequence[StrimziObject]) -> bool:
    """Whether all of them are now."""
    return not any(map(status_problem, _read_all(access, objects).values()))


def wait_until_ready(
    access: ClusterAccess,
    objects: Sequence[StrimziObject],
    *,
    replicas: int,
    deadline: float,
    report: Callable[[str], None],
    settled_seconds: float = SETTLED_SECONDS,
) -> None:
    """`replicas`: of the first one, in case that it has been stopped; 0 if it has none. `deadline`
    is a value of `time.monotonic()`."""
    if replicas:
        _restart(access, objects[0], replicas)
    since: dict[StrimziObject, float] = {}
    while True:
        read = _read_all(access, objects)
        problems = {each: status_problem(resource) for each, resource in read.items()}
        found = {each: problem for each, problem in problems.items() if problem}
        if not found:
            return
        now = time.monotonic()
        since = {
            each: since.get(each, now) for each, problem in found.items() if problem.is_reported
        }
        settled = [each for each, begun in since.items() if now - begun > settled_seconds]
        if settled or now > deadline:
            raise _not_ready(access, {each: found[each] for each in settled} or found)
        waiting = [f"{each.text}: {problem.reason}" for each, problem in found.items()]
        report("; ".join(_shown(waiting)))
        time.sleep(POLL_SECONDS)


def stop_resources(
    access: ClusterAccess, objects: Sequence[StrimziObject], deadline: float
) -> None:
    """Scale to zero, and wait until the operator has done so; nothing for what does not exist."""
    existing = [each for each in objects if _scale(access, each, 0)]
    while running := [each for each in existing if not _is_stopped(access, each)]:
        if time.monotonic() > deadline:
            names = ", ".join(each.text for each in running)
            raise UserError(
                f"the pods of {names} in {access.described} do not end",
                "check that Strimzi's operator runs, or delete the resources, and run `pulumi up` "
                "again: the new workers must not run beside the old ones",
            )
        time.sleep(POLL_SECONDS)


def _restart(access: ClusterAccess, stopped: StrimziObject, replicas: int) -> None:
    """A move to another runtime that failed and was reverted has left it without pods, and the
    stack's state does not show that."""
    if (_read(access, stopped).get("spec") or {}).get("replicas") == 0:
        _scale(access, stopped, replicas)


def _is_stopped(access: ClusterAccess, stopped: StrimziObject) -> bool:
    try:
        resource = _read(access, stopped)
    except KubernetesError as error:
        if error.status == NOT_FOUND:
            return True
        raise
    status, generation = resource.get("status") or {}, resource["metadata"].get("generation", 0)
    if not status:  # no operator has ever seen it
        return True
    seen = status.get("observedGeneration", 0) >= generation and not status.get("replicas")
    return seen and not remaining_pods(access, stopped.name)


def _scale(access: ClusterAccess, scaled: StrimziObject, replicas: int) -> bool:
    """Whether it exists."""
    from mirrorstack.kubernetes.library import CustomObjectsApi

    try:
        with access.client() as client:
            CustomObjectsApi(client).patch_namespaced_custom_object_scale(
                *_address(access, scaled),
                {"spec": {"replicas": replicas}},
                _request_timeout=CALL_SECONDS,
            )
    except KubernetesError as error:
        if error.status != NOT_FOUND:
            raise
        return False
    return True


def _read(access: ClusterAccess, wanted: StrimziObject) -> dict[str, Any]:
    from mirrorstack.kubernetes.library import CustomObjectsApi

    with access.client() as client:
        found = CustomObjectsApi(client).get_namespaced_custom_object(
            *_address(access, wanted), _request_timeout=CALL_SECONDS
        )
        resource: dict[str, Any] = as_json(client, found)
    return resource


def _read_all(
    access: ClusterAccess, wanted: Sequence[StrimziObject]
) -> dict[StrimziObject, dict[str, Any]]:
    """Empty for one of a listed kind that does not exist."""
    listed: dict[StrimziObject, dict[str, Any]] = {}
    for version, kind in {(each.version, each.kind) for each in wanted if each.kind in LISTED}:
        for resource in _list(access, version, kind):
            listed[StrimziObject(version, kind, resource["metadata"]["name"])] = resource
    return {
        each: listed.get(each, {}) if each.kind in LISTED else _read(access, each)
        for each in wanted
    }


def _list(access: ClusterAccess, version: str, kind: str) -> Iterator[dict[str, Any]]:
    from mirrorstack.kubernetes.library import CustomObjectsApi

    following: str | None = None
    while True:
        with access.client() as client:
            found = CustomObjectsApi(client).list_namespaced_custom_object(
                GROUP,
                version,
                access.namespace,
                PLURALS[kind],
                limit=PAGE,
                _request_timeout=CALL_SECONDS,
                _continue=following,
            )
            page = as_json(client, found)
        yield from page["items"]
        following = (page.get("metadata") or {}).get("continue")
        if not following:
            return


def _address(access: ClusterAccess, wanted: StrimziObject) -> tuple[str, str, str, str, str]:
    return GROUP, wanted.version, access.namespace, PLURALS[wanted.kind], wanted.name


def _is_ready(status: Mapping[str, Any]) -> bool:
    return any(
        condition.get("type") == "Ready" and condition.get("status") == "True"
        for condition in status.get("conditions") or ()
    )


def _failed(status: Mapping[str, Any]) -> Iterator[str]:
    """Connectors and tasks, as Connect's REST API described them to the operator."""
    connectors = status.get("connectors") or [status.get("connectorStatus") or {}]
    for described in connectors:
        name = described.get("name", "the connector")
        parts = {name: described.get("connector") or {}}
        parts |= {f"{name} task {task.get('id')}": task for task in described.get("tasks") or ()}
        for part, state in parts.items():
            if state.get("state") == "FAILED":
                trace = (state.get("trace") or "no reason given").strip().splitlines()
                yield f"{part} has FAILED: {trace[0]}"


def _not_ready(access: ClusterAccess, found: Mapping[StrimziObject, StatusProblem]) -> UserError:
    lines = [
        f"{each.text} in {access.described} is not Ready: {problem.reason}"
        for each, problem in found.items()
    ]
    lines = _shown(lines)
    for each in found:
        if each.kind not in ENTITIES:
            lines += [f"  pod {text}" for text in pod_problems(access, each.name)]
    first = next(iter(found))
    no_operator = not any(problem.is_reported for problem in found.values())
    return UserError(
        "\n".join(lines),
        _missing_operator(access, first)
        if no_operator
        else "correct the stack file or the cluster and run `pulumi up` again; `kubectl "
        f"--namespace {access.namespace} describe {first.kind.lower()} {first.name}` shows more",
    )


def _missing_operator(access: ClusterAccess, unseen: StrimziObject) -> str:
    if unseen.kind in ENTITIES:
        operator = "Topic Operator" if unseen.kind == "KafkaTopic" else "User Operator"
        return (
            f"check that the cluster's {operator} (`spec.entityOperator` of the Kafka resource) "
            f"runs and watches the namespace {access.namespace}: `kubectl get pods "
            "--all-namespaces --selector strimzi.io/component-type=entity-operator`"
        )
    return (
        f"check that Strimzi's Cluster Operator runs, watches the namespace {access.namespace} and "
        f"has the API version {unseen.version}: `kubectl get pods --all-namespaces --selector "
        "name=strimzi-cluster-operator`"
    )


def _shown(lines: list[str]) -> list[str]:
    """The first ones, and how many there are besides."""
    more = len(lines) - SHOWN
    return [*lines[:SHOWN], f"and {more} more"] if more > 0 else lines
