"""`mirrorstack demo`, up to the point at which it would start Kafka."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from mirrorstack.cli import workspace
from mirrorstack.cli.main import main
from mirrorstack.findings import UserError


def test_a_clone_that_is_not_set_up_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> None:
        raise UserError("this clone is not set up", "run `make setup`")

    monkeypatch.setattr(workspace, "PulumiProject", missing)

    shown = CliRunner().invoke(main, ["demo"])

    assert shown.exit_code == 2
    assert shown.stderr == "error: this clone is not set up\nfix: run `make setup`\n"
