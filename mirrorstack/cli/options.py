"""What options take: click's own kinds let through what makes no sense here."""

from __future__ import annotations

import math
from typing import Any

import click


class Seconds(click.FloatRange):
    """A time that ends."""

    def __init__(self) -> None:
        super().__init__(min=0)

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        seconds: float = super().convert(value, param, ctx)
        if not math.isfinite(seconds):
            self.fail(f"{value} is no number of seconds; give one such as 60.", param, ctx)
        return seconds


class Words(click.ParamType[str]):
    """A text with something in it: an empty variable of a script is not meant as a default."""

    name = "text"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if not str(value).strip():
            self.fail("it is empty; give a value, or leave the option out.", param, ctx)
        return str(value)
