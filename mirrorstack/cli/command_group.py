"""What all commands share: how errors and interrupts end, and `-v`."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import IO, Any

import click

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
    """A group of commands whose user errors end in `error:` and `fix:`, without a traceback."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except UserError as error:
            raise ReportedError(error) from error
        except KeyboardInterrupt:
            click.echo(INTERRUPTED, err=True)
            ctx.exit(EXIT_INTERRUPTED)


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
