"""The wait until the pods of Connect workers are Ready, with the reason if they are not."""

from __future__ import annotations

import time
from typing import Any

import pulumi
from pulumi.dynamic import CreateResult, DiffResult, Resource, UpdateResult

from components.progress import reporter
from components.provider_errors import ErrorReportingProvider
from mirrorstack.findings import UserError
from mirrorstack.kubernetes.access import ClusterAccess
from mirrorstack.kubernetes.rollout import rolled_out, wait_for_rollout
from mirrorstack.kubernetes.worker_pods import WorkerPods

INPUTS = ("access", "name", "replicas", "revision")
READY_SECONDS = 300.0


class PodRolloutProvider(ErrorReportingProvider):
    """Waits when the pods are created, and each time that they change."""

    serialize_as_secret_always = False

    def create(self, props: dict[str, Any]) -> CreateResult:
        _wait(props)
        return CreateResult(props["name"], props)

    def diff(self, _id: str, olds: dict[str, Any], news: dict[str, Any]) -> DiffResult:
        """A rollout that failed and was reverted has the revision of the state, and still has to be
        waited for; so the cluster is asked as well."""
        changed = any(olds.get(key) != news.get(key) for key in INPUTS)
        return DiffResult(changes=changed or _is_rolling_out(news))

    def update(self, _id: str, _olds: dict[str, Any], news: dict[str, Any]) -> UpdateResult:
        _wait(news)
        return UpdateResult(news)


def _is_rolling_out(props: dict[str, Any]) -> bool:
    try:
        return not rolled_out(ClusterAccess.decode(props["access"]), props["name"])
    except UserError:  # unknown: the other resources report it
        return False


def _wait(props: dict[str, Any]) -> None:
    wait_for_rollout(
        ClusterAccess.decode(props["access"]),
        props["name"],
        # Pods are restarted one after the other.
        deadline=time.monotonic() + READY_SECONDS * max(1, int(props["replicas"])),
        report=reporter(f"waiting for the pods of {props['name']}"),
    )


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
