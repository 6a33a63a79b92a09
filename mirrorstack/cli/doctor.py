"""`mirrorstack doctor`: check the installation of this clone."""

from __future__ import annotations

import json
from dataclasses import asdict

import click

from mirrorstack.cli.options import format_option
from toolchain.doctor import examine, page
from toolchain.setup import ROOT


@click.command()
@format_option("text", "json")
@click.pass_context
def doctor(ctx: click.Context, output_format: str) -> None:
    """List every installed part with its version, its origin and what is wrong with it.

    Exit status 0 if nothing is wrong, 1 otherwise.

    \b
    Examples:
      mirrorstack doctor
      mirrorstack doctor --json | jq -r '.[] | select(.wrong != "").fix'
    """
    parts = examine(ROOT)
    if output_format == "json":
        click.echo(json.dumps([asdict(part) for part in parts], indent=2))
    else:
        click.echo(page(parts))
    ctx.exit(1 if any(part.wrong for part in parts) else 0)
