"""`python3 -m toolchain`: its commands, exit codes and error messages."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

import toolchain.__main__ as command
from mirrorstack.console import Console
from mirrorstack.findings import UserError
from tests.unit.toolchain.machine import ROOT, fake_java
from toolchain import setup
from toolchain.part import InstalledPart


def fail_set_up(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    def set_up(root: Path, console: Console) -> dict[str, InstalledPart]:
        raise error

    monkeypatch.setattr(setup, "set_up", set_up)


class TestOldPython:
    def test_an_old_python_is_one_error_with_a_fix(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setattr(sys, "version_info", (3, 9, 18, "final", 0))
        assert command.main(["setup"]) == 2
        assert capsys.readouterr().err == (
            "error: Python 3.9.18 is too old; Mirrorstack needs 3.11 or newer\n"
            "fix: install a newer Python and name it: make PYTHON=python3.11\n"
        )

    def test_an_old_python_can_parse_the_files_that_report_it(self) -> None:
        for file in ("__init__.py", "__main__.py"):
            source = (ROOT / "toolchain" / file).read_text()
            ast.parse(source, feature_version=(3, 6))

    def test_only_sys_is_imported_before_the_version_is_checked(self) -> None:
        tree = ast.parse((ROOT / "toolchain" / "__main__.py").read_text())
        imported = {
            name
            for node in tree.body
            if isinstance(node, ast.Import | ast.ImportFrom)
            for name in [getattr(node, "module", None), *(alias.name for alias in node.names)]
        }
        assert imported == {"sys", None}


class TestCommands:
    @pytest.mark.parametrize("arguments", [[], ["help"], ["setup", "now"]])
    def test_invalid_arguments_print_the_usage(
        self, arguments: list[str], capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert command.main(arguments) == 2
        printed = capsys.readouterr()
        assert printed.err.startswith("usage: python3 -m toolchain setup")
        assert printed.out == ""

    def test_env_prints_exports_and_nothing_else(
        self,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        from toolchain import receipt

        monkeypatch.setattr(setup, "ROOT", tmp_path)
        found = InstalledPart(fake_java(tmp_path, "17"), "17", "found")
        receipt.write(tmp_path / ".mirrorstack", {"java": found, "pulumi": found})
        assert command.main(["env"]) == 0
        printed = capsys.readouterr()
        assert all(line.startswith("export ") for line in printed.out.splitlines())
        assert printed.err == ""


class TestExitCodes:
    def test_a_user_error_is_printed_with_its_fix_and_exits_with_2(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        fail_set_up(monkeypatch, UserError("Anvil is not available", "run `acme install anvil`"))
        assert command.main(["setup"]) == 2
        assert capsys.readouterr().err == (
            "\nerror: Anvil is not available\nfix: run `acme install anvil`\n"
        )

    def test_an_interrupt_prints_how_to_resume_and_exits_with_130(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        fail_set_up(monkeypatch, KeyboardInterrupt())
        assert command.main(["setup"]) == 130
        assert "run the command again to resume" in capsys.readouterr().err

    def test_a_bug_keeps_its_traceback(self, monkeypatch: pytest.MonkeyPatch) -> None:
        fail_set_up(monkeypatch, ZeroDivisionError())
        with pytest.raises(ZeroDivisionError):
            command.main(["setup"])
