"""The files of a sandbox, and its lock."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import pytest

from mirrorstack.console import Console
from mirrorstack.findings import UserError
from mirrorstack.sandbox import layout as layout_module
from mirrorstack.sandbox.layout import Layout, exclusive, existing_layouts

HOLD = """
import sys, time
from pathlib import Path
from mirrorstack.local.lock import file_lock
with file_lock(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


@pytest.mark.parametrize("name", ["", "-x", "Upper", "a/b", "..", "a" * 41])
def test_an_invalid_name_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(UserError, match="--name"):
        Layout(tmp_path, name)


def test_existing_sandboxes_are_the_directories_with_valid_names(tmp_path: Path) -> None:
    for name in ("b", "a", ".hidden", "Upper"):
        (tmp_path / "sandbox" / name).mkdir(parents=True)
    (tmp_path / "sandbox" / ".lock-a").touch()
    assert [layout.name for layout in existing_layouts(tmp_path)] == ["a", "b"]


def test_a_home_without_sandboxes_has_none(tmp_path: Path) -> None:
    assert existing_layouts(tmp_path) == []


def test_the_lock_survives_the_deletion_of_the_sandbox(layout: Layout) -> None:
    with exclusive(layout, Console(io.StringIO())):
        assert layout.lock.exists()
    assert layout.directory not in layout.lock.parents


def test_a_sandbox_that_another_command_holds_is_an_error_after_the_timeout(
    layout: Layout, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(layout_module, "LOCK_TIMEOUT_SECONDS", 0.0)
    layout.all_sandboxes.mkdir()
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, layout.lock], stdout=subprocess.PIPE, text=True
    ) as other:
        try:
            assert other.stdout
            assert other.stdout.readline() == "held\n"
            output = io.StringIO()
            with pytest.raises(UserError) as raised, exclusive(layout, Console(output)):
                pytest.fail("another process holds the lock")
        finally:
            other.kill()
    assert str(layout.lock) in raised.value.message
    assert "waiting for another command on the sandbox 'trial'" in output.getvalue()
