"""Connect's responses as values."""

from __future__ import annotations

import json

from mirrorstack.connect import responses
from mirrorstack.connect.responses import InvalidKey, LiveConnector, TaskConfig


class TestResponses:
    def test_partitions_of_topics_with_dashes(self) -> None:
        task = TaskConfig({"task.assigned.partitions": "a-b-12,orders-0"})
        assert task.assigned == {("a-b", 12), ("orders", 0)}

    def test_a_task_without_partitions_has_none(self) -> None:
        assert TaskConfig({}).assigned == frozenset()

    def test_offsets_are_those_of_committed_source_partitions(self) -> None:
        offsets = {
            "offsets": [
                {"partition": {"topic": "orders", "partition": 0}, "offset": {"offset": 0}},
                {"partition": {"topic": "reset", "partition": 0}, "offset": None},
                {"partition": {"sourceClusterAlias": "east"}, "offset": {"offset": 0}},
            ]
        }
        assert responses.offsets(offsets) == {("orders", 0): 0}

    def test_traces_are_kept(self) -> None:
        status = responses.status(
            json.loads(
                '{"connector":{"state":"RUNNING","worker_id":"w"},'
                '"tasks":[{"id":0,"state":"FAILED","trace":"boom"}]}'
            )
        )
        assert status.has_failed
        assert (status.trace, status.tasks[0].trace) == ("", "boom")


class TestValidation:
    def response(self, *errors: str) -> dict[str, object]:
        entry = {"name": "tasks.max", "value": "resolved-secret", "errors": list(errors)}
        return {"configs": [{"value": entry}, {"value": {"name": "topics", "errors": []}}]}

    def test_each_key_has_its_first_message(self) -> None:
        found = responses.validation(self.response("not a number", "null"), {"tasks.max": "many"})
        assert found.invalid == (InvalidKey("tasks.max", "many", "not a number"),)
        assert found.declared == {"tasks.max", "topics"}

    def test_a_missing_key_has_no_value(self) -> None:
        assert responses.validation(self.response("missing"), {}).invalid[0].value is None

    def test_the_value_of_a_reference_is_never_quoted(self) -> None:
        given = {"tasks.max": "${file:/run/x:y}"}
        (found,) = responses.validation(
            self.response("Invalid value resolved-secret"), given
        ).invalid
        assert found.value == "${file:/run/x:y}"
        assert "resolved-secret" not in found.message


def test_connectors_have_their_config_and_state() -> None:
    response = {
        "orders": {
            "info": {"config": {"tasks.max": 2, "unset": None}},
            "status": {"connector": {"state": "PAUSED"}, "tasks": []},
        }
    }

    assert responses.connectors(response) == {"orders": LiveConnector({"tasks.max": "2"}, "PAUSED")}


def test_partitions_keep_the_form_that_connect_needs_to_reset_them() -> None:
    partition = {"cluster": "east", "topic": "orders", "partition": 0}
    response = {
        "offsets": [
            {"partition": partition, "offset": {"offset": 7}},
            {"partition": {**partition, "topic": "other"}, "offset": {"offset": 7}},
        ]
    }

    assert responses.partitions_of(response, {"orders"}) == [partition]
