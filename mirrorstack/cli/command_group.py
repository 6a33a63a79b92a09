"""What all commands share: how errors and interrupts end, and `-v`."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

import click
from click.exceptions import NoArgsIsHelpError

from mirrorstack.console import EXIT_INTERRUPTED, INTERRUPTED
from mirrorstack.findings import UserError

LOGGERS = ("mirrorstack", "toolchain", "components")
LOG_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"


class ReportedError(click.ClickException):
    """A user error on its way to standard error. Exit status 2, as for a mistyped option: 1 means
    findings or differences."""

    exit_code = 2

    def __init__(self, error: UserError) -> None:
        super().__init__(error.report())

    def show(self, file: IO[Any] | None = None) -> None:
        click.echo(self.message, file=file, err=True)


class ErrorReportingGroup(click.Group):
    """A group of commands whose user errors, mistyped options among them, end in `error:` and
    `fix:`, without a traceback."""

    def make_context(self, *args: Any, **extra: Any) -> click.Context:
        with _reported_errors():
            return super().make_context(*args, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            with _reported_errors():
                return super().invoke(ctx)
        except KeyboardInterrupt:
            click.echo(INTERRUPTED, err=True)
            ctx.exit(EXIT_INTERRUPTED)


@contextmanager
def _reported_errors() -> Iterator[None]:
    try:
        yield
    except UserError as error:
        raise ReportedError(error) from error
    except NoArgsIsHelpError:
        raise
    except click.UsageError as error:
        raise ReportedError(_usage_error(error)) from error


def _usage_error(error: click.UsageError) -> UserError:
    """Click's message in the form of the others."""
    message = error.format_message().removesuffix(".")
    command = error.ctx.command_path if error.ctx else "mirrorstack"
    return UserError(f"{message[:1].lower()}{message[1:]}", f"run `{command} --help`")


def configure_logging(verbosity: int) -> None:
    """Log to standard error: warnings by default, INFO with -v, DEBUG with -vv.

    Only this project's loggers: py4j would log Spark's options, passwords among them.
    """
    level = (logging.WARNING, logging.INFO, logging.DEBUG)[min(verbosity, 2)]
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter(LOG_FORMAT))
    for name in LOGGERS:
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.propagate = False
        logger.setLevel(level)


def add_verbose_option(group: click.Group) -> None:
    """Give every command of a group, and of its groups, `-v`."""
    for command in _commands(group):
        command.params.append(
            click.Option(
                ["-v", "--verbose"],
                count=True,
                expose_value=False,
                callback=lambda _ctx, _param, count: configure_logging(count),
                help="Log to standard error; -vv logs more.",
            )
        )


def _commands(group: click.Group) -> Iterator[click.Command]:
    for command in group.commands.values():
        if isinstance(command, click.Group):
            yield from _commands(command)
        else:
            yield command
