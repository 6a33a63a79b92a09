"""What all commands share: one message for a Problem."""

from __future__ import annotations

from typing import IO, Any

import click

from mirrorstack.console import EXIT_INTERRUPTED, INTERRUPTED
from mirrorstack.findings import UserError


class ShownError(click.ClickException):
    """A Problem on its way to standard error. Exit status 2, as for a mistyped option: 1 is left
    to commands that answer a question with no."""

    exit_code = 2

    def __init__(self, problem: UserError) -> None:
        super().__init__(str(problem))

    def show(self, file: IO[Any] | None = None) -> None:
        click.echo(f"error: {self.message}", err=True)


class ErrorReportingGroup(click.Group):
    """A group of commands whose Problems end in one message and no traceback."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except UserError as problem:
            raise ShownError(problem) from problem
        except KeyboardInterrupt:
            click.echo(INTERRUPTED, err=True)
            ctx.exit(EXIT_INTERRUPTED)
