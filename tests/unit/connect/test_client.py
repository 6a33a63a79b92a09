"""The client on a real socket: retries, timeouts, TLS and credentials."""

from __future__ import annotations

import socket
import time
from base64 import b64encode
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from mirrorstack.connect.client import ConnectClient, RetryPolicy
from mirrorstack.connect.credentials import Credentials
from mirrorstack.connect.protocol import (
    ConnectorState,
    ConnectResponseError,
    ConnectUnreachableError,
)
from mirrorstack.findings import UserError
from mirrorstack.sandbox.certificates import ensure, keystore
from mirrorstack.sandbox.layout import Layout
from tests.loopback import refused_connections, serving
from tests.unit.connect.scripted import REBALANCING, Script, playing

CONFIG = "GET /connectors/orders/config"
PATH = "/connectors/orders/config"
BUSY = (503, {"error_code": 503, "message": "starting"})


class TestRetries:
    @pytest.mark.parametrize("error", [REBALANCING, BUSY])
    @pytest.mark.usefixtures("clock")
    def test_a_transient_error_is_retried(self, connect: Script, error: tuple[int, object]) -> None:
        connect[CONFIG] = [error, error, (200, {"topics": "orders"})]

        assert ConnectClient(connect.url).config("orders") == {"topics": "orders"}
        assert connect.count(CONFIG) == 3

    def test_an_error_that_persists_is_raised_when_the_retries_end(
        self, connect: Script, clock: list[float]
    ) -> None:
        connect[CONFIG] = BUSY

        with pytest.raises(ConnectResponseError, match="503: starting"):
            ConnectClient(connect.url, retries=RetryPolicy(seconds=20)).config("orders")

        assert 10 < sum(clock) <= 20
        assert clock == sorted(clock), "each pause is at least as long as the one before"

    def test_no_attempt_starts_after_the_deadline(
        self, connect: Script, clock: list[float]
    ) -> None:
        connect[CONFIG] = BUSY
        retries = RetryPolicy(seconds=60, deadline=time.monotonic() + 5)

        with pytest.raises(ConnectResponseError):
            ConnectClient(connect.url, retries=retries).config("orders")

        assert sum(clock) <= 5

    def test_a_permanent_error_is_raised_at_once(self, connect: Script, clock: list[float]) -> None:
        connect[CONFIG] = (400, {"message": "no"})

        with pytest.raises(ConnectResponseError, match="400: no"):
            ConnectClient(connect.url).config("orders")

        assert clock == []

    def test_an_unreachable_worker_is_an_error_at_once(self, clock: list[float]) -> None:
        with (
            refused_connections() as url,
            pytest.raises(ConnectUnreachableError, match="connection refused"),
        ):
            ConnectClient(url).config("orders")

        assert clock == []

    def test_an_unreachable_worker_is_retried_on_request(self, clock: list[float]) -> None:
        retries = RetryPolicy(seconds=20, wait_for_worker=True)
        with refused_connections() as url, pytest.raises(ConnectUnreachableError):
            ConnectClient(url, retries=retries).config("orders")

        assert 10 < sum(clock) <= 20

    def test_a_worker_that_is_starting_is_waited_for(
        self, connect: Script, clock: list[float]
    ) -> None:
        """Its web server answers before Connect does."""
        starting = (404, None)
        connect["GET /connectors/orders/config"] = [starting, starting, (200, {"a": "b"})]
        patient = ConnectClient(connect.url, retries=RetryPolicy(20, wait_for_worker=True))

        assert patient.config("orders") == {"a": "b"}
        assert len(clock) == 2
        connect["GET /connectors/orders/config"] = starting
        with pytest.raises(ConnectResponseError, match="404"):
            ConnectClient(connect.url).config("orders")


class TestTimeouts:
    def test_a_response_that_stalls_times_out(self) -> None:
        with serving() as site:
            site.files[PATH] = b'{"topics": "orders"}'
            with (
                site.holding(PATH),
                pytest.raises(ConnectUnreachableError, match=r"no response within 0\.3 s"),
            ):
                ConnectClient(site.url, timeout=0.3).config("orders")

    def test_a_truncated_response_is_an_error(self) -> None:
        with serving() as site:
            site.files[PATH] = b'{"topics": "orders"}'
            site.cuts[PATH] = [10]
            with pytest.raises(ConnectUnreachableError, match="IncompleteRead"):
                ConnectClient(site.url).config("orders")


