"""What is sent, how refusals read, and what is kept of answers."""

from __future__ import annotations

import json

import pytest

from mirrorstack.connect import protocol
from mirrorstack.connect import responses as answers
from mirrorstack.connect.protocol import ConnectorState, ConnectResponseError, Request, decipher
from mirrorstack.connect.responses import InvalidKey, TaskConfig

ASK = Request("GET", "/connectors/orders/config")


def refused(status: int, body: bytes) -> ConnectResponseError:
    with pytest.raises(ConnectResponseError) as caught:
        decipher(ASK, status, body)
    return caught.value


class TestRequests:
    def test_a_name_is_quoted_as_one_part_of_the_path(self) -> None:
        assert protocol.delete("a/b c").path == "/connectors/a%2Fb%20c"

    def test_a_connector_is_made_in_its_state(self) -> None:
        assert protocol.create("orders", {"topics": "orders"}, ConnectorState.STOPPED).body == {
            "name": "orders",
            "config": {"topics": "orders"},
            "initial_state": "STOPPED",
        }

    def test_only_what_failed_is_restarted(self) -> None:
        path = protocol.restart_failed("orders").path
        assert path == "/connectors/orders/restart?includeTasks=true&onlyFailed=true"

    def test_validation_goes_to_the_class_with_the_name(self) -> None:
        request = protocol.validate("orders", {"connector.class": "org.example.Mirror"})
        assert request.path == "/connector-plugins/org.example.Mirror/config/validate"
        assert request.body == {"connector.class": "org.example.Mirror", "name": "orders"}


class TestRefusals:
    def test_status_and_message_are_kept(self) -> None:
        refusal = refused(404, b'{"error_code":404,"message":"Connector orders not found"}')

        assert refusal.status == 404
        assert refusal.reason == "Connector orders not found"
        assert "GET /connectors/orders/config with 404: Connector orders not found" in str(refusal)
        assert refusal.is_missing

    @pytest.mark.parametrize(("status", "passes"), [(409, True), (500, True), (400, False)])
    def test_rebalances_and_server_errors_may_pass(self, status: int, passes: bool) -> None:
        assert refused(status, b"").may_pass is passes

    def test_a_name_that_is_taken_does_not_pass(self) -> None:
        refusal = refused(409, b'{"error_code":409,"message":"Connector orders already exists"}')

        assert refusal.exists_already
        assert not refusal.may_pass

    def test_a_bad_request_that_is_answered_with_500_does_not_pass(self) -> None:
        body = b'{"message":"org.apache.kafka.connect.runtime.rest.errors.BadRequestException: no"}'

        assert not refused(500, body).may_pass

    def test_a_proxy_s_page_is_cut(self) -> None:
        assert len(refused(502, b"<html>" + b"x" * 9000).message) < 700

    def test_200_without_json_is_not_connect(self) -> None:
        assert "no JSON" in refused(200, b"<html>Welcome</html>").message

    @pytest.mark.parametrize("status", [202, 204])
    def test_no_body_is_an_answer(self, status: int) -> None:
        assert decipher(ASK, status, b"") is None

    @pytest.mark.parametrize("status", [301, 302])
    def test_a_redirection_is_refused(self, status: int) -> None:
        assert refused(status, b"").status == status


class TestAnswers:
    def test_partitions_of_topics_with_dashes(self) -> None:
        task = TaskConfig({"task.assigned.partitions": "a-b-12,orders-0"})
        assert task.assigned == {("a-b", 12), ("orders", 0)}

    def test_a_task_without_partitions_has_none(self) -> None:
        assert TaskConfig({}).assigned == frozenset()

    def test_offsets_are_those_of_source_partitions_that_are_committed(self) -> None:
        offsets = {
            "offsets": [
                {"partition": {"topic": "orders", "partition": 0}, "offset": {"offset": 0}},
                {"partition": {"topic": "reset", "partition": 0}, "offset": None},
                {"partition": {"sourceClusterAlias": "east"}, "offset": {"offset": 0}},
            ]
        }
        assert answers.offsets(offsets) == {("orders", 0): 0}

    def test_traces_are_kept_where_there_are_some(self) -> None:
        status = answers.status(
            json.loads(
                '{"connector":{"state":"RUNNING","worker_id":"w"},'
                '"tasks":[{"id":0,"state":"FAILED","trace":"boom"}]}'
            )
        )
        assert status.has_failed
        assert (status.trace, status.tasks[0].trace) == ("", "boom")


class TestValidation:
    def answer(self, *errors: str) -> dict[str, object]:
        entry = {"name": "tasks.max", "value": "resolved-secret", "errors": list(errors)}
        return {"configs": [{"value": entry}, {"value": {"name": "topics", "errors": []}}]}

    def test_each_key_is_named_once_with_its_first_message(self) -> None:
        found = answers.validation(self.answer("not a number", "null"), {"tasks.max": "many"})
        assert found.invalid == (InvalidKey("tasks.max", "many", "not a number"),)
        assert found.declared == {"tasks.max", "topics"}

    def test_an_absent_key_has_no_value(self) -> None:
        assert answers.validation(self.answer("missing"), {}).invalid[0].value is None

    def test_what_a_reference_stands_for_is_never_quoted(self) -> None:
        given = {"tasks.max": "${file:/run/x:y}"}
        (found,) = answers.validation(self.answer("Invalid value resolved-secret"), given).invalid
        assert found.value == "${file:/run/x:y}"
        assert "resolved-secret" not in found.message
