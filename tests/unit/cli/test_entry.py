"""An interrupt while the commands are being imported."""

from __future__ import annotations

import sys
from types import ModuleType

import pytest

from mirrorstack.cli import entry


class Interrupted(ModuleType):
    def __getattr__(self, name: str) -> object:
        raise KeyboardInterrupt


def test_who_interrupts_at_once_reads_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "mirrorstack.cli.main", Interrupted("main"))

    with pytest.raises(SystemExit) as ended:
        entry.main()

    assert ended.value.code == 130
    assert capsys.readouterr().err == "\nInterrupted; run the command again to resume.\n"
