"""`mirrorstack render`: a stack as mm2.properties for dedicated mode."""

from __future__ import annotations

import json
from pathlib import Path

import click
from click.core import ParameterSource

from mirrorstack.cli.options import STACKS, format_option, stack_option
from mirrorstack.config.stack_file import read_stack, stack_path
from mirrorstack.findings import UserError
from mirrorstack.rendering import dedicated
from mirrorstack.rendering.clusters import client_accesses
from mirrorstack.rendering.notes import as_document
from mirrorstack.sandbox.connection import connection

SECRETS_FILE = "/etc/mirrorstack/secrets.properties"


@click.command()
@click.argument("file", required=False, type=click.Path(path_type=Path))
@stack_option
@click.option(
    "--secrets-file",
    default=SECRETS_FILE,
    show_default=True,
    help="File in which MirrorMaker finds the passwords, each under its cluster's alias.",
)
@format_option("text", "json")
@click.pass_context
def render(
    ctx: click.Context, file: Path | None, stack: str, secrets_file: str, output_format: str
) -> None:
    """Print a stack as mm2.properties, the config file of `connect-mirror-maker`.

    FILE is a stack file; -s names a stack of stacks/ instead. No cluster is contacted, and no
    password is printed: the file refers to them. What dedicated mode cannot do as the stack does is
    listed on standard error and at the top of the file.

    \b
    Examples:
      mirrorstack render -s local
      mirrorstack render stacks/Pulumi.dr.yaml > mm2.properties
      mirrorstack render -s dr --secrets-file /run/secrets/mm2.properties
    """
    if file and ctx.get_parameter_source("stack") is not ParameterSource.DEFAULT:
        raise UserError(
            f"both a stack, {stack}, and a file, {file}, are given",
            "give one of them: `mirrorstack render -s local`",
        )
    path = file or stack_path(stack, STACKS)
    settings = read_stack(path)
    made = dedicated.render_stack(settings, client_accesses(settings, secrets_file, connection))
    for note in made.notes:
        click.echo(f"note: {note}", err=True)
    if output_format == "json":
        document = {"properties": made.properties, "notes": as_document(made.notes)}
        click.echo(json.dumps(document, indent=2))
    else:
        click.echo(made.content(path.name), nl=False)
