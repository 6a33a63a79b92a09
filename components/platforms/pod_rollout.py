"""The wait until the pods of Connect workers are Ready, with the reason if they are not."""

from __future__ import annotations

import time
from typing import Any

import pulumi
from pulumi.dynamic import Resource

from components.platforms.waiting_provider import WaitingProvider
from components.progress import reporter
from mirrorstack.kubernetes.access import ClusterAccess
from mirrorstack.kubernetes.rollout import rolled_out, wait_for_rollout
from mirrorstack.kubernetes.worker_pods import WorkerPods

READY_SECONDS = 300.0


class PodRolloutProvider(WaitingProvider):
    inputs = ("access", "name", "replicas", "revision")

    def wait(self, props: dict[str, Any]) -> None:
        wait_for_rollout(
            ClusterAccess.decode(props["access"]),
            props["name"],
            # Pods are restarted one after the other.
            deadline=time.monotonic() + READY_SECONDS * max(1, int(props["replicas"])),
            report=reporter(f"waiting for the pods of {props['name']}"),
        )

    def is_there(self, props: dict[str, Any]) -> bool:
        return rolled_out(ClusterAccess.decode(props["access"]), props["name"])


class PodRollout(Resource, module="mirrorstack", name="PodRollout"):
    """After the StatefulSet; the connectors come after it."""

    def __init__(
        self, name: str, access: ClusterAccess, pods: WorkerPods, opts: pulumi.ResourceOptions
    ) -> None:
        props = {
            "access": access.encoded,
            "name": pods.name,
            "replicas": pods.replicas,
            "revision": pods.revision,
        }
        super().__init__(PodRolloutProvider(), name, props, opts)
