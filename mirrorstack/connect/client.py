"""Connect's REST API over the network: the one place for timeouts, retries and credentials."""

from __future__ import annotations

import copy
import http.client
import json
import math
import socket
import ssl
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from mirrorstack.connect import protocol, responses
from mirrorstack.connect.credentials import BearerToken, Credentials
from mirrorstack.connect.protocol import (
    ConnectorState,
    ConnectResponseError,
    ConnectUnreachableError,
    Request,
)
from mirrorstack.connect.responses import (
    ConnectorStatus,
    LiveConnector,
    TaskConfig,
    Validation,
    WorkerInfo,
)
from mirrorstack.findings import UserError
from mirrorstack.kafka.partitions import TopicPartition

Dial = Callable[[int, float], socket.socket]
"""Opens a connection: port, seconds. It raises an OSError where that is not possible."""
CALL_SECONDS = 30.0
BLOCK = 1 << 16
FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS = 0.2, 3.0


@dataclass(frozen=True)
class RetryPolicy:
    """How long a request is retried. Both limits apply; each attempt has the call's timeout."""

    seconds: float = 30.0
    """Of each request: a rebalance takes seconds, the loss of a worker up to half a minute."""
    deadline: float = math.inf
    """Of the whole operation, a value of `time.monotonic()`."""
    wait_for_worker: bool = False
    """Whether to retry without a response, too: for a worker that is starting."""


class ConnectClient:
    """A Connect cluster, by the URL of any of its workers."""

    def __init__(
        self,
        url: str,
        credentials: Credentials | BearerToken | None = None,
        *,
        ca_file: Path | None = None,
        certificate_file: Path | None = None,
        key_file: Path | None = None,
        connect: Dial | None = None,
        timeout: float = CALL_SECONDS,
        retries: RetryPolicy = RetryPolicy(),
    ) -> None:
        """`connect`: how a connection is opened, if not by the address in the URL."""
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname or "@" in parts.netloc:
            # The URL is not quoted: it may contain a password before an @.
            raise UserError(
                "the URL of Connect's REST API is not http(s)://host:port",
                "correct it; a user name and a password belong in the credentials file",
            )
        self.url = url.rstrip("/")
        self._host, self._port, self._base = parts.hostname, parts.port, parts.path.rstrip("/")
        self._tls = None
        if parts.scheme == "https":
            self._tls = _trust(ca_file)
            if certificate_file:
                _present(self._tls, certificate_file, key_file)
        self._headers = {"Accept": "application/json", "Connection": "close"}
        if credentials:
            self._headers["Authorization"] = credentials.authorization
        self._connect = connect
        self._timeout = timeout
        self._retries = retries

    def with_retries(self, retries: RetryPolicy) -> ConnectClient:
        """The same client with another retry policy."""
        other = copy.copy(self)
        other._retries = retries
        return other

    def worker(self) -> WorkerInfo:
        return responses.worker(self._send(protocol.get_worker()))

    def plugins(self) -> frozenset[str]:
        """The Java classes of the connectors that the workers have."""
        return responses.plugins(self._send(protocol.get_plugins()))

    def connectors(self) -> dict[str, LiveConnector]:
        """All connectors, by name."""
        return responses.connectors(self._send(protocol.get_connectors()))

    def statuses(self) -> dict[str, ConnectorStatus]:
        """The status of all connectors, by name."""
        return responses.statuses(self._send(protocol.get_statuses()))

    def config(self, name: str) -> dict[str, str] | None:
        """The live config; None when there is no such connector."""
        response = self._send_if_exists(protocol.get_config(name))
        return None if response is None else responses.config(response)

    def status(self, name: str) -> ConnectorStatus | None:
        """None when there is no such connector, and for a moment after it was created."""
        response = self._send_if_exists(protocol.get_status(name))
        return None if response is None else responses.status(response)

    def tasks(self, name: str) -> tuple[TaskConfig, ...]:
        return responses.tasks(self._send_if_exists(protocol.get_tasks(name)) or [])

    def offsets(self, name: str) -> dict[TopicPartition, int]:
        return responses.offsets(self._send(protocol.get_offsets(name)))

    def partitions_with_offsets(self, name: str, topics: Collection[str]) -> list[dict[str, Any]]:
        return responses.partitions_of(self._send(protocol.get_offsets(name)), topics)

    def reset_offsets(self, name: str, partitions: Sequence[Mapping[str, Any]]) -> None:
        self._send(protocol.reset_offsets(name, partitions))

    def validate(self, name: str, config: Mapping[str, str]) -> Validation:
        return responses.validation(self._send(protocol.validate(name, config)), config)

    def create(self, name: str, config: Mapping[str, str], state: ConnectorState) -> bool:
        """Whether it was created; False when a connector of that name exists already."""
        try:
            self._send(protocol.create(name, config, state))
        except ConnectResponseError as error:
            if error.already_exists:
                return False
            raise
        return True

    def put_config(self, name: str, config: Mapping[str, str]) -> None:
        self._send(protocol.put_config(name, config))

    def set_state(self, name: str, state: ConnectorState) -> None:
        """Request it; Connect changes the state a moment later."""
        self._send(protocol.set_state(name, state))

    def restart_failed(self, name: str) -> None:
        """Restart those of the connector and its tasks that have FAILED."""
        self._send(protocol.restart(name, only_failed=True))

    def restart(self, name: str) -> None:
        """Restart the connector and all of its tasks."""
        self._send(protocol.restart(name, only_failed=False))

    def delete(self, name: str) -> bool:
        """Whether the connector existed."""
        try:
            self._send(protocol.delete(name))
        except ConnectResponseError as error:
            if error.is_not_found:
                return False
            raise
        return True

    def _send_if_exists(self, request: Request) -> Any:
        try:
            return self._send(request)
        except ConnectResponseError as error:
            if error.is_not_found:
                return None
            raise

    def _send(self, request: Request) -> Any:
        """Retried until there is a response or the retries are over; then raises the last error."""
        end = min(time.monotonic() + self._retries.seconds, self._retries.deadline)
        pause = FIRST_PAUSE_SECONDS
        while True:
            try:
                return protocol.parse_response(request, *self._call(request))
            except ConnectResponseError as error:
                starting = error.is_starting and self._retries.wait_for_worker
                if not (error.is_transient or starting) or time.monotonic() + pause > end:
                    raise
            except ConnectUnreachableError:
                if not self._retries.wait_for_worker or time.monotonic() + pause > end:
                    raise
            time.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE_SECONDS)

    def _call(self, request: Request) -> tuple[int, bytes]:
        """One request on its own connection; the timeout limits all of it, however slow it is."""
        end = time.monotonic() + self._timeout
        connection = self._connection()
        headers = dict(self._headers)
        body = None
        if request.body is not None:
            headers["Content-Type"] = "application/json"
            body = json.dumps(request.body)
        try:
            if self._connect is not None:
                connection.sock = self._connect(connection.port, self._timeout)
            connection.request(request.method, self._base + request.path, body, headers)
            # The connection drops its socket when the server closes; the timeout needs it.
            sock = connection.sock
            response = connection.getresponse()
            return response.status, _read(response, sock, end)
        except (OSError, http.client.HTTPException) as error:
            raise ConnectUnreachableError(self.url, self._reason(error)) from None
        finally:
            connection.close()

    def _connection(self) -> http.client.HTTPConnection:
        if self._tls is None:
            return http.client.HTTPConnection(self._host, self._port, timeout=self._timeout)
        return http.client.HTTPSConnection(
            self._host, self._port, timeout=self._timeout, context=self._tls
        )

    def _reason(self, error: Exception) -> str:
        if isinstance(error, TimeoutError):
            return f"no response within {self._timeout:g} s"
        if isinstance(error, ssl.SSLCertVerificationError):
            return f"its certificate is not trusted: {error.verify_message}"
        if isinstance(error, OSError) and error.strerror:
            return error.strerror.lower()
        return f"{type(error).__name__}: {error}"


