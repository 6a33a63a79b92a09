"""Requests to Connect's REST API, and its error responses. Values only: no network."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from http import HTTPStatus
from typing import Any
from urllib.parse import quote, urlencode

from mirrorstack.findings import UserError

MESSAGE_CHARACTERS = 600


class ConnectorState(StrEnum):
    """The declared state of a connector."""

    RUNNING = "running"
    PAUSED = "paused"
    """Its tasks stay assigned and do nothing: quick to resume."""
    STOPPED = "stopped"
    """It has no tasks; only in this state can its offsets be changed."""


@dataclass(frozen=True)
class Request:
    """One request: what `client` sends, and what error messages name."""

    method: str
    path: str
    body: Mapping[str, Any] | None = None

    def __str__(self) -> str:
        return f"{self.method} {self.path}"


def get_worker() -> Request:
    """The version of a worker and the id of its Kafka cluster."""
    return Request("GET", "/")


def get_plugins() -> Request:
    return Request("GET", "/connector-plugins")


def get_connectors() -> Request:
    """All connectors, with configs and states."""
    return Request("GET", "/connectors?expand=info&expand=status")


def get_statuses() -> Request:
    """The status of all connectors."""
    return Request("GET", "/connectors?expand=status")


def get_config(name: str) -> Request:
    return Request("GET", _connector(name, "config"))


def get_status(name: str) -> Request:
    return Request("GET", _connector(name, "status"))


def get_tasks(name: str) -> Request:
    return Request("GET", _connector(name, "tasks"))


def get_offsets(name: str) -> Request:
    return Request("GET", _connector(name, "offsets"))


def reset_offsets(name: str, partitions: Iterable[Mapping[str, Any]]) -> Request:
    """As if nothing of these partitions had been replicated; the connector must be STOPPED."""
    offsets = [{"partition": dict(each), "offset": None} for each in partitions]
    return Request("PATCH", _connector(name, "offsets"), {"offsets": offsets})


def validate(name: str, config: Mapping[str, str]) -> Request:
    """The worker's own validation of a config; it changes nothing."""
    plugin = config["connector.class"]
    path = f"/connector-plugins/{quote(plugin, safe='')}/config/validate"
    return Request("PUT", path, {**config, "name": name})


def create(name: str, config: Mapping[str, str], state: ConnectorState) -> Request:
    """A connector that has its state from the start: a stopped one never ran."""
    body = {"name": name, "config": dict(config), "initial_state": state.upper()}
    return Request("POST", "/connectors", body)


def put_config(name: str, config: Mapping[str, str]) -> Request:
    return Request("PUT", _connector(name, "config"), dict(config))


def set_state(name: str, state: ConnectorState) -> Request:
    verbs = {
        ConnectorState.RUNNING: "resume",
        ConnectorState.PAUSED: "pause",
        ConnectorState.STOPPED: "stop",
    }
    return Request("PUT", _connector(name, verbs[state]))


def restart(name: str, *, only_failed: bool) -> Request:
    """Restart a connector and its tasks, or only those that have FAILED."""
    query = urlencode({"includeTasks": "true", "onlyFailed": str(only_failed).lower()})
    return Request("POST", f"{_connector(name, 'restart')}?{query}")


def delete(name: str) -> Request:
    return Request("DELETE", _connector(name))


class ConnectResponseError(UserError):
    """Connect responded with an error, or not with JSON."""

    def __init__(
        self, request: Request, status: int, message: str, *, by_connect: bool = True
    ) -> None:
        super().__init__(f"Connect responded to {request} with {status}: {message}", _fix(status))
        self.status = status
        self.reason = message
        self.by_connect = by_connect

    @property
    def is_not_found(self) -> bool:
        return self.status == HTTPStatus.NOT_FOUND and not self.is_starting

    @property
    def is_starting(self) -> bool:
        """A starting worker has no paths: its 404 is the web server's, not Connect's."""
        return self.status == HTTPStatus.NOT_FOUND and not self.by_connect

    @property
    def requires_authentication(self) -> bool:
        return self.status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN)

    @property
    def already_exists(self) -> bool:
        return self.status == HTTPStatus.CONFLICT and self.reason.endswith("already exists")

    @property
    def is_transient(self) -> bool:
        """Whether the same request may succeed later: 409 is a rebalance, 5xx a busy worker.

        Connect responds with 500 to the validation of an unknown class, which is a bad request.
        """
        if self.already_exists or "BadRequestException" in self.reason:
            return False
        return self.status >= 500 or self.status == HTTPStatus.CONFLICT


class ConnectUnreachableError(UserError):
    """No response, or not in time."""

    def __init__(self, url: str, reason: str) -> None:
        super().__init__(
            f"no Connect worker responds at {url}: {reason}",
            "check that Connect is running there, or correct the URL; `pulumi up` restarts a "
            "stopped worker of a stack",
        )


def parse_response(request: Request, status: int, body: bytes) -> Any:
    """The response's JSON (None without a body); raises an error with status and message."""
    if not 200 <= status < 300:
        raise ConnectResponseError(
            request, status, _message(body), by_connect=b'"error_code"' in body
        )
    if not body.strip():
        return None
    try:
        return json.loads(body)
    except ValueError:
        # A proxy's page, or a server that is not Connect: status 200 proves nothing.
        raise ConnectResponseError(request, status, f"no JSON: {_message(body)}") from None


def _connector(name: str, *more: str) -> str:
    return "/".join(("/connectors", quote(name, safe=""), *more))


def _message(body: bytes) -> str:
    """Connect's own message; of anything else (a proxy's page) the beginning."""
    text = body.decode("utf-8", "replace")
    try:
        answer = json.loads(text)
    except ValueError:
        answer = None
    if isinstance(answer, dict) and "message" in answer:
        text = str(answer["message"])
    text = " ".join(text.split()) or "no message"
    return text if len(text) <= MESSAGE_CHARACTERS else f"{text[:MESSAGE_CHARACTERS]} ..."


def _fix(status: int) -> str:
    if status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
        return "correct the user name and password in the credentials file"
    if status == HTTPStatus.CONFLICT:
        return "Connect is rebalancing; retry when it has finished"
    if status >= 500:
        return "fix the error that the worker's log shows, then retry"
    return "correct the request as the message says"
