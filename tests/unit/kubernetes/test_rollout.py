"""When pods count as rolled out, and what is reported if they are not."""

from __future__ import annotations

import time
from typing import Any

import pytest

from mirrorstack.findings import UserError
from mirrorstack.kubernetes.rollout import (
    is_rolled_out,
    pod_problem,
    rolled_out,
    stop_pods,
    wait_for_rollout,
)
from tests.unit.kubernetes.api_server import ApiServer

NAME = "mirrorstack-dr-west"
NAMESPACE = "/api/v1/namespaces/kafka"
STATEFUL_SET = f"/apis/apps/v1/namespaces/kafka/statefulsets/{NAME}"


def stateful_set(**status: Any) -> dict[str, Any]:
    return {
        "metadata": {"name": NAME, "generation": 3},
        "spec": {
            "replicas": 2,
            "selector": {},
            "serviceName": f"{NAME}-workers",
            "template": {},
        },
        "status": {
            "replicas": 2,
            "observedGeneration": 3,
            "currentRevision": "b",
            "updateRevision": "b",
            "updatedReplicas": 2,
            "readyReplicas": 2,
            **status,
        },
    }


def pod(
    state: dict[str, Any], last: dict[str, Any] | None = None, restarts: int = 0
) -> dict[str, Any]:
    container = {
        "name": "worker",
        "image": "kafka",
        "imageID": "",
        "ready": False,
        "restartCount": restarts,
        "state": state,
        "lastState": last or {},
    }
    return {
        "metadata": {"name": f"{NAME}-0"},
        "spec": {"containers": [{"name": "worker"}]},
        "status": {"containerStatuses": [container]},
    }


CRASHED = {"terminated": {"exitCode": 1, "reason": "Error"}}
BACK_OFF = {"waiting": {"reason": "CrashLoopBackOff", "message": "back-off 10s"}}
NO_IMAGE = {"waiting": {"reason": "ErrImagePull", "message": "not found"}}


