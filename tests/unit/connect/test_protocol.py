"""Requests, and error responses."""

from __future__ import annotations

import pytest

from mirrorstack.connect import protocol
from mirrorstack.connect.protocol import (
    ConnectorState,
    ConnectResponseError,
    Request,
    parse_response,
)

ASK = Request("GET", "/connectors/orders/config")


def rejected(status: int, body: bytes) -> ConnectResponseError:
    with pytest.raises(ConnectResponseError) as caught:
        parse_response(ASK, status, body)
    return caught.value


class TestRequests:
    def test_a_name_is_quoted_as_one_path_segment(self) -> None:
        assert protocol.delete("a/b c").path == "/connectors/a%2Fb%20c"

    def test_a_connector_is_created_in_its_state(self) -> None:
        assert protocol.create("orders", {"topics": "orders"}, ConnectorState.STOPPED).body == {
            "name": "orders",
            "config": {"topics": "orders"},
            "initial_state": "STOPPED",
        }

    def test_only_failed_tasks_are_restarted(self) -> None:
        path = protocol.restart("orders", only_failed=True).path
        assert path == "/connectors/orders/restart?includeTasks=true&onlyFailed=true"

    def test_validation_is_requested_for_the_class_with_the_name(self) -> None:
        request = protocol.validate("orders", {"connector.class": "org.example.Mirror"})
        assert request.path == "/connector-plugins/org.example.Mirror/config/validate"
        assert request.body == {"connector.class": "org.example.Mirror", "name": "orders"}


class TestErrors:
    def test_status_and_message_are_kept(self) -> None:
        error = rejected(404, b'{"error_code":404,"message":"Connector orders not found"}')

        assert error.status == 404
        assert error.reason == "Connector orders not found"
        assert "GET /connectors/orders/config with 404: Connector orders not found" in str(error)
        assert error.is_not_found

    @pytest.mark.parametrize(("status", "transient"), [(409, True), (500, True), (400, False)])
    def test_rebalances_and_server_errors_are_transient(self, status: int, transient: bool) -> None:
        assert rejected(status, b"").is_transient is transient

    def test_an_existing_name_is_permanent(self) -> None:
        error = rejected(409, b'{"error_code":409,"message":"Connector orders already exists"}')

        assert error.already_exists
        assert not error.is_transient

    def test_a_bad_request_with_status_500_is_permanent(self) -> None:
        body = b'{"message":"org.apache.kafka.connect.runtime.rest.errors.BadRequestException: no"}'

        assert not rejected(500, body).is_transient

    def test_the_page_of_a_proxy_is_truncated(self) -> None:
        assert len(rejected(502, b"<html>" + b"x" * 9000).message) < 700

    def test_200_without_json_is_not_connect(self) -> None:
        assert "no JSON" in rejected(200, b"<html>Welcome</html>").message

    @pytest.mark.parametrize("status", [202, 204])
    def test_an_empty_body_is_a_response(self, status: int) -> None:
        assert parse_response(ASK, status, b"") is None

    @pytest.mark.parametrize("status", [301, 302])
    def test_a_redirect_is_an_error(self, status: int) -> None:
        assert rejected(status, b"").status == status

    def test_a_rebalance_is_named_in_the_fix(self) -> None:
        assert rejected(409, b"").fix == "Connect is rebalancing; retry when it has finished"

    @pytest.mark.parametrize("status", [401, 403])
    def test_missing_authentication_is_recognised(self, status: int) -> None:
        assert rejected(status, b"").requires_authentication
