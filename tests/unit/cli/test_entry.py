"""An interrupt while the commands are imported."""

from __future__ import annotations

import subprocess
import sys
from types import ModuleType

import pytest

from mirrorstack.cli import entry


class Interrupted(ModuleType):
    def __getattr__(self, name: str) -> object:
        raise KeyboardInterrupt


def test_an_interrupt_during_the_import_ends_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "mirrorstack.cli.main", Interrupted("main"))

    with pytest.raises(SystemExit) as ended:
        entry.main()

    assert ended.value.code == 130
    assert capsys.readouterr().err == "\nInterrupted; run the command again to resume.\n"


def test_the_entry_point_imports_nothing_but_the_standard_library() -> None:
    program = "import sys; from mirrorstack.cli import entry; print(*sys.modules, sep='\\n')"
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)

    loaded = {name.partition(".")[0] for name in ended.stdout.split()}
    assert not loaded & {"click", "pydantic", "pulumi", "confluent_kafka", "yaml", "pyspark"}
