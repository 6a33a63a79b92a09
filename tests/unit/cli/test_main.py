"""Every command: help with an example, `-v`, and the formats that programs read."""

from __future__ import annotations

from collections.abc import Iterator

import click
import pytest
from click.testing import CliRunner

from mirrorstack.cli.main import main

FOR_PROGRAMS = {
    "doctor",
    "import",
    "lint",
    "recover",
    "render",
    "restart",
    "sandbox status",
    "sandbox up",
    "verify",
}


def commands(group: click.Group = main, prefix: str = "") -> Iterator[tuple[str, click.Command]]:
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from commands(command, f"{prefix}{name} ")
        else:
            yield f"{prefix}{name}", command


NAMES = [name for name, _ in commands()]


def options(name: str) -> set[str]:
    command = dict(commands())[name]
    return {option for param in command.params for option in param.opts}


@pytest.mark.parametrize("name", NAMES)
def test_help_of_every_command_has_an_example_and_verbose(name: str) -> None:
    shown = CliRunner().invoke(main, [*name.split(), "-h"])

    assert shown.exit_code == 0
    assert "Example" in shown.output
    assert f"  mirrorstack {name}" in shown.output
    assert "--verbose" in shown.output


@pytest.mark.parametrize("name", NAMES)
def test_help_of_every_option_is_there(name: str) -> None:
    for param in dict(commands())[name].params:
        assert isinstance(param, click.Argument) or getattr(param, "help", None), param.name


def test_commands_whose_output_programs_read_take_format_and_json() -> None:
    assert {name for name in NAMES if {"--format", "--json"} <= options(name)} == FOR_PROGRAMS


def test_every_command_that_takes_a_stack_takes_it_in_the_same_way() -> None:
    taking = {name for name in NAMES if "--stack" in options(name)}

    assert taking == {"recover", "render", "restart", "verify"}
    assert all("-s" in options(name) for name in taking)


def test_an_unknown_command_is_a_usage_error() -> None:
    assert CliRunner().invoke(main, ["fly"]).exit_code == 2
