"""`mirrorstack doctor`: exit status and formats."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from mirrorstack.cli import doctor as module
from mirrorstack.cli.main import main
from toolchain import doctor as toolchain_doctor

GOOD = toolchain_doctor.Finding("Python", "3.11.7", "running this command", "/python")
BAD = toolchain_doctor.Finding("Java", "-", "-", "-", "not found", "install a JDK")


@pytest.mark.parametrize(("parts", "status"), [([GOOD], 0), ([GOOD, BAD], 1)])
def test_the_exit_status_is_1_if_anything_is_wrong(
    parts: list[toolchain_doctor.Finding], status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "examine", lambda _root: parts)

    text = CliRunner().invoke(main, ["doctor"])
    document = CliRunner().invoke(main, ["doctor", "--json"])

    assert text.exit_code == document.exit_code == status
    assert "Python" in text.stdout
    assert [part["part"] for part in json.loads(document.stdout)] == [each.part for each in parts]
