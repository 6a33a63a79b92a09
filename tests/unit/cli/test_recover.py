"""`mirrorstack recover`: what is cleaned up after a killed `pulumi up`."""

from __future__ import annotations

import io
import json
import socket
from pathlib import Path
from typing import Any
from unittest.mock import create_autospec

import pytest
from click.testing import CliRunner

from mirrorstack.cli import recover as module
from mirrorstack.cli.killed_pulumi import StackLock
from mirrorstack.cli.local_recovery import LocalRecovery
from mirrorstack.cli.main import main
from mirrorstack.cli.recover import pending_creates, recover_stack
from mirrorstack.cli.workspace import PulumiProject
from mirrorstack.console import Console
from mirrorstack.findings import UserError
from tests.unit.cli.test_killed_pulumi import NO_PROCESS

OPERATIONS = [
    {"type": "creating", "resource": {"urn": "urn:new"}},
    {"type": "deleting", "resource": {"urn": "urn:old"}},
]


@pytest.fixture
def project(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(module, "end_orphaned_plugins", lambda _root: 0)
    monkeypatch.setattr(module, "read_locks", lambda _backend, _stack: [])
    project = create_autospec(PulumiProject, instance=True, backend="file:///state")
    project.state.return_value = {}
    return project


def locked_by(monkeypatch: pytest.MonkeyPatch, *locks: StackLock) -> None:
    monkeypatch.setattr(module, "read_locks", lambda _backend, _stack: list(locks))


def test_nothing_is_changed_if_there_is_nothing_to_recover(project: Any) -> None:
    recovery = recover_stack(project, "local", Console(io.StringIO()))

    assert not recovery.was_needed
    project.cancel.assert_not_called()
    project.clear_pending_creates.assert_not_called()


def test_a_stale_lock_is_released(project: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    locked_by(monkeypatch, StackLock(NO_PROCESS, socket.gethostname(), "ann"))

    assert recover_stack(project, "local", Console(io.StringIO())).released_lock
    project.cancel.assert_called_once_with("local")


def test_a_lock_of_a_live_process_is_an_error(
    project: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    locked_by(monkeypatch, StackLock(7, "another-machine", "ann"))

    with pytest.raises(UserError, match="locked by ann, process 7 on another-machine"):
        recover_stack(project, "local", Console(io.StringIO()))
    project.cancel.assert_not_called()


def test_pending_creates_are_cleared(project: Any) -> None:
    project.state.return_value = {"pending_operations": OPERATIONS}

    recovery = recover_stack(project, "local", Console(io.StringIO()))

    assert recovery.cleared_pending_creates == ["urn:new"]
    project.clear_pending_creates.assert_called_once_with("local")


def test_only_creates_are_pending_creates() -> None:
    assert pending_creates({"pending_operations": OPERATIONS}) == ["urn:new"]
    assert pending_creates({"pending_operations": None}) == []
    assert pending_creates({}) == []


def test_the_command_does_not_import_the_automation_api_before_it_runs() -> None:
    assert "PulumiProject" not in vars(module)


def test_what_a_reboot_ended_is_started_and_reported(
    project: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("MIRRORSTACK_HOME", str(tmp_path))
    monkeypatch.setattr("mirrorstack.cli.workspace.PulumiProject", lambda: project)
    started = LocalRecovery(["default"], ["local/west/1"])
    monkeypatch.setattr(module, "start_local_processes", lambda *_: started)

    shown = CliRunner().invoke(main, ["recover", "-s", "local", "--json"])

    recovery = json.loads(shown.stdout)
    assert recovery["version"] == 1
    assert recovery["started_sandboxes"] == ["default"]
    assert recovery["started_workers"] == ["local/west/1"]