def _read(response: http.client.HTTPResponse, sock: socket.socket, end: float) -> bytes:
    """The body. A socket's timeout restarts with every byte, so the rest is set each time."""
    blocks = []
    while True:
        remaining = end - time.monotonic()
        if remaining <= 0:
            raise TimeoutError
        if sock.fileno() >= 0:
            sock.settimeout(remaining)
        block = response.read1(BLOCK)
        if not block:
            break
        blocks.append(block)
    if response.length:  # `read1` does not report a truncated body
        raise http.client.IncompleteRead(b"", response.length)
    return b"".join(blocks)


def _trust(ca_file: Path | None) -> ssl.SSLContext:
    try:
        return ssl.create_default_context(cafile=ca_file)
    except OSError as error:  # ssl.SSLError is one
        raise UserError(
            f"ca_file {ca_file} cannot be used: {error.strerror or error}",
            "it must be a PEM file with the CA certificate of the workers",
        ) from None


def _present(tls: ssl.SSLContext, certificate_file: Path, key_file: Path | None) -> None:
    """The client's own certificate, for mutual TLS."""

    def no_password() -> str:  # without it, the ssl module asks on the terminal
        raise UserError(
            f"the private key of {certificate_file} is encrypted",
            "use a key without a passphrase, in a file that only its owner can read",
        )

    try:
        tls.load_cert_chain(certificate_file, key_file, no_password)
    except OSError as error:
        files = " and ".join(str(file) for file in (certificate_file, key_file) if file)
        raise UserError(
            f"the client certificate of {files} cannot be used: {error.strerror or error}",
            "name PEM files with a certificate and the private key that belongs to it",
        ) from None
