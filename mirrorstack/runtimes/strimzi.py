"""The strimzi runtime: Connect workers that Strimzi's operator runs from a KafkaMirrorMaker2.

The operator creates the connectors too, under names of its own, and keeps Connect's REST API to
itself.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from mirrorstack.config.kubernetes_workers import name_findings
from mirrorstack.config.strimzi_workers import StrimziSettings
from mirrorstack.config.workers import WorkerSettings
from mirrorstack.findings import Finding, KeyPath
from mirrorstack.kubernetes.access import ClusterAccess
from mirrorstack.kubernetes.strimzi_checks import strimzi_findings
from mirrorstack.kubernetes.strimzi_heartbeats import CONNECT, CONNECTOR, heartbeats_name
from mirrorstack.kubernetes.strimzi_resources import MIRROR_MAKER
from mirrorstack.kubernetes.strimzi_status import StrimziObject, stop_resources
from mirrorstack.kubernetes.worker_pods import REST_PORT
from mirrorstack.runtimes.base import DeployedWorkers, Runtime, WorkerPlacement
from mirrorstack.runtimes.kubernetes import STOP_SECONDS, namespace_access


class StrimziRuntime(Runtime):
    """All pods have the same config, which the operator writes."""

    def __init__(self, stack: str, home: Path) -> None:
        super().__init__(stack, home)
        self._secrets: dict[str, str] = {}
        """By target: namespace and name of the Secret with the passwords."""

    def place_workers(
        self, target: str, settings: WorkerSettings, _deployed: DeployedWorkers | None
    ) -> WorkerPlacement:
        strimzi = settings.strimzi
        name = strimzi.object_name(self.stack, target)
        self._secrets[target] = f"{strimzi.namespace}/{passwords_secret(strimzi, name)}"
        heartbeats = heartbeats_name(name) if settings.has_separate_heartbeats else ""
        return WorkerPlacement(
            rest_urls=(f"http://{name}-mirrormaker2-api.{strimzi.namespace}.svc:{REST_PORT}",),
            # By a NetworkPolicy of the operator.
            is_isolated=True,
            options={
                "name": name,
                "access": namespace_access(strimzi).encoded,
                "version": strimzi.api_version,
                "secret": strimzi.secret or "",
                "heartbeats": heartbeats,
            },
        )

    def secret_reference(self, target: str, alias: str) -> str:
        """As the operator writes it, which configures this provider for all of its workers."""
        return f"${{strimzisecrets:{self._secrets[target]}:{alias}}}"

    def worker_properties(self, _rest_url: str) -> Mapping[str, str]:
        """The operator's own."""
        return {}

    def check_host(
        self, placement: WorkerPlacement, target: str, aliases: Sequence[str]
    ) -> Iterator[Finding]:
        options = placement.options
        path: KeyPath = ("workers", target, "strimzi")
        yield from name_findings(options["name"], path, target)
        yield from strimzi_findings(
            ClusterAccess.decode(options["access"]),
            path,
            target,
            version=options["version"],
            kinds=[MIRROR_MAKER, *([CONNECT, CONNECTOR] if options["heartbeats"] else [])],
            passwords_secret=options["secret"],
            aliases=aliases,
        )

    @classmethod
    def stop_workers(cls, options: Mapping[str, str]) -> None:
        version, heartbeats = options["version"], options["heartbeats"]
        objects = [StrimziObject(version, MIRROR_MAKER, options["name"])]
        objects += [StrimziObject(version, CONNECT, heartbeats)] if heartbeats else []
        deadline = time.monotonic() + STOP_SECONDS
        stop_resources(ClusterAccess.decode(options["access"]), objects, deadline)


def passwords_secret(strimzi: StrimziSettings, name: str) -> str:
    return strimzi.secret or f"{name}-passwords"
