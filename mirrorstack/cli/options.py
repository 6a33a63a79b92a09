"""Options that several commands share, and the types of option values."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from mirrorstack.config.stack_file import stack_names
from mirrorstack.local.home import ROOT

STACKS = ROOT / "stacks"
DEFAULT_STACK = "local"
Command = TypeVar("Command", bound=Callable[..., Any])


class Seconds(click.FloatRange):
    """A finite number of seconds, 0 or more."""

    def __init__(self) -> None:
        super().__init__(min=0)

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        seconds: float = super().convert(value, param, ctx)
        if not math.isfinite(seconds):
            self.fail(f"{value} is not a finite number of seconds.", param, ctx)
        return seconds


class NonEmptyText(click.ParamType[str]):
    """Text that is not empty: an empty shell variable must not become the default."""

    name = "text"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if not str(value).strip():
            self.fail("the value is empty; set a value, or omit the option.", param, ctx)
        return str(value)


def default_stack(directory: Path = STACKS) -> str:
    """The only stack that has a file, else `local`."""
    stacks = stack_names(directory)
    return stacks[0] if len(stacks) == 1 else DEFAULT_STACK


stack_option = click.option(
    "-s",
    "--stack",
    type=NonEmptyText(),
    callback=lambda _ctx, _param, stack: stack or default_stack(),
    help=f"Stack name. Default: the only stack in stacks/, else {DEFAULT_STACK}.",
)


def format_option(*formats: str) -> Callable[[Command], Command]:
    """`--format`, of which the first is the default, and `--json` as the short form of one."""

    def decorate(function: Command) -> Command:
        @click.option(
            "--format",
            "output_format",
            type=click.Choice(formats),
            help=f"Output format. Default: {formats[0]}.",
        )
        @click.option("--json", "as_json", is_flag=True, help="Short for --format json.")
        @functools.wraps(function)
        def wrapper(
            *args: Any, output_format: str | None = None, as_json: bool = False, **kwargs: Any
        ) -> Any:
            if as_json and output_format not in (None, "json"):
                raise click.UsageError(f"--json contradicts --format {output_format}.")
            chosen = "json" if as_json else output_format or formats[0]
            return function(*args, output_format=chosen, **kwargs)

        return wrapper  # type: ignore[return-value]

    return decorate
