"""`mirrorstack demo`, up to the point at which it would start Kafka."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from mirrorstack.cli import workspace
from mirrorstack.cli.demo import next_steps
from mirrorstack.cli.main import main
from mirrorstack.findings import UserError
from mirrorstack.sandbox.names import Cluster
from tests.unit.toolchain.machine import ROOT


def test_a_clone_that_is_not_set_up_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> None:
        raise UserError("this clone is not set up", "run `make setup`")

    monkeypatch.setattr(workspace, "PulumiProject", missing)

    shown = CliRunner().invoke(main, ["demo"])

    assert shown.exit_code == 2
    assert shown.stderr == "error: this clone is not set up\nfix: run `make setup`\n"


def test_no_next_step_runs_until_it_is_interrupted() -> None:
    servers = {Cluster.EAST: "east:1", Cluster.WEST: "west:1"}
    printed = next_steps(servers, Path("report.html"))
    readme = (ROOT / "README.md").read_text()

    for text in (printed, readme):
        assert "mirrorstack sandbox seed --rate 100 --for 30 " in text
    assert "east:1" in printed
    assert printed.endswith("  report.html")
