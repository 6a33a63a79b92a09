"""The program's config, and how it ends on an error."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest

from components import program
from components.program import previous_state, read_config, report_errors
from mirrorstack.findings import Finding, Severity, UserError
from tests.unit.components.declaring import declare

DECLARED = {
    "clusters": {"east": {"sandbox": "default"}, "west": {"sandbox": "default"}},
    "flows": [{"from": "east", "to": "west", "topics": ["orders"]}],
}


@pytest.fixture
def config(monkeypatch: pytest.MonkeyPatch) -> None:
    """As the language host passes it to the program."""
    values = {f"mirrorstack:{key}": json.dumps(value) for key, value in DECLARED.items()}
    monkeypatch.setenv("PULUMI_CONFIG", json.dumps(values | {"kafka:other": "not ours"}))


@pytest.mark.usefixtures("config")
def test_the_settings_come_from_the_project_s_own_namespace() -> None:
    found: list[Any] = []

    declare(lambda: found.append(read_config()))

    assert [flow.name for flow in found[0].settings.flows] == ["east-to-west"]
    assert found[0].peers == {}


def test_a_stack_without_state_was_not_deployed() -> None:
    found: list[Any] = []

    declare(lambda: found.append(previous_state()))

    assert found[0].workers == {}


class TestReadingTheState:
    """With a file backend the engine writes the state in place, while the program starts."""

    @pytest.fixture(autouse=True)
    def no_waiting(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(program, "STATE_RETRY_SECONDS", 0)

    def test_a_state_that_is_being_written_is_read_again(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        incomplete = [Exception("failed to load checkpoint: EOF")] * 2
        read: list[Any] = []

        def invoke(token: str, _args: object) -> Any:
            if incomplete:
                raise incomplete.pop()
            return SimpleNamespace(value={"outputs": {}})

        monkeypatch.setattr("pulumi.runtime.invoke", invoke)

        declare(lambda: read.append(previous_state()))

        assert (read[0].workers, incomplete) == ({}, [])

    def test_a_state_that_cannot_be_read_is_an_error_with_a_fix(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def invoke(token: str, _args: object) -> Any:
            raise RuntimeError("no such bucket")

        monkeypatch.setattr("pulumi.runtime.invoke", invoke)
        monkeypatch.setattr(program, "STATE_SECONDS", -1)
        raised: list[UserError] = []

        def reads() -> None:
            with pytest.raises(UserError, match="cannot be read: no such bucket") as caught:
                previous_state()
            raised.append(caught.value)

        declare(reads)

        assert "pulumi stack export" in raised[0].fix


def test_an_error_is_reported_with_every_finding_and_without_a_traceback(
    caplog: pytest.LogCaptureFixture,
) -> None:
    warning = Finding("an ACL exists", severity=Severity.WARNING)
    findings = [Finding("unknown key", "remove it"), Finding("unknown cluster"), warning]

    def fails() -> None:
        with pytest.raises(SystemExit) as ended, report_errors():
            raise UserError.of(findings)
        assert ended.value.code == 32

    declare(fails)

    assert [(record.levelname, record.message) for record in caplog.records] == [
        ("ERROR", "unknown key\nfix: remove it"),
        ("ERROR", "unknown cluster"),
        ("WARNING", "an ACL exists"),
    ]
