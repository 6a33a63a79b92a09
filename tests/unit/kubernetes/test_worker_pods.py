"""The pod template of the workers."""

from __future__ import annotations

import json
from typing import Any

from mirrorstack.kubernetes.worker_pods import WorkerPods, pod_template
from tests.unit.kubernetes.worker_examples import pods


def container(workers: WorkerPods) -> dict[str, Any]:
    (worker,) = pod_template(workers)["spec"]["containers"]
    return dict(worker)


def test_a_pod_is_within_the_restricted_pod_security_standard() -> None:
    spec, worker = pod_template(pods())["spec"], container(pods())

    assert spec["securityContext"]["runAsNonRoot"]
    assert spec["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    assert worker["securityContext"]["allowPrivilegeEscalation"] is False
    assert worker["securityContext"]["capabilities"] == {"drop": ["ALL"]}
    assert worker["securityContext"]["readOnlyRootFilesystem"]
    assert spec["automountServiceAccountToken"] is False


def test_a_worker_is_probed_on_health_and_limited_in_memory_only() -> None:
    worker = container(pods())

    for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
        assert worker[probe]["exec"]["command"] == ["bash", "/etc/mirrorstack/config/healthy"]
    assert worker["resources"] == {
        "requests": {"cpu": "500m", "memory": "1136Mi"},
        "limits": {"memory": "1136Mi"},
    }


def test_a_worker_has_a_name_that_the_others_reach() -> None:
    names = [each["name"] for each in container(pods())["env"]]
    values = {each["name"]: each.get("value") for each in container(pods())["env"]}

    assert values["MIRRORSTACK_ADDRESS"] == "$(POD_NAME).mirrorstack-dr-west-workers.kafka.svc"
    assert names.index("POD_NAME") < names.index("MIRRORSTACK_ADDRESS")


def test_a_changed_config_or_password_changes_the_revision() -> None:
    assert pods().revision == pods().revision
    assert pods().revision != pods(checksum="deadbeef").revision
    assert pods().revision == pods(replicas=3).revision, "no pod is replaced"


def test_workers_are_spread_over_zones_and_nodes_if_possible() -> None:
    spec = pod_template(pods())["spec"]

    (spread,) = spec["topologySpreadConstraints"]
    assert spread["whenUnsatisfiable"] == "ScheduleAnyway"
    assert "preferredDuringSchedulingIgnoredDuringExecution" in spec["affinity"]["podAntiAffinity"]


def test_what_a_stack_file_adds_is_in_the_pod() -> None:
    template = pod_template(
        pods(
            pull_secrets=["registry"],
            node_selector={"disk": "fast"},
            tolerations=[{"key": "kafka", "operator": "Exists"}],
            annotations={"team": "data"},
            jars={"1-policy.jar": "UEs="},
            jars_directory="/opt/mirrorstack",
            metrics_port=9404,
        )
    )

    spec = template["spec"]
    assert spec["imagePullSecrets"] == [{"name": "registry"}]
    assert spec["nodeSelector"] == {"disk": "fast"}
    assert spec["tolerations"] == [{"key": "kafka", "operator": "Exists"}]
    assert template["metadata"]["annotations"]["team"] == "data"
    assert "/opt/mirrorstack" in json.dumps(spec["containers"])
    assert {"name": "metrics", "containerPort": 9404, "protocol": "TCP"} in spec["containers"][0][
        "ports"
    ]
