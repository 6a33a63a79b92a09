"""The wait until Strimzi's operator reports that its resources are Ready."""

from __future__ import annotations

import time
from typing import Any

import pulumi
from pulumi.dynamic import Resource

from components.platforms.waiting_provider import WaitingProvider
from components.progress import reporter
from mirrorstack.kubernetes.access import ClusterAccess
from mirrorstack.kubernetes.strimzi_status import StrimziObject, is_ready, wait_until_ready


class StrimziReadinessProvider(WaitingProvider):
    inputs = ("access", "name", "objects", "replicas", "revision")

    def wait(self, props: dict[str, Any]) -> None:
        wait_until_ready(
            ClusterAccess.decode(props["access"]),
            _objects(props),
            replicas=int(props["replicas"]),
            deadline=time.monotonic() + float(props["wait_seconds"]),
            report=reporter("waiting for Strimzi's operator"),
        )

    def is_there(self, props: dict[str, Any]) -> bool:
        return is_ready(ClusterAccess.decode(props["access"]), _objects(props))


def _objects(props: dict[str, Any]) -> list[StrimziObject]:
    return [StrimziObject.decode(text) for text in props["objects"]]


class StrimziReadiness(Resource, module="mirrorstack", name="StrimziReadiness"):
    """After the resources of the operator; what judges the flows comes after it."""

    def __init__(
        self,
        name: str,
        access: ClusterAccess,
        objects: list[StrimziObject],
        opts: pulumi.ResourceOptions,
        *,
        replicas: int,
        revision: str,
        wait_seconds: float,
    ) -> None:
        props = {
            "access": access.encoded,
            "name": objects[0].name,
            "objects": [each.encoded for each in objects],
            "replicas": replicas,
            "revision": revision,
            "wait_seconds": wait_seconds,
        }
        super().__init__(StrimziReadinessProvider(), name, props, opts)
