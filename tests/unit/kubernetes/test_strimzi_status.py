"""When Strimzi's resources count as Ready, and what is reported if they are not."""

from __future__ import annotations

import time
from typing import Any

import pytest

from mirrorstack.findings import UserError
from mirrorstack.kubernetes.strimzi_status import (
    StrimziObject,
    is_ready,
    status_problem,
    stop_resources,
    wait_until_ready,
)
from tests.unit.kubernetes.api_server import ApiServer

NAME = "mirrorstack-dr-west"
MIRROR_MAKER = StrimziObject("v1", "KafkaMirrorMaker2", NAME)
PATH = f"/apis/kafka.strimzi.io/v1/namespaces/kafka/kafkamirrormaker2s/{NAME}"
PODS = "/api/v1/namespaces/kafka/pods"
READY = {"type": "Ready", "status": "True"}
REFUSED = {
    "type": "NotReady",
    "status": "True",
    "reason": "InvalidConfigurationException",
    "message": "Secret kafka/passwords\nnot found",
}
TASK_FAILED = {"id": 1, "state": "FAILED", "trace": "ConnectException: not authorized\n\tat ..."}
FAILED = {
    "name": "east->west.MirrorSourceConnector",
    "connector": {"state": "RUNNING"},
    "tasks": [{"id": 0, "state": "RUNNING"}, TASK_FAILED],
}


def resource(replicas: int = 2, **status: Any) -> dict[str, Any]:
    return {
        "metadata": {"name": NAME, "generation": 3},
        "spec": {"replicas": replicas},
        "status": {"observedGeneration": 3, "replicas": replicas, **status} if status else {},
    }


