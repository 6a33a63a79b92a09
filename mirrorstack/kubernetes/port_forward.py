"""A connection to a pod through the API server: for a REST API that is reachable only inside the
cluster. It needs nothing but a kubeconfig."""

from __future__ import annotations

import random
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import parse_qs, urlencode

from mirrorstack.findings import UserError
from mirrorstack.kubernetes.access import CALL_SECONDS, ClusterAccess, as_json


@dataclass(frozen=True)
class PortForward:
    """To any Ready pod of a set."""

    access: ClusterAccess
    selector: str
    """Of the pods, by their labels."""

    @classmethod
    def decode(cls, text: str) -> PortForward:
        ((selector,), (access,)) = (parse_qs(text)[key] for key in ("selector", "access"))
        return cls(ClusterAccess.decode(access), selector)

    @property
    def encoded(self) -> str:
        """As one value of a resource's state."""
        return urlencode({"selector": self.selector, "access": self.access.encoded})

    def connect(self, port: int, timeout: float) -> socket.socket:
        """Raises an OSError where no connection is possible now."""
        try:
            forward = self._open(port, timeout)
        except UserError as error:
            raise ConnectionRefusedError(0, error.message) from error
        if forward is None:
            where = f"with {self.selector} is Ready in {self.access.described}"
            raise ConnectionRefusedError(0, f"no pod {where}")
        connection = forward.socket(port)
        connection.settimeout(timeout)
        return cast(socket.socket, connection)

    def _open(self, port: int, timeout: float) -> Any:
        """None if no pod is Ready."""
        from mirrorstack.kubernetes.library import CoreV1Api, portforward

        with self.access.client() as client:
            api = CoreV1Api(client)
            pods = api.list_namespaced_pod(
                self.access.namespace,
                label_selector=self.selector,
                _request_timeout=CALL_SECONDS,
            )
            ready = [pod for pod in as_json(client, pods)["items"] if is_ready(pod)]
            if not ready:
                return None
            pod = random.choice(ready)  # noqa: S311 - the next call may meet another worker
            return portforward(
                api.connect_get_namespaced_pod_portforward,
                pod["metadata"]["name"],
                self.access.namespace,
                ports=str(port),
                _request_timeout=timeout,
            )


def is_ready(pod: Mapping[str, Any]) -> bool:
    if "deletionTimestamp" in pod["metadata"]:
        return False
    conditions = pod.get("status", {}).get("conditions") or ()
    return any(each["type"] == "Ready" and each["status"] == "True" for each in conditions)
