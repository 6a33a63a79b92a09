"""How errors and interrupts end, and what `-v` logs."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import click
import pytest
from click.testing import CliRunner

from mirrorstack.cli.command_group import (
    LOGGERS,
    ErrorReportingGroup,
    add_verbose_option,
    configure_logging,
)
from mirrorstack.findings import Finding, UserError


@pytest.fixture(autouse=True)
def unchanged_loggers() -> Iterator[None]:
    loggers = [logging.getLogger(name) for name in LOGGERS]
    before = [(logger.handlers, logger.propagate, logger.level) for logger in loggers]
    yield
    for logger, (handlers, propagate, level) in zip(loggers, before, strict=True):
        logger.handlers, logger.propagate = handlers, propagate
        logger.setLevel(level)


def group_raising(error: BaseException) -> click.Group:
    outer = click.Group("outer")
    inner = ErrorReportingGroup("inner")

    @inner.command()
    def fail() -> None:
        raise error

    outer.add_command(inner)
    return outer


def test_a_user_error_of_a_nested_group_is_printed_once() -> None:
    shown = CliRunner().invoke(
        group_raising(UserError("the key x is 1", "make it 2")), ["inner", "fail"]
    )

    assert shown.exit_code == 2
    assert shown.stderr == "error: the key x is 1\nfix: make it 2\n"
    assert shown.stdout == ""


def test_every_finding_of_a_user_error_is_printed() -> None:
    error = UserError.of([Finding("one", "fix one"), Finding("two", "fix two")], file="a.yaml")

    shown = CliRunner().invoke(group_raising(error), ["inner", "fail"])

    assert shown.stderr == ("error: a.yaml: one\nfix: fix one\nerror: a.yaml: two\nfix: fix two\n")


@pytest.mark.parametrize(
    ("arguments", "report"),
    [
        (["--bogus"], "error: no such option '--bogus'\nfix: run `tool --help`\n"),
        (["bogus"], "error: no such command 'bogus'\nfix: run `tool --help`\n"),
        (
            ["inner", "work", "--bogus"],
            "error: no such option '--bogus'\nfix: run `tool inner work --help`\n",
        ),
        (["inner", "work"], "error: --for needs --rate\nfix: run `tool inner work --help`\n"),
        (
            ["inner", "work", "--count", "x"],
            "error: invalid value for '--count': 'x' is not a valid integer\n"
            "fix: run `tool inner work --help`\n",
        ),
    ],
)
def test_a_usage_error_has_the_form_of_other_errors(arguments: list[str], report: str) -> None:
    tool, inner = ErrorReportingGroup("tool"), ErrorReportingGroup("inner")

    @inner.command()
    @click.option("--count", type=int)
    def work(count: int | None) -> None:
        raise click.UsageError("--for needs --rate.")

    tool.add_command(inner)
    shown = CliRunner().invoke(tool, arguments)

    assert (shown.exit_code, shown.stdout, shown.stderr) == (2, "", report)


def test_without_a_command_the_help_is_shown() -> None:
    shown = CliRunner().invoke(ErrorReportingGroup("tool"), [])

    assert shown.exit_code == 2
    assert shown.output.startswith("Usage: tool")


def test_control_characters_of_a_file_are_escaped() -> None:
    shown = CliRunner().invoke(
        group_raising(UserError("the key x\x1b[31m is \x07", "remove \x00")), ["inner", "fail"]
    )

    assert shown.stderr == "error: the key x\\x1b[31m is \\x07\nfix: remove \\x00\n"


def test_an_interrupt_ends_in_one_line_and_130() -> None:
    shown = CliRunner().invoke(group_raising(KeyboardInterrupt()), ["inner", "fail"])

    assert shown.exit_code == 130
    assert shown.stderr == "\nInterrupted; run the command again to resume.\n"


@pytest.mark.parametrize(
    ("options", "logged"),
    [([], ["warning"]), (["-v"], ["warning", "info"]), (["-vv"], ["warning", "info", "debug"])],
)
def test_verbose_logs_more_of_this_project_to_standard_error(
    options: list[str], logged: list[str]
) -> None:
    group = click.Group("group")

    @group.command()
    def work() -> None:
        for level in ("warning", "info", "debug"):
            getattr(logging.getLogger("mirrorstack.kafka"), level)(f"a message: {level}")

    add_verbose_option(group)
    shown = CliRunner().invoke(group, ["work", *options])

    assert [line.rpartition(" ")[2] for line in shown.stderr.splitlines()] == logged
    assert shown.stdout == ""


def test_other_libraries_are_not_logged_because_py4j_would_log_passwords() -> None:
    configure_logging(2)

    assert not logging.getLogger("py4j").isEnabledFor(logging.DEBUG)