class TestResponses:
    def test_a_missing_connector_is_none(self, connect: Script) -> None:
        client = ConnectClient(connect.url)

        assert client.config("orders") is None
        assert client.status("orders") is None
        assert client.tasks("orders") == ()
        assert client.delete("orders") is False

    def test_a_rejected_delete_raises(self, connect: Script) -> None:
        connect["DELETE /connectors/orders"] = (403, {"message": "not you"})

        with pytest.raises(ConnectResponseError, match="not you"):
            ConnectClient(connect.url).delete("orders")

    def test_an_existing_name_is_not_created(self, connect: Script) -> None:
        connect["POST /connectors"] = (409, {"message": "Connector orders already exists"})

        assert ConnectClient(connect.url).create("orders", {}, ConnectorState.RUNNING) is False

    def test_a_path_in_the_url_is_kept(self, connect: Script) -> None:
        connect["GET /behind/proxy/connectors/orders/config"] = (200, {"topics": "orders"})

        assert ConnectClient(f"{connect.url}/behind/proxy/").config("orders")


class TestTls:
    def test_requests_go_only_to_workers_with_a_trusted_certificate(self, tmp_path: Path) -> None:
        layout = Layout(tmp_path.resolve(), "trial")
        ensure(layout, ["worker"])
        with playing(keystore(layout, "worker")) as connect:
            connect[CONFIG] = (200, {"topics": "orders"})
            someone = Credentials("operator", "hunter2")

            assert ConnectClient(connect.url, someone, ca_file=layout.ca).config("orders")
            with pytest.raises(ConnectUnreachableError, match="its certificate is not trusted"):
                ConnectClient(connect.url, someone).config("orders")

            assert len(connect.asked) == 1, "an untrusted worker gets no password"

    def test_a_client_certificate_opens_workers_that_require_one(self, tmp_path: Path) -> None:
        layout = Layout(tmp_path.resolve(), "trial")
        ensure(layout, ["worker"])
        own = keystore(layout, "worker")
        with playing(own, client_ca=layout.ca) as connect:
            connect[CONFIG] = (200, {"topics": "orders"})

            client = ConnectClient(connect.url, ca_file=layout.ca, certificate_file=own)
            assert client.config("orders")
            with pytest.raises(ConnectUnreachableError):
                ConnectClient(connect.url, ca_file=layout.ca).config("orders")

    def test_an_unusable_client_certificate_is_named(self, tmp_path: Path) -> None:
        file = tmp_path / "client.pem"
        file.write_text("no certificate")

        with pytest.raises(UserError, match=r"client certificate of .*client\.pem cannot be used"):
            ConnectClient("https://localhost:8083", certificate_file=file)


class TestSecrets:
    def test_the_password_is_in_the_header_and_nowhere_else(self, connect: Script) -> None:
        connect[CONFIG] = (401, {"message": "User cannot access the resource."})
        someone = Credentials("operator", "hunter2")

        with pytest.raises(ConnectResponseError) as raised:
            ConnectClient(connect.url, someone).config("orders")

        token = b64encode(b"operator:hunter2").decode()
        assert connect.asked[0].authorization == f"Basic {token}"
        assert "hunter2" not in f"{raised.value} {raised.value!r} {someone}"

    @pytest.mark.parametrize(
        "url", ["http://operator:hunter2@localhost:8083", "localhost:8083", "file:///etc/passwd"]
    )
    def test_an_invalid_url_is_rejected_without_quoting_it(self, url: str) -> None:
        with pytest.raises(UserError, match="is not http") as raised:
            ConnectClient(url)

        assert "hunter2" not in str(raised.value)

    def test_an_unusable_ca_file_is_named(self, tmp_path: Path) -> None:
        file = tmp_path / "ca.pem"
        file.write_text("no certificate")

        with pytest.raises(UserError, match=r"ca\.pem cannot be used"):
            ConnectClient("https://localhost:8083", ca_file=file)


class TestOtherConnections:
    """Where the address in the URL is not reachable from this machine."""

    def test_requests_use_the_connection_that_is_opened_for_them(self, connect: Script) -> None:
        connect[CONFIG] = (200, {"topics": "orders"})
        opened: list[int] = []

        def dial(port: int, timeout: float) -> socket.socket:
            opened.append(port)
            address = ("127.0.0.1", urlsplit(connect.url).port or 0)
            return socket.create_connection(address, timeout)

        client = ConnectClient("http://connect.kafka.svc:8083", connect=dial)

        assert client.config("orders") == {"topics": "orders"}
        assert client.config("orders") == {"topics": "orders"}
        assert opened == [8083, 8083]

    def test_the_reason_why_there_is_no_connection_is_reported(self) -> None:
        def dial(_port: int, _timeout: float) -> socket.socket:
            raise ConnectionRefusedError(0, "no pod is Ready")

        client = ConnectClient("http://connect.kafka.svc:8083", connect=dial)

        with pytest.raises(ConnectUnreachableError, match="no pod is ready"):
            client.config("orders")
