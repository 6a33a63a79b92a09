"""`mirrorstack doctor`: check the installation of this clone."""

from __future__ import annotations

import json

import click

from mirrorstack.cli.options import format_option
from mirrorstack.local.home import ROOT
from toolchain.doctor import json_document, report_parts, report_platforms, text_report


@click.command()
@format_option("text", "json")
@click.option(
    "--platforms",
    is_flag=True,
    help="Also list what only `runtime: docker`, `runtime: kubernetes` and their tests need.",
)
@click.pass_context
def doctor(ctx: click.Context, output_format: str, *, platforms: bool) -> None:
    """Report every installed part with its version, origin and errors.

    Exit status 0 without errors, 1 with errors.

    \b
    Examples:
      mirrorstack doctor
      mirrorstack doctor --platforms
      mirrorstack doctor --json | jq -r '.parts[] | select(.error != "").fix'
    """
    reports = report_parts(ROOT) + (report_platforms() if platforms else [])
    if output_format == "json":
        click.echo(json.dumps(json_document(reports), indent=2))
    else:
        click.echo(text_report(reports))
    ctx.exit(1 if any(report.error for report in reports) else 0)
