"""`mirrorstack doctor`: what this clone stands on."""

from __future__ import annotations

import json
from dataclasses import asdict

import click

from mirrorstack.local.home import ROOT
from toolchain.doctor import examine, page


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@click.pass_context
def doctor(ctx: click.Context, as_json: bool) -> None:
    """List every part, its version, where it came from, and what is wrong with it.

    Exit status 0 when all is well, 1 when something is wrong.

    \b
    Example:
      mirrorstack doctor
    """
    findings = examine(ROOT)
    if as_json:
        click.echo(json.dumps([asdict(finding) for finding in findings], indent=2))
    else:
        click.echo(page(findings))
    ctx.exit(1 if any(finding.wrong for finding in findings) else 0)