@pytest.fixture(autouse=True)
def slept(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    slept: list[float] = []
    monkeypatch.setattr("mirrorstack.kubernetes.strimzi_status.time.sleep", slept.append)
    return slept


def wait(api: ApiServer, *, seconds: float = 0.0, settled: float = 0.0) -> None:
    wait_until_ready(
        api.access,
        [MIRROR_MAKER],
        replicas=2,
        deadline=time.monotonic() + seconds,
        report=lambda _: None,
        settled_seconds=settled,
    )


def test_a_resource_is_ready_when_the_operator_says_so_of_its_newest_generation() -> None:
    assert status_problem(resource(conditions=[READY])) is None
    old = status_problem(resource(conditions=[READY], observedGeneration=2))
    assert old is not None
    assert not old.is_reported
    missing = status_problem(resource())
    assert missing is not None
    assert missing.reason == "the operator has reported no status"
    assert status_problem(resource(conditions=[])) is not None


def test_the_reason_of_the_operator_is_reported() -> None:
    problem = status_problem(resource(conditions=[REFUSED]))

    assert problem is not None
    assert problem.is_reported
    text = "NotReady: InvalidConfigurationException: Secret kafka/passwords not found"
    assert problem.reason == text


def test_a_task_that_has_failed_is_a_problem_although_the_resource_is_ready() -> None:
    problem = status_problem(resource(conditions=[READY], connectors=[FAILED]))

    assert problem is not None
    assert problem.reason == (
        "east->west.MirrorSourceConnector task 1 has FAILED: ConnectException: not authorized"
    )


def test_the_connector_of_a_kafka_connector_is_judged_as_well() -> None:
    connector = {"name": "heartbeats", "connector": {"state": "FAILED"}, "tasks": []}

    problem = status_problem(resource(conditions=[READY], connectorStatus=connector))

    assert problem is not None
    assert problem.reason == "heartbeats has FAILED: no reason given"


def test_a_ready_resource_is_not_waited_for(api: ApiServer, slept: list[float]) -> None:
    api.answers[("GET", PATH)] = resource(conditions=[READY])

    wait(api)

    assert slept == []
    assert is_ready(api.access, [MIRROR_MAKER])


def test_without_an_operator_the_error_says_how_to_find_it(api: ApiServer) -> None:
    api.answers[("GET", PATH)] = resource()
    api.answers[("GET", PODS)] = {"kind": "PodList", "items": []}

    with pytest.raises(UserError) as raised:
        wait(api)

    assert raised.value.message == (
        f"KafkaMirrorMaker2 {NAME} in namespace kafka of context prod-west is not Ready: the "
        "operator has reported no status"
    )
    assert "watches the namespace kafka and has the API version v1" in raised.value.fix


def test_what_the_operator_refuses_ends_the_wait(api: ApiServer) -> None:
    api.answers[("GET", PATH)] = resource(conditions=[REFUSED])
    api.answers[("GET", PODS)] = {"kind": "PodList", "items": []}

    with pytest.raises(UserError, match="Secret kafka/passwords not found") as raised:
        wait(api, seconds=60.0)

    assert f"describe kafkamirrormaker2 {NAME}" in raised.value.fix


def test_a_resource_may_be_not_ready_for_a_while(
    api: ApiServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = [resource(conditions=[READY]), resource(conditions=[REFUSED])]
    api.answers[("GET", PATH)] = answers[1]
    monkeypatch.setattr(
        "mirrorstack.kubernetes.strimzi_status.time.sleep",
        lambda _: api.answers.update({("GET", PATH): answers[0]}),
    )

    wait(api, seconds=60.0, settled=30.0)


def test_a_stopped_resource_is_scaled_up_again(api: ApiServer) -> None:
    """A move to another runtime failed and was reverted."""
    api.answers[("GET", PATH)] = resource(replicas=0, conditions=[READY])
    api.answers[("PATCH", f"{PATH}/scale")] = {}

    wait(api)

    assert ("PATCH", f"{PATH}/scale", {"spec": {"replicas": 2}}) in api.requests


def test_workers_are_stopped_when_the_operator_and_the_pods_say_so(api: ApiServer) -> None:
    api.answers[("PATCH", f"{PATH}/scale")] = {}
    api.answers[("GET", PATH)] = resource(replicas=0, conditions=[READY])
    api.answers[("GET", PODS)] = {"kind": "PodList", "items": []}

    stop_resources(api.access, [MIRROR_MAKER], time.monotonic() + 60)

    assert ("PATCH", f"{PATH}/scale", {"spec": {"replicas": 0}}) in api.requests


def test_workers_that_do_not_end_are_an_error(api: ApiServer) -> None:
    api.answers[("PATCH", f"{PATH}/scale")] = {}
    api.answers[("GET", PATH)] = resource(replicas=2, conditions=[READY])

    with pytest.raises(UserError, match=f"the pods of KafkaMirrorMaker2 {NAME}"):
        stop_resources(api.access, [MIRROR_MAKER], time.monotonic())


def test_what_does_not_exist_needs_no_stop(api: ApiServer) -> None:
    stop_resources(api.access, [MIRROR_MAKER], time.monotonic())


def test_an_object_survives_the_state_of_a_resource() -> None:
    assert StrimziObject.decode(MIRROR_MAKER.encoded) == MIRROR_MAKER
    manifest = {
        "apiVersion": "kafka.strimzi.io/v1",
        "kind": "KafkaMirrorMaker2",
        "metadata": {"name": NAME},
    }
    assert StrimziObject.of(manifest) == MIRROR_MAKER


class TestTopics:
    """There may be thousands, so they are listed."""

    PATH = "/apis/kafka.strimzi.io/v1/namespaces/kafka/kafkatopics"

    def topics(self, *names: str, **status: Any) -> list[dict[str, Any]]:
        status = status or {"conditions": [READY]}
        return [
            {
                "metadata": {"name": name, "generation": 1},
                "status": {"observedGeneration": 1, **status},
            }
            for name in names
        ]

    def objects(self, *names: str) -> list[StrimziObject]:
        return [StrimziObject("v1", "KafkaTopic", name) for name in names]

    def wait(self, api: ApiServer, *names: str) -> None:
        wait_until_ready(
            api.access,
            self.objects(*names),
            replicas=0,
            deadline=time.monotonic(),
            report=lambda _: None,
            settled_seconds=0.0,
        )

    def test_a_thousand_are_read_page_by_page(self, api: ApiServer) -> None:
        names = [f"topic-{number}" for number in range(1000)]
        pages: list[dict[str, Any]] = [
            {"items": self.topics(*names[:500]), "metadata": {"continue": "next"}},
            {"items": self.topics(*names[500:]), "metadata": {}},
        ]
        api.answers[("GET", self.PATH)] = lambda _body: pages[len(api.requests) - 1]

        assert is_ready(api.access, self.objects(*names))

        first, second = (path for _, path, _ in api.requests)
        assert "limit=500" in first
        assert "continue=next" in second

    def test_one_that_does_not_exist_is_not_ready(self, api: ApiServer) -> None:
        api.answers[("GET", self.PATH)] = {"items": self.topics("orders")}

        with pytest.raises(UserError, match=r"KafkaTopic clicks in .* it does not exist"):
            self.wait(api, "orders", "clicks")

    def test_the_first_reasons_are_reported(self, api: ApiServer) -> None:
        names = [f"topic-{number}" for number in range(9)]
        api.answers[("GET", self.PATH)] = {"items": self.topics(*names, conditions=[REFUSED])}

        with pytest.raises(UserError) as raised:
            self.wait(api, *names)

        *first, last = raised.value.message.splitlines()
        assert len(first) == 5
        assert all("InvalidConfigurationException" in line for line in first)
        assert last == "and 4 more"
        assert "describe kafkatopic topic-0" in raised.value.fix

    def test_without_an_operator_the_error_names_it(self, api: ApiServer) -> None:
        api.answers[("GET", self.PATH)] = {"items": self.topics("orders", conditions=[])}

        with pytest.raises(UserError) as raised:
            self.wait(api, "orders")

        assert "the cluster's Topic Operator" in raised.value.fix
