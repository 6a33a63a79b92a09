"""The health of a flow whose connectors the stack does not create itself.

In dedicated mode MirrorMaker creates them, on Strimzi its operator does. Connect's REST API is not
reachable there, but the internal topics of the Connect group on the target show the same.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

import pulumi
from pulumi.dynamic import (
    CheckFailure,
    CheckResult,
    CreateResult,
    DiffResult,
    Resource,
    UpdateResult,
)

from components.cluster_props import PasswordProvider, cluster_props
from components.connector import ConnectorSource, ConnectorTarget
from components.progress import reporter
from mirrorstack.connect.config import normalise
from mirrorstack.connect.health import ConnectorSpec, Expectation, Health
from mirrorstack.connect.internal_topics import InternalTopicsReader
from mirrorstack.connect.progress import ReplicationProgress
from mirrorstack.connect.protocol import ConnectorState
from mirrorstack.connect.storage import ConnectStorage
from mirrorstack.connect.waiting import check_health, wait_until_healthy
from mirrorstack.findings import UserError
from mirrorstack.kafka.backlog import topics_with_backlog
from mirrorstack.local.polling import poll_until
from mirrorstack.mm2.connector_configs import ConnectorKind
from mirrorstack.mm2.dedicated.config import without_worker_keys
from mirrorstack.planning.checks.connector_checks import catalogue_findings, naming_findings
from mirrorstack.planning.deployment import FlowDeployment
from mirrorstack.planning.stall_facts import StallInspector
from mirrorstack.runtimes.registry import restart_workers

PROVIDER_VERSION = "1"
COMPARED = ("connectors", "names", "storage", "runtime", "provider_version")
READY_SECONDS, RESTART_SECONDS = 300.0, 120.0


class FlowHealthProvider(PasswordProvider):
    """Waits until the connectors of a flow are healthy, whenever the flow or its workers change,
    and when they are not."""

    def check(self, olds: dict[str, Any], news: dict[str, Any]) -> CheckResult:
        found = [
            finding
            for connector in news["connectors"]
            for finding in catalogue_findings(without_worker_keys(normalise(connector["config"])))
        ]
        found += naming_findings(_naming_inputs(olds), _naming_inputs(news))
        return CheckResult(news, [CheckFailure("", str(one)) for one in found])

    def create(self, props: dict[str, Any]) -> CreateResult:
        self._wait(props)
        return CreateResult(props["name"], props)

    def diff(self, _id: str, olds: dict[str, Any], news: dict[str, Any]) -> DiffResult:
        changed = any(olds.get(key) != news.get(key) for key in COMPARED)
        return DiffResult(changes=changed or not self._is_healthy(news))

    def update(self, _id: str, _olds: dict[str, Any], news: dict[str, Any]) -> UpdateResult:
        self._wait(news)
        return UpdateResult(news)

    def _wait(self, props: Mapping[str, Any]) -> None:
        deadline = time.monotonic() + READY_SECONDS
        source, target = self.cluster(props["source"]), self.cluster(props["target"])
        reader = InternalTopicsReader(target, ConnectStorage(**props["storage"]))

        def restart(name: str) -> None:
            """The workers; their platform may do it by itself. The topics show the old status until
            they run again."""
            restart_workers(props["runtime"], props["options"])
            limit = min(deadline, time.monotonic() + RESTART_SECONDS)
            poll_until(
                lambda: not ((status := reader.status(name)) and status.has_failed),
                deadline=limit,
                on_timeout=lambda: UserError(f"connector {name} has FAILED again"),
            )

        for connector in _judged(props):
            spec, is_source = _spec(connector), connector["kind"] == ConnectorKind.SOURCE
            try:
                wait_until_healthy(
                    reader,
                    spec,
                    deadline=deadline,
                    report=reporter(f"waiting for {spec.name} of {props['flow']}"),
                    backlog=(lambda offsets: topics_with_backlog(source, offsets))
                    if is_source
                    else None,
                    stalls=StallInspector(source, target, spec.config, props.get("names"))
                    if is_source
                    else None,
                    restart=restart,
                )
            except UserError as error:
                raise UserError.of(
                    replace(each, message=f"flow {props['flow']}: {each.message}")
                    for each in error.findings
                ) from error

    def _is_healthy(self, props: Mapping[str, Any]) -> bool:
        """At once: a task that has FAILED, or workers that are gone, are worth an update."""
        try:
            target = self.cluster(props["target"])
            reader = InternalTopicsReader(target, ConnectStorage(**props["storage"]))
            return all(_is_running(reader, _spec(connector)) for connector in _judged(props))
        except UserError:  # unknown: other resources report it
            return True


def _is_running(reader: InternalTopicsReader, spec: ConnectorSpec) -> bool:
    """Without a look at its offsets: with exactly-once, each transaction adds some to their topic,
    and a preview should not take longer for it."""
    spec = replace(spec, expectation=replace(spec.expectation, records=frozenset()))
    health = check_health(reader, spec, ReplicationProgress(None, None))
    return health.health is Health.HEALTHY


def _judged(props: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [each for each in props["connectors"] if not each.get("elsewhere")]


def _spec(connector: Mapping[str, Any]) -> ConnectorSpec:
    return ConnectorSpec(
        name=connector["name"],
        config=normalise(connector["config"]),
        state=ConnectorState(connector["state"]),
        expectation=Expectation.decoded(connector["expect"]),
        declared_keys=frozenset(connector.get("declared_keys") or ()) or None,
    )


def _naming_inputs(props: Mapping[str, Any]) -> dict[str, Any]:
    """Of the source connector, which gives the names of target topics."""
    sources = [
        each for each in props.get("connectors") or () if each["kind"] == ConnectorKind.SOURCE
    ]
    if not sources:
        return {}
    return {
        "config": sources[0]["config"],
        "expect": sources[0]["expect"],
        "names": props.get("names"),
        "new_topics": props.get("new_topics"),
    }


@dataclass(frozen=True, kw_only=True)
class FlowHealthArgs:
    flow: FlowDeployment
    expectations: Mapping[ConnectorKind, Expectation]
    elsewhere: frozenset[ConnectorKind] = frozenset()
    """Connectors on workers of their own, which other resources wait for."""
    declared_keys: Callable[[Mapping[str, str]], Collection[str]] = lambda _config: ()
    """The keys of a config that tasks have to show; none: all, and no others."""
    source: ConnectorSource
    target: ConnectorTarget
    storage: ConnectStorage
    runtime: str
    """Of the workers, and where they run: to restart them."""
    options: Mapping[str, str]
    rest_url: str
    """The address of the workers, by which policies find them."""


class FlowHealth(Resource, module="mirrorstack", name="FlowHealth"):
    """Complete when the connectors of the flow are healthy, which RUNNING alone is not."""

    name: pulumi.Output[str]

    def __init__(self, name: str, args: FlowHealthArgs, opts: pulumi.ResourceOptions) -> None:
        flow = args.flow
        props = {
            # As the source connector would be named that the stack creates.
            "name": f"{flow.name}-{ConnectorKind.SOURCE}",
            "flow": flow.name,
            "connectors": [
                {
                    "name": connector.name,
                    "kind": connector.kind.value,
                    "config": dict(connector.config),
                    "state": flow.state,
                    "expect": args.expectations[connector.kind].encoded(),
                    "elsewhere": connector.kind in args.elsewhere,
                    "declared_keys": sorted(args.declared_keys(connector.config)),
                }
                for connector in flow.connectors
            ],
            "names": flow.names,
            "new_topics": sorted(flow.new_topics),
            "storage": asdict(args.storage),
            "source": cluster_props(args.source.cluster, args.source.password),
            "target": cluster_props(args.target.cluster, args.target.password),
            "runtime": args.runtime,
            "options": dict(args.options),
            "rest_url": args.rest_url,
            "provider_version": PROVIDER_VERSION,
        }
        super().__init__(FlowHealthProvider(), name, props, opts)
