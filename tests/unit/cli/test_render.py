"""`mirrorstack render`: output, formats and errors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner, Result

from mirrorstack.cli.main import main
from mirrorstack.config.stack_file import PROJECT
from tests.unit.rendering.stacks import flow, stack


@pytest.fixture
def file(tmp_path: Path) -> str:
    """A stack file with an encrypted password."""
    declared = stack(flow(groups=["billing"])).declared()
    config = {f"{PROJECT}:{key}": value for key, value in declared.items()}
    config[f"{PROJECT}:west-mirror-password"] = {"secure": "v1:encrypted"}
    path = tmp_path / "Pulumi.dr.yaml"
    path.write_text(yaml.safe_dump({"config": config}))
    return str(path)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


def test_the_output_has_no_lint_findings_and_can_be_imported(file: str, tmp_path: Path) -> None:
    shown = run("render", file)
    assert shown.exit_code == 0
    assert "source offsets of Connect workers are not carried over" in shown.stderr
    assert "encrypted" not in shown.output

    mm2 = tmp_path / "mm2.properties"
    mm2.write_text(shown.stdout)
    assert run("lint", str(mm2)).stdout == "no findings in 1 file\n"
    told = json.loads(run("import", "--json", str(mm2)).stdout)
    assert told["stack"]["flows"] == [flow(groups=["billing"])]


def test_the_file_names_its_origin_and_what_it_cannot_express(file: str) -> None:
    shown = run("render", file)
    head = shown.stdout.partition("\n\n")[0].splitlines()
    assert head[0] == "# Rendered from Pulumi.dr.yaml. Edit that file and render again."
    notes = [line.removeprefix("note: ") for line in shown.stderr.splitlines()]
    assert [line.lstrip("# ").removeprefix("- ") for line in head[2:]] == notes


def test_json_has_properties_and_notes_with_passwords_by_reference(file: str) -> None:
    told = json.loads(run("render", file, "--json", "--secrets-file", "/run/x").stdout)
    assert told["properties"]["clusters"] == "east, west"
    assert "${file:/run/x:east}" in told["properties"]["east.sasl.jaas.config"]
    subjects = {(note["flow"], note["cluster"]) for note in told["notes"]}
    assert subjects == {(None, "east"), (None, "west"), ("east->west", None), (None, None)}


def test_both_a_stack_and_a_file_are_an_error() -> None:
    shown = run("render", "-s", "x", "y.yaml")

    assert (shown.exit_code, shown.stdout) == (2, "")
    assert "error: both a stack, x, and a file, y.yaml, are given" in shown.stderr


def test_a_missing_stack_is_an_error() -> None:
    shown = run("render", "-s", "no-such-stack")

    assert (shown.exit_code, shown.stdout) == (2, "")
    assert "Pulumi.no-such-stack.yaml: no such stack file" in shown.stderr


def test_a_file_that_is_no_stack_file_is_an_error(tmp_path: Path) -> None:
    odd = tmp_path / "x.yaml"
    odd.write_text("a: [")
    assert "not valid YAML" in run("render", str(odd)).stderr
    odd.write_text("config: {}")
    assert "declares no flows" in run("render", str(odd)).stderr
