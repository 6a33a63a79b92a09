"""`mirrorstack down`, with and without something that runs."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from mirrorstack.cli import down as module
from mirrorstack.cli.main import main
from tests.unit.connect.scripted import Script
from tests.unit.runtimes.fake_worker import fake_worker


def test_nothing_to_stop_is_fine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MIRRORSTACK_HOME", str(tmp_path))
    monkeypatch.setattr(module, "end_orphaned_plugins", lambda _root: 0)

    shown = CliRunner().invoke(main, ["down"])

    assert shown.exit_code == 0
    assert "nothing was running" in shown.stderr


def test_a_worker_is_stopped_with_its_supervisor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, connect: Script
) -> None:
    monkeypatch.setenv("MIRRORSTACK_HOME", str(tmp_path))
    monkeypatch.setattr(module, "end_orphaned_plugins", lambda _root: 0)
    worker = fake_worker(tmp_path, connect.url)
    worker.wait_until_ready(worker.start(), 60)

    shown = CliRunner().invoke(main, ["down"])

    assert "stopping the Connect worker dev/west/1" in shown.stderr
    assert (worker.process(), worker.supervisor()) == (None, None)
