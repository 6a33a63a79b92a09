"""The dynamic provider of connectors: the engine's calls as calls of `mirrorstack.connect`."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from pulumi.dynamic import (
    CheckFailure,
    CheckResult,
    CreateResult,
    DiffResult,
    ReadResult,
    UpdateResult,
)
from pulumi.output import Unknown
from pulumi.runtime.rpc import UNKNOWN

from components.cluster_props import PasswordProvider
from components.progress import reporter
from mirrorstack.connect import reconcile
from mirrorstack.connect.client import ConnectClient, RetryPolicy
from mirrorstack.connect.config import normalise, without_secrets
from mirrorstack.connect.health import ConnectorSpec, Expectation
from mirrorstack.connect.progress import BacklogQuery
from mirrorstack.connect.protocol import ConnectorState, ConnectUnreachableError
from mirrorstack.connect.removal import ConnectGroup, delete_connector
from mirrorstack.connect.rest_login import RestLogin
from mirrorstack.connect.stalls import StallQuery
from mirrorstack.findings import UserError
from mirrorstack.kafka.backlog import topics_with_backlog
from mirrorstack.planning.checks.connector_checks import (
    catalogue_findings,
    live_findings,
    local_findings,
    naming_findings,
)
from mirrorstack.planning.stall_facts import StallInspector

# The engine reads and deletes with the state, so a connector records which code wrote it. Raise it
# when create or update change: every connector is then updated once.
PROVIDER_VERSION = "2"

UNREACHABLE = "unreachable"
REPLACING = ("name", "rest_url")
LOGIN = tuple(each.name for each in fields(RestLogin))
UPDATING = ("config", "state", "names", "provider_version", *LOGIN)
# A preview does not wait long for a worker that hangs.
CHECK_SECONDS, DRIFT_SECONDS = 10.0, 5.0
# A worker that dies during a deployment is restarted by its runtime.
COMEBACK_SECONDS = 90.0
READ_PATIENCE = RetryPolicy(seconds=30.0)
CHECK_PATIENCE = RetryPolicy(seconds=5.0)


class ConnectorProvider(PasswordProvider):
    """Has no attributes when it is pickled: the pickle is a reference to this class."""

    def check(self, olds: dict[str, Any], news: dict[str, Any]) -> CheckResult:
        inputs = {key: _marked(value) for key, value in news.items() if value is not None}
        known = {key: value for key, value in inputs.items() if not _has_unknown(value)}
        found = [*local_findings(known), *naming_findings(olds, known)]
        if generation := _generation(olds, news):
            inputs["generation"] = generation
        if "config" in known:
            inputs["config"] = known["config"] = normalise(known["config"])
        if not found and {"rest_url", "name", "config"} <= known.keys() and _may_log_in(inputs):
            client = self._client(known, timeout=CHECK_SECONDS, retries=CHECK_PATIENCE)
            found = live_findings(client, known["name"], known["config"])
        elif not found and isinstance(inputs.get("config"), Mapping):
            config = {k: v for k, v in inputs["config"].items() if not _has_unknown(v)}
            found = catalogue_findings(normalise(config), complete="config" in known)
        # Without a property, because the engine would print the value of that input.
        return CheckResult(inputs, [CheckFailure("", str(one)) for one in found])

    def diff(self, id_: str, old_outputs: dict[str, Any], news: dict[str, Any]) -> DiffResult:
        """A replacement deletes first: two connectors of a flow would replicate every record twice,
        and where only the address changes, both would have the same name."""
        replaces = [key for key in REPLACING if old_outputs.get(key) != news.get(key)]
        updates = [key for key in UPDATING if old_outputs.get(key) != news.get(key)]
        if "rest_url" in replaces and _is_same_group(old_outputs, news):
            # Other workers, on another runtime for example, that have the connector already.
            replaces.remove("rest_url")
            updates.append("rest_url")
        # Where target topics are recreated, the offsets of their source topics are reset, even if
        # nothing else changes. In a refresh the generation is that of the last deployment.
        recreated = news.get("generation") != old_outputs.get("generation")
        return DiffResult(
            changes=bool(replaces or updates or recreated) or self._has_drifted(id_, news),
            replaces=replaces,
            delete_before_replace=True,
        )

    def create(self, props: dict[str, Any]) -> CreateResult:
        deadline = time.monotonic() + props["ready_within"]
        client = self._client(props, retries=_until(deadline))
        report = reporter(f"waiting for connector {props['name']}")
        reconcile.create(
            client,
            _declared(props),
            deadline=deadline,
            report=report,
            backlog=self._backlog(props),
            stalls=self._stalls(props),
        )
        return CreateResult(props["name"], _outputs(props))

    def update(self, _id: str, _old_outputs: dict[str, Any], news: dict[str, Any]) -> UpdateResult:
        deadline = time.monotonic() + news["ready_within"]
        client = self._client(news, retries=_until(deadline))
        report = reporter(f"waiting for connector {news['name']}")
        reconcile.update(
            client,
            _declared(news),
            deadline=deadline,
            report=report,
            backlog=self._backlog(news),
            stalls=self._stalls(news),
        )
        return UpdateResult(_outputs(news))

    def read(self, id_: str, props: dict[str, Any]) -> ReadResult:
        """The live config and state, as outputs and as inputs: drift is visible only with both."""
        try:
            client = self._client(props, retries=READ_PATIENCE)
            live = client.config(id_)
        except ConnectUnreachableError:
            # Shown as drift, so that the next `up` updates it.
            unknown = {**_outputs(props), "state": UNREACHABLE}
            return ReadResult(id_, unknown, dict(unknown))
        if live is None:
            return ReadResult(None, {})
        now = {
            **_outputs(props),
            "config": without_secrets(normalise(live)),
            "state": _live_state(client, id_, props["state"]),
        }
        return ReadResult(id_, now, dict(now))

    def delete(self, id_: str, props: dict[str, Any]) -> None:
        """Also when the workers are gone, after a reboot for example."""
        # Files of a worker that is gone may be gone as well.
        login = RestLogin.of(props) if _may_log_in(props) else RestLogin()
        login = login.without_missing_secret(self.secret)
        client = login.client(props["rest_url"], self.secret, retries=READ_PATIENCE)
        delete_connector(client, id_, lambda: self._group(props))

    def _client(self, props: Mapping[str, Any], **options: Any) -> ConnectClient:
        return RestLogin.of(props).client(props["rest_url"], self.secret, **options)

    def _has_drifted(self, name: str, props: Mapping[str, Any]) -> bool:
        """Whether the live connector differs from the declaration.

        An update that failed leaves the old state and the new config in Connect. A return to the
        old declaration would show no change, and leave the broken connector in place.
        """
        if not _may_log_in(props):
            return False
        try:
            client = self._client(props, timeout=DRIFT_SECONDS, retries=CHECK_PATIENCE)
            live = client.config(name)
            return (
                live is None
                or reconcile.differs(live, props["config"])
                or _live_state(client, name, props["state"]) != props["state"]
            )
        except UserError:  # unknown: `pulumi refresh` reports it
            return False

    def _group(self, props: Mapping[str, Any]) -> ConnectGroup | None:
        target = props.get("target")
        if not target or not target.get("configs_topic"):
            return None
        cluster = self.cluster(target["cluster"])
        return ConnectGroup(cluster, target["group"], target["configs_topic"])

    def _backlog(self, props: Mapping[str, Any]) -> BacklogQuery | None:
        if not props.get("source"):
            return None
        source = self.cluster(props["source"])
        return lambda offsets: topics_with_backlog(source, offsets)

    def _stalls(self, props: Mapping[str, Any]) -> StallQuery | None:
        if not props.get("source") or not props.get("target"):
            return None
        source, target = self.cluster(props["source"]), self.cluster(props["target"]["cluster"])
        return StallInspector(source, target, props["config"], props.get("names"))


def _is_same_group(olds: Mapping[str, Any], news: Mapping[str, Any]) -> bool:
    """Whether the same Connect group runs it, and so has its config and its offsets."""
    old, new = olds.get("target"), news.get("target")
    if not isinstance(old, Mapping) or not isinstance(new, Mapping):
        return False
    same_cluster = old["cluster"]["bootstrap_servers"] == new["cluster"]["bootstrap_servers"]
    return bool(same_cluster and old["group"] == new["group"])


def _until(deadline: float) -> RetryPolicy:
    return RetryPolicy(COMEBACK_SECONDS, deadline, wait_for_worker=True)


def _generation(olds: Mapping[str, Any], news: Mapping[str, Any]) -> int:
    """Counts the deployments that created target topics: a change resets the offsets of
    `new_topics`. From the state, so that a preview and the deployment after it agree."""
    return int(olds.get("generation") or 0) + bool(news.get("new_topics"))


def _may_log_in(inputs: Mapping[str, Any]) -> bool:
    """Whether everything that a login to the worker needs is known and exists."""
    known = all(inputs.get(key) != UNKNOWN for key in LOGIN)
    return known and RestLogin.of(inputs).files_exist


def _declared(props: Mapping[str, Any]) -> ConnectorSpec:
    return ConnectorSpec(
        name=props["name"],
        config=props["config"],
        state=ConnectorState(props["state"]),
        new_topics=frozenset(props.get("new_topics") or ()),
        expectation=Expectation.decoded(props["expect"]),
    )


def _outputs(props: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in props.items() if not key.startswith("__")}


def _live_state(client: ConnectClient, name: str, before: str) -> str:
    """The state as a declaration has it; `failed` where an update would fix it."""
    status = client.status(name)
    if status is None:
        return before
    if status.has_failed:
        return "failed"
    # UNASSIGNED and RESTARTING pass by themselves during a rebalance: they are no drift.
    return status.state.lower() if status.state.lower() in list(ConnectorState) else before


def _has_unknown(value: Any) -> bool:
    if isinstance(value, Mapping):
        return any(_has_unknown(item) for item in value.values())
    if isinstance(value, list):
        return any(_has_unknown(item) for item in value)
    return bool(value == UNKNOWN)


def _marked(value: Any) -> Any:
    """With the engine's marker in place of the SDK's object for unknown values."""
    if isinstance(value, Mapping):
        return {key: _marked(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_marked(item) for item in value]
    return UNKNOWN if isinstance(value, Unknown) else value
