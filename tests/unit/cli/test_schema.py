"""`mirrorstack schema`."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner, Result

from mirrorstack.cli.main import main


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["schema", *arguments])


@pytest.mark.parametrize(
    ("arguments", "key"), [([], "config"), (["stack-file"], "config"), (["report"], "verdict")]
)
def test_the_schema_is_one_json_document(arguments: list[str], key: str) -> None:
    shown = run(*arguments)

    assert shown.exit_code == 0
    assert key in json.loads(shown.stdout)["properties"]


def test_the_reference_page_of_stack_files_is_markdown() -> None:
    assert run("--format", "markdown").stdout.startswith("# The stack file\n")


def test_the_report_has_no_reference_page() -> None:
    shown = run("report", "--format", "markdown")

    assert shown.exit_code == 2
    assert "report has no reference page" in shown.stderr