@pytest.fixture
def slept(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    slept: list[float] = []
    monkeypatch.setattr("mirrorstack.kubernetes.rollout.time.sleep", slept.append)
    return slept


def test_all_pods_have_to_run_the_newest_revision() -> None:
    assert is_rolled_out(stateful_set())
    assert not is_rolled_out(stateful_set(observedGeneration=2))
    assert not is_rolled_out(stateful_set(currentRevision="a", updatedReplicas=1))
    assert not is_rolled_out(stateful_set(readyReplicas=1))


def test_a_missing_image_does_not_appear_by_waiting() -> None:
    problem = pod_problem(pod(NO_IMAGE))

    assert problem is not None
    assert problem.reason == "ErrImagePull: not found"
    assert problem.is_final


def test_a_worker_may_crash_twice_before_its_brokers_answer() -> None:
    early, late = pod_problem(pod(BACK_OFF, CRASHED, 2)), pod_problem(pod(BACK_OFF, CRASHED, 3))

    assert early is not None
    assert not early.is_final
    assert late is not None
    assert late.is_final
    assert late.reason == "CrashLoopBackOff: exit code 1, Error"


def test_a_pod_without_a_node_says_why() -> None:
    condition = {
        "type": "PodScheduled",
        "status": "False",
        "reason": "Unschedulable",
        "message": "0/3 nodes are available: 3 Insufficient memory.",
    }
    waiting = {"metadata": {"name": f"{NAME}-0"}, "status": {"conditions": [condition]}}

    problem = pod_problem(waiting)

    assert problem is not None
    assert "Insufficient memory" in problem.reason


def test_the_wait_ends_when_all_are_ready(api: ApiServer, slept: list[float]) -> None:
    reported: list[str] = []
    answers = iter([stateful_set(readyReplicas=1), stateful_set()])
    api.answers["GET", STATEFUL_SET] = lambda _: next(answers)
    api.answers["GET", f"{NAMESPACE}/pods"] = {"items": [pod(BACK_OFF)], "metadata": {}}

    wait_for_rollout(api.access, NAME, deadline=time.monotonic() + 60, report=reported.append)

    assert reported == [
        f"1 of 2 pods are Ready; {NAME}-0: CrashLoopBackOff: back-off 10s",
    ]


@pytest.mark.usefixtures("slept")
def test_the_error_has_the_events_and_the_last_errors_of_the_log(api: ApiServer) -> None:
    api.answers["GET", STATEFUL_SET] = stateful_set(readyReplicas=0)
    crashing = pod(BACK_OFF, CRASHED, 3)
    api.answers["GET", f"{NAMESPACE}/pods"] = {"items": [crashing], "metadata": {}}
    event = {
        "metadata": {},
        "involvedObject": {},
        "reason": "BackOff",
        "message": "restarting failed container",
    }
    api.answers["GET", f"{NAMESPACE}/events"] = {"items": [event], "metadata": {}}
    api.answers["GET", f"{NAMESPACE}/pods/{NAME}-0/log"] = (
        "2026-01-01 INFO started\n2026-01-01 ERROR Stopping due to error (Connect)\n"
    )

    with pytest.raises(UserError) as error:
        wait_for_rollout(api.access, NAME, deadline=time.monotonic() + 60, report=print)

    text = str(error.value)
    assert f"{NAME}-0: CrashLoopBackOff: exit code 1, Error" in text
    assert "event: BackOff: restarting failed container" in text
    assert "log: 2026-01-01 ERROR Stopping due to error (Connect)" in text
    assert "INFO started" not in text
    assert f"kubectl --namespace kafka describe pod {NAME}-0" in text


@pytest.mark.usefixtures("slept")
def test_a_removed_container_has_no_log(api: ApiServer) -> None:
    api.answers["GET", STATEFUL_SET] = stateful_set(readyReplicas=0)
    api.answers["GET", f"{NAMESPACE}/pods"] = {
        "items": [pod(BACK_OFF, CRASHED, 3)],
        "metadata": {},
    }
    api.answers["GET", f"{NAMESPACE}/pods/{NAME}-0/log"] = (
        "unable to retrieve container logs for containerd://c0ffee"
    )

    with pytest.raises(UserError) as error:
        wait_for_rollout(api.access, NAME, deadline=time.monotonic() + 60, report=print)

    assert "log: " not in str(error.value)


@pytest.mark.usefixtures("slept")
def test_a_stateful_set_without_pods_reports_its_own_events(api: ApiServer) -> None:
    api.answers["GET", STATEFUL_SET] = stateful_set(readyReplicas=0)
    api.answers["GET", f"{NAMESPACE}/pods"] = {"items": [], "metadata": {}}

    with pytest.raises(UserError, match="there is no pod"):
        wait_for_rollout(api.access, NAME, deadline=time.monotonic() - 1, report=print)

    assert any(f"involvedObject.name%3D{NAME}" in path for _, path, _ in api.requests)


def test_the_cluster_knows_whether_a_rollout_is_complete(api: ApiServer) -> None:
    api.answers["GET", STATEFUL_SET] = stateful_set()
    assert rolled_out(api.access, NAME)
    api.answers["GET", STATEFUL_SET] = stateful_set(readyReplicas=1)
    assert not rolled_out(api.access, NAME)


def test_pods_are_stopped_and_waited_for(api: ApiServer, slept: list[float]) -> None:
    remaining = iter([[pod({})], []])
    api.answers["PATCH", f"{STATEFUL_SET}/scale"] = {"metadata": {}, "spec": {"replicas": 0}}
    api.answers["GET", f"{NAMESPACE}/pods"] = lambda _: {"items": next(remaining), "metadata": {}}

    stop_pods(api.access, NAME, deadline=time.monotonic() + 60)

    assert ("PATCH", f"{STATEFUL_SET}/scale", {"spec": {"replicas": 0}}) in api.requests
    assert len(slept) == 1


def test_pods_that_are_gone_already_need_no_stop(api: ApiServer) -> None:
    api.answers["GET", f"{NAMESPACE}/pods"] = {"items": [], "metadata": {}}

    stop_pods(api.access, NAME, deadline=time.monotonic() + 60)
