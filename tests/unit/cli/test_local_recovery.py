"""Starting what a reboot ended."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest

from mirrorstack.cli import local_recovery as module
from mirrorstack.cli.local_recovery import NOTHING, LocalRecovery, start_local_processes
from mirrorstack.console import Console
from mirrorstack.findings import UserError
from mirrorstack.runtimes.local_worker import LocalWorker
from tests.unit.connect.scripted import Script
from tests.unit.runtimes.fake_worker import fake_worker

CONSOLE = Console(io.StringIO())


class FakeSandbox:
    running = False
    started: ClassVar[list[str]] = []

    def __init__(self, name: str, **_options: Any) -> None:
        self.layout = SimpleNamespace(name=name)

    def status(self) -> Any:
        return SimpleNamespace(running=self.running)

    def up(self, _kafka: Any) -> None:
        self.started.append(self.layout.name)


@pytest.fixture
def stacks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The directory with the stack file of `dev`, whose clusters are a sandbox's."""
    flow = {"from": "east", "to": "west", "topics": ["orders"]}
    clusters = {alias: {"sandbox": "shared"} for alias in ("east", "west")}
    config = {"mirrorstack:clusters": clusters, "mirrorstack:flows": [flow]}
    (tmp_path / "Pulumi.dev.yaml").write_text(json.dumps({"config": config}))
    monkeypatch.setattr(FakeSandbox, "started", [])
    monkeypatch.setattr(module, "Sandbox", FakeSandbox)
    monkeypatch.setattr(module, "all_names", lambda _home: ["shared"])
    monkeypatch.setattr(module, "installed_kafka", lambda: None)
    return tmp_path


@pytest.fixture
def worker(connect: Script, tmp_path: Path) -> Iterator[LocalWorker]:
    """A worker that was deployed, and does not run."""
    connect["GET /connectors?expand=status"] = (200, {})
    worker = fake_worker(tmp_path, connect.url)
    yield worker
    worker.stop()


def test_the_sandbox_and_the_worker_are_started(worker: LocalWorker, stacks: Path) -> None:
    recovery = start_local_processes("dev", stacks, stacks, CONSOLE)

    assert recovery == LocalRecovery(["shared"], ["dev/west/1"])
    assert FakeSandbox.started == ["shared"]
    assert worker.process() is not None
    assert worker.supervisor() is not None


def test_what_runs_is_left_alone(
    worker: LocalWorker, stacks: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(FakeSandbox, "running", True)
    worker.wait_until_ready(worker.start(), 60)
    before = worker.process()

    assert start_local_processes("dev", stacks, stacks, CONSOLE) == NOTHING
    assert worker.process() == before


def test_a_stack_without_local_workers_needs_nothing(worker: LocalWorker, stacks: Path) -> None:
    assert start_local_processes("other", stacks, stacks, CONSOLE) == NOTHING
    assert worker.process() is None


def test_a_deleted_sandbox_is_an_error_and_nothing_is_started(
    worker: LocalWorker, stacks: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "all_names", lambda _home: [])

    with pytest.raises(UserError, match="the sandbox 'shared' of stack dev no longer exists"):
        start_local_processes("dev", stacks, stacks, CONSOLE)

    assert worker.process() is None
