"""The home directory."""

from __future__ import annotations

from pathlib import Path

import pytest

from mirrorstack.findings import UserError
from mirrorstack.local import home as home_module
from mirrorstack.local.home import ROOT, home


def test_the_home_is_in_the_clone_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MIRRORSTACK_HOME", raising=False)
    assert home() == ROOT / ".mirrorstack"
    assert (ROOT / "Pulumi.yaml").is_file()


def test_the_home_is_resolved_because_its_path_marks_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    monkeypatch.setenv("MIRRORSTACK_HOME", str(tmp_path / "link"))
    assert home() == (tmp_path / "real").resolve()


def test_a_home_with_a_comma_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MIRRORSTACK_HOME", "/somewhere/a,b")
    with pytest.raises(UserError, match="comma"):
        home()


def test_outside_a_clone_the_variable_is_required(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MIRRORSTACK_HOME", raising=False)
    monkeypatch.setattr(home_module, "ROOT", tmp_path)
    with pytest.raises(UserError, match="MIRRORSTACK_HOME is not set") as raised:
        home()
    assert raised.value.fix.startswith("export MIRRORSTACK_HOME=")
