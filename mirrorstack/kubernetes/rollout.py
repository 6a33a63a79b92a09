"""Waits until the pods of a StatefulSet run its newest revision, and reports why they do not."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mirrorstack.findings import UserError
from mirrorstack.kubernetes.access import CALL_SECONDS, ClusterAccess, KubernetesError, as_json
from mirrorstack.kubernetes.port_forward import is_ready
from mirrorstack.kubernetes.worker_pods import INSTANCE
from mirrorstack.local.logs import last_errors

if TYPE_CHECKING:
    from kubernetes.client import ApiClient

POLL_SECONDS = 1.0
NOT_FOUND = 404
LOG_LINES, EVENTS = 15, 3
NO_LOG = "unable to retrieve container logs"
"""What a kubelet returns, as if it were the log, for a container that it has removed."""
NEVER_STARTS = (
    "CreateContainerConfigError",
    "CreateContainerError",
    "ErrImageNeverPull",
    "ErrImagePull",
    "ImagePullBackOff",
    "InvalidImageName",
)
"""Reasons of a waiting container that do not go away without a change of the stack."""
CRASHES = 3
"""A worker that cannot reach the brokers yet may crash once or twice."""


@dataclass(frozen=True)
class PodProblem:
    """What keeps a pod from being Ready."""

    pod: str
    reason: str
    is_final: bool
    """Whether waiting longer does not help."""


def is_rolled_out(stateful_set: Mapping[str, Any]) -> bool:
    spec, status = stateful_set["spec"], stateful_set.get("status") or {}
    replicas = spec.get("replicas", 1)
    return (
        status.get("observedGeneration", 0) >= stateful_set["metadata"].get("generation", 0)
        and status.get("updateRevision") == status.get("currentRevision")
        and status.get("updatedReplicas", replicas) == replicas
        and status.get("readyReplicas", 0) == replicas
    )


def pod_problem(pod: Mapping[str, Any]) -> PodProblem | None:
    """None if it is Ready."""
    if is_ready(pod):
        return None
    name, status = pod["metadata"]["name"], pod.get("status") or {}
    for container in status.get("containerStatuses") or ():
        state, last = container.get("state") or {}, container.get("lastState") or {}
        if waiting := state.get("waiting"):
            reason, message = waiting.get("reason", "waiting"), waiting.get("message", "")
            crashes = container.get("restartCount", 0)
            ended = last.get("terminated") or {}
            if ended:
                message = f"exit code {ended.get('exitCode')}, {ended.get('reason')}"
            final = reason in NEVER_STARTS or (bool(ended) and crashes >= CRASHES)
            return PodProblem(name, _joined(reason, message), final)
        if ended := state.get("terminated"):
            text = f"exit code {ended.get('exitCode')}, {ended.get('reason')}"
            return PodProblem(name, text, container.get("restartCount", 0) >= CRASHES)
    for condition in status.get("conditions") or ():
        if condition["type"] == "PodScheduled" and condition["status"] == "False":
            text = _joined(condition.get("reason", ""), condition.get("message", ""))
            return PodProblem(name, text, is_final=False)
    return PodProblem(name, "not Ready yet", is_final=False)


def rolled_out(access: ClusterAccess, name: str) -> bool:
    """Whether all pods run the newest revision now."""
    with access.client() as client:
        return is_rolled_out(_stateful_set(client, access, name))


def wait_for_rollout(
    access: ClusterAccess, name: str, *, deadline: float, report: Callable[[str], None]
) -> None:
    """`deadline` is a value of `time.monotonic()`. The error has the pod's own reason, its last log
    lines, and the events of Kubernetes."""
    while True:
        with access.client() as client:
            stateful_set = _stateful_set(client, access, name)
            if is_rolled_out(stateful_set):
                return
            found = map(pod_problem, _pods(client, access, name))
            problems = [problem for problem in found if problem]
            wanted = stateful_set["spec"].get("replicas", 1)
            ready = (stateful_set.get("status") or {}).get("readyReplicas", 0)
            final = [each for each in problems if each.is_final]
            if final or time.monotonic() > deadline:
                raise _failed(client, access, name, final or problems)
        waits = "; ".join(f"{each.pod}: {each.reason}" for each in problems)
        report(f"{ready} of {wanted} pods are Ready{'; ' if waits else ''}{waits}")
        time.sleep(POLL_SECONDS)


def pod_problems(access: ClusterAccess, name: str) -> list[str]:
    """As in `mirrorstack-west-0: ErrImagePull: ...`, of the pods that are not Ready."""
    with access.client() as client:
        problems = map(pod_problem, _pods(client, access, name))
        return [f"{each.pod}: {each.reason}" for each in problems if each]


def stop_pods(access: ClusterAccess, name: str, *, deadline: float) -> None:
    """Scale a StatefulSet to zero, and wait until its pods are gone; nothing if there is none."""
    from mirrorstack.kubernetes.library import AppsV1Api

    try:
        with access.client() as client:
            AppsV1Api(client).patch_namespaced_stateful_set_scale(
                name, access.namespace, {"spec": {"replicas": 0}}, _request_timeout=CALL_SECONDS
            )
    except KubernetesError as error:
        if error.status != NOT_FOUND:
            raise
    while pods := remaining_pods(access, name):
        if time.monotonic() > deadline:
            raise UserError(
                f"the pods {', '.join(pods)} in {access.described} do not end",
                "delete them and run `pulumi up` again: the new workers must not run beside the "
                "old ones",
            )
        time.sleep(POLL_SECONDS)


def _stateful_set(client: ApiClient, access: ClusterAccess, name: str) -> Any:
    from mirrorstack.kubernetes.library import AppsV1Api

    found = AppsV1Api(client).read_namespaced_stateful_set(
        name, access.namespace, _request_timeout=CALL_SECONDS
    )
    return as_json(client, found)


def _pods(client: ApiClient, access: ClusterAccess, name: str) -> list[dict[str, Any]]:
    from mirrorstack.kubernetes.library import CoreV1Api

    found = CoreV1Api(client).list_namespaced_pod(
        access.namespace, label_selector=f"{INSTANCE}={name}", _request_timeout=CALL_SECONDS
    )
    pods: list[dict[str, Any]] = as_json(client, found)["items"]
    return pods


def remaining_pods(access: ClusterAccess, name: str) -> list[str]:
    """The names of all pods of a set of workers."""
    with access.client() as client:
        return [pod["metadata"]["name"] for pod in _pods(client, access, name)]


def _failed(
    client: ApiClient, access: ClusterAccess, name: str, problems: Sequence[PodProblem]
) -> UserError:
    subject = problems[0].pod if problems else name
    lines = [
        f"the workers of {name} in {access.described} are not Ready: "
        + ("; ".join(f"{each.pod}: {each.reason}" for each in problems) or "there is no pod")
    ]
    lines += [f"  event: {text}" for text in _events(client, access, subject)]
    lines += [f"  log: {line}" for line in _log(client, access, subject)]
    return UserError(
        "\n".join(lines),
        "correct the stack file or the cluster and run `pulumi up` again; `kubectl --namespace "
        f"{access.namespace} describe pod {subject}` shows more",
    )


def _events(client: ApiClient, access: ClusterAccess, subject: str) -> list[str]:
    """The last warnings about a pod or a StatefulSet."""
    from mirrorstack.kubernetes.library import ApiException, CoreV1Api

    try:
        found = CoreV1Api(client).list_namespaced_event(
            access.namespace,
            field_selector=f"involvedObject.name={subject},type=Warning",
            _request_timeout=CALL_SECONDS,
        )
    except ApiException:  # the pod's reason has to suffice
        return []
    events = sorted(as_json(client, found)["items"], key=_time)
    texts = [_joined(each.get("reason", ""), each.get("message", "")) for each in events]
    return list(dict.fromkeys(texts))[-EVENTS:]


def _log(client: ApiClient, access: ClusterAccess, pod: str) -> list[str]:
    """Of the newest container, which may have ended; or of the one before it."""
    from mirrorstack.kubernetes.library import ApiException, CoreV1Api

    for previous in (False, True):
        with suppress(ApiException):
            text = CoreV1Api(client).read_namespaced_pod_log(
                pod,
                access.namespace,
                previous=previous,
                tail_lines=200,
                _request_timeout=CALL_SECONDS,
            )
            if text and not str(text).startswith(NO_LOG):
                return last_errors(str(text), LOG_LINES)
    return []


def _time(event: Mapping[str, Any]) -> str:
    return str(event.get("lastTimestamp") or event.get("eventTime") or "")


def _joined(reason: str, message: str) -> str:
    return f"{reason}: {' '.join(message.split())}" if message else reason
