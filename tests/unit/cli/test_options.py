"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from mirrorstack.cli.options import NonEmptyText, Seconds, default_stack, format_option


@pytest.mark.parametrize(
    ("files", "stack"),
    [
        ([], "local"),
        (["Pulumi.dr.yaml"], "dr"),
        (["Pulumi.dr.yaml", "local.template.yaml"], "dr"),
        (["Pulumi.dr.yaml", "Pulumi.test.yaml"], "local"),
    ],
)
def test_the_default_stack_is_the_only_one_or_local(
    tmp_path: Path, files: list[str], stack: str
) -> None:
    for name in files:
        (tmp_path / name).touch()

    assert default_stack(tmp_path) == stack


def run(*arguments: str) -> Result:
    @click.command()
    @format_option("text", "json", "sarif")
    def command(output_format: str) -> None:
        click.echo(output_format)

    return CliRunner().invoke(command, arguments)


@pytest.mark.parametrize(
    ("arguments", "chosen"),
    [
        ([], "text"),
        (["--json"], "json"),
        (["--format", "sarif"], "sarif"),
        (["--format", "json", "--json"], "json"),
    ],
)
def test_json_is_short_for_format_json(arguments: list[str], chosen: str) -> None:
    assert run(*arguments).stdout == f"{chosen}\n"


def test_json_and_another_format_contradict_each_other() -> None:
    shown = run("--json", "--format", "sarif")

    assert shown.exit_code == 2
    assert "--json contradicts --format sarif" in shown.stderr


@pytest.mark.parametrize("value", ["inf", "nan", "-1", "soon"])
def test_seconds_are_a_finite_number(value: str) -> None:
    with pytest.raises(click.BadParameter):
        Seconds().convert(value, None, None)


def test_an_empty_text_is_an_error() -> None:
    assert NonEmptyText().convert("dr", None, None) == "dr"
    with pytest.raises(click.BadParameter, match="the value is empty"):
        NonEmptyText().convert(" ", None, None)
