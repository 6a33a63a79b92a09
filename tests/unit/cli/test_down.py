"""`mirrorstack down` in a clone where nothing runs."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from mirrorstack.cli import down as module
from mirrorstack.cli.main import main


def test_nothing_to_stop_is_fine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MIRRORSTACK_HOME", str(tmp_path))
    monkeypatch.setattr(module, "end_orphaned_plugins", lambda _root: 0)

    shown = CliRunner().invoke(main, ["down"])

    assert shown.exit_code == 0
    assert "nothing was running" in shown.stderr
