"""`mirrorstack restart`, against a scripted worker."""

from __future__ import annotations

import json
from typing import Any
from unittest.mock import create_autospec

import pytest
from click.testing import CliRunner, Result

from mirrorstack.cli import workspace
from mirrorstack.cli.main import main
from mirrorstack.planning.previous_state import WORKERS_TYPE
from tests.loopback import refused_connections
from tests.unit.connect.scripted import Script

STATUSES = "GET /connectors?expand=status"
RESTART = "POST /connectors/orders/restart?includeTasks=true&onlyFailed=true"

pytestmark = pytest.mark.usefixtures("clock")


def one(*tasks: str) -> tuple[int, Any]:
    states = [{"id": n, "state": task, "trace": "boom"} for n, task in enumerate(tasks)]
    return 200, {"orders": {"status": {"connector": {"state": "RUNNING"}, "tasks": states}}}


def run(monkeypatch: pytest.MonkeyPatch, url: str, *arguments: str) -> Result:
    outputs = {"target": "west", "rest_url": url, "credentials_file": None}
    project = create_autospec(workspace.PulumiProject, instance=True)
    project.state.return_value = {"resources": [{"type": WORKERS_TYPE, "outputs": outputs}]}
    monkeypatch.setattr(workspace, "PulumiProject", lambda: project)
    return CliRunner().invoke(main, ["restart", "-s", "dr", *arguments])


def test_nothing_failed(connect: Script, monkeypatch: pytest.MonkeyPatch) -> None:
    connect[STATUSES] = one("RUNNING")

    shown = run(monkeypatch, connect.url)

    assert shown.exit_code == 0
    assert shown.stdout.splitlines()[1].split() == ["west", "orders", "nothing", "RUNNING"]


def test_a_task_runs_again(connect: Script, monkeypatch: pytest.MonkeyPatch) -> None:
    connect[STATUSES] = [one("FAILED"), one("RUNNING")]
    connect[RESTART] = (202, {})

    shown = run(monkeypatch, connect.url, "--json")

    assert shown.exit_code == 0
    (connector,) = json.loads(shown.stdout)["connectors"]
    assert (connector["target"], connector["restarted"], connector["ok"]) == (
        "west",
        ["task 0"],
        True,
    )


def test_a_task_that_fails_again_is_exit_status_1(
    connect: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect[STATUSES] = one("RUNNING", "FAILED")
    connect[RESTART] = (202, {})

    shown = run(monkeypatch, connect.url, "--timeout", "20")

    assert shown.exit_code == 1
    assert "task 1 FAILED" in shown.stdout
    assert shown.stdout.splitlines()[-1] == "orders: boom"


def test_an_unreachable_connect_is_exit_status_2(monkeypatch: pytest.MonkeyPatch) -> None:
    with refused_connections() as url:
        shown = run(monkeypatch, url)

    assert shown.exit_code == 2
    assert "error: no Connect worker responds at" in shown.stderr
    assert "fix: run `mirrorstack recover -s dr`" in shown.stderr


def test_a_stack_without_connectors_is_fine(
    connect: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect[STATUSES] = (200, {})

    shown = run(monkeypatch, connect.url)

    assert (shown.exit_code, shown.stdout) == (0, "Stack dr has no connectors.\n")
