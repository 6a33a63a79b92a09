"""The wait until a container with a Connect worker is healthy, with the reason if it is not.

Pulumi's plugin can wait as well, but reports only that the time is over.
"""

from __future__ import annotations

import time
from typing import Any

import pulumi
from pulumi.dynamic import CreateResult, DiffResult, Resource, UpdateResult

from components.progress import reporter
from components.provider_errors import ErrorReportingProvider
from mirrorstack.runtimes.container_health import wait_for_container

READY_SECONDS = 180.0


class ContainerHealthProvider(ErrorReportingProvider):
    """Waits for a new container, and for each that replaces it."""

    serialize_as_secret_always = False

    def create(self, props: dict[str, Any]) -> CreateResult:
        _wait(props)
        return CreateResult(props["name"], props)

    def diff(self, _id: str, olds: dict[str, Any], news: dict[str, Any]) -> DiffResult:
        keys = ("daemon", "name", "container")
        return DiffResult(changes=any(olds.get(key) != news.get(key) for key in keys))

    def update(self, _id: str, _olds: dict[str, Any], news: dict[str, Any]) -> UpdateResult:
        _wait(news)
        return UpdateResult(news)


def _wait(props: dict[str, Any]) -> None:
    wait_for_container(
        props["daemon"],
        props["name"],
        deadline=time.monotonic() + READY_SECONDS,
        report=reporter(f"waiting for the container {props['name']}"),
    )


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
