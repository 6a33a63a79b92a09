"""`mirrorstack doctor`: exit status and formats."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from mirrorstack.cli import doctor as module
from mirrorstack.cli.main import main
from toolchain.doctor import PartReport

GOOD = PartReport("Python", "3.11.7", "runs this command", "/python")
BAD = PartReport("Java", error="not found", fix="install a JDK")


@pytest.mark.parametrize(("parts", "status"), [([GOOD], 0), ([GOOD, BAD], 1)])
def test_the_exit_status_is_1_if_anything_is_wrong(
    parts: list[PartReport], status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "report_parts", lambda _root: parts)

    text = CliRunner().invoke(main, ["doctor"])
    document = CliRunner().invoke(main, ["doctor", "--json"])

    assert text.exit_code == document.exit_code == status
    assert "Python" in text.stdout
    listed = json.loads(document.stdout)["parts"]
    assert [part["part"] for part in listed] == [each.part for each in parts]
    for each in parts:
        assert (f"error: {each.part}: {each.error}\nfix: {each.fix}" in text.stdout) == bool(
            each.error
        )
