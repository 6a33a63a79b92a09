"""Which pod a port-forward leads to. tests/platforms connects to a real one."""

from __future__ import annotations

from typing import Any

import pytest

from mirrorstack.kubernetes.access import ClusterAccess
from mirrorstack.kubernetes.port_forward import PortForward, is_ready
from tests.unit.kubernetes.api_server import ApiServer

SELECTOR = "app.kubernetes.io/instance=mirrorstack-dr-west"
PODS = "/api/v1/namespaces/kafka/pods"


def pod(*, ready: bool, **metadata: Any) -> dict[str, Any]:
    condition = {"type": "Ready", "status": "True" if ready else "False"}
    return {
        "metadata": {"name": "mirrorstack-dr-west-0", **metadata},
        "spec": {"containers": [{"name": "worker"}]},
        "status": {"conditions": [condition]},
    }


def test_a_port_forward_is_kept_in_the_state_as_one_value() -> None:
    forward = PortForward(ClusterAccess(namespace="kafka", context="a&b=c"), SELECTOR)

    assert PortForward.decode(forward.encoded) == forward


def test_a_pod_that_ends_is_not_ready() -> None:
    assert is_ready(pod(ready=True))
    assert not is_ready(pod(ready=False))
    assert not is_ready(pod(ready=True, deletionTimestamp="2026-01-01T00:00:00Z"))
    assert not is_ready({"metadata": {"name": "new"}})


def test_without_a_ready_pod_there_is_no_connection(api: ApiServer) -> None:
    api.answers["GET", PODS] = {"items": [pod(ready=False)], "metadata": {}}

    with pytest.raises(OSError, match=r"no pod with .*=mirrorstack-dr-west is Ready in namespace"):
        PortForward(api.access, SELECTOR).connect(8083, 5.0)


def test_an_error_of_the_api_is_an_error_of_the_connection(api: ApiServer) -> None:
    api.answers["GET", PODS] = 403

    with pytest.raises(OSError, match="Forbidden"):
        PortForward(api.access, SELECTOR).connect(8083, 5.0)
