"""The wait until a container with a Connect worker is healthy, with the reason if it is not.

Pulumi's plugin can wait as well, but reports only that the time is over.
"""

from __future__ import annotations

import time
from typing import Any

import pulumi
from pulumi.dynamic import Resource

from components.platforms.waiting_provider import WaitingProvider
from components.progress import reporter
from mirrorstack.runtimes.container_health import is_healthy, wait_for_container

READY_SECONDS = 180.0


class ContainerHealthProvider(WaitingProvider):
    inputs = ("daemon", "name", "container")

    def wait(self, props: dict[str, Any]) -> None:
        wait_for_container(
            props["daemon"],
            props["name"],
            deadline=time.monotonic() + READY_SECONDS,
            report=reporter(f"waiting for the container {props['name']}"),
        )

    def is_there(self, props: dict[str, Any]) -> bool:
        return is_healthy(props["daemon"], props["name"])


class ContainerHealth(Resource, module="mirrorstack", name="ContainerHealth"):
    """After its container; the next container comes after it."""

    def __init__(
        self,
        name: str,
        daemon: str,
        container_name: str,
        container_id: pulumi.Input[str],
        opts: pulumi.ResourceOptions,
    ) -> None:
        props = {"daemon": daemon, "name": container_name, "container": container_id}
        super().__init__(ContainerHealthProvider(), name, props, opts)
