"""`mirrorstack render`: a stack in the words of dedicated mode."""

from __future__ import annotations

import json
from pathlib import Path

import click

from mirrorstack.config.stack_file import read_stack
from mirrorstack.findings import UserError
from mirrorstack.local.home import ROOT
from mirrorstack.rendering import dedicated
from mirrorstack.rendering.clusters import client_accesses
from mirrorstack.rendering.notes import as_document
from mirrorstack.sandbox.connection import connection

SECRETS_FILE = "/etc/mirrorstack/secrets.properties"


@click.command("render")
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("-s", "--stack", help="The stack, by its name; or give its FILE.")
@click.option(
    "--secrets-file",
    default=SECRETS_FILE,
    show_default=True,
    help="Where MirrorMaker will find the passwords, each under its cluster's alias.",
)
@click.option("--json", "as_json", is_flag=True, help="Print keys and notes as one document.")
def render_stack(file: Path | None, stack: str | None, secrets_file: str, as_json: bool) -> None:
    """Print a stack as mm2.properties, the file of `connect-mirror-maker`.

    Nothing is contacted, and no password is printed: the file refers to them. What dedicated mode
    cannot do as the stack does is told on standard error and at the top of the file.

    \b
    Examples:
      mirrorstack render -s local
      mirrorstack render stacks/Pulumi.dr.yaml > mm2.properties
      mirrorstack render -s dr --secrets-file /run/secrets/mm2.properties
    """
    if (file is None) == (stack is None):
        given = "neither a stack nor a file is" if file is None else "both a stack and a file are"
        raise UserError(f"{given} given.", "give one: `mirrorstack render -s local`")
    path = file or ROOT / "stacks" / f"Pulumi.{stack}.yaml"
    settings = read_stack(path)
    made = dedicated.render_stack(settings, client_accesses(settings, secrets_file, connection))
    for note in made.notes:
        click.echo(f"note: {note}", err=True)
    if as_json:
        click.echo(
            json.dumps({"properties": made.properties, "notes": as_document(made.notes)}, indent=2)
        )
    else:
        click.echo(made.content(path.name), nl=False)
