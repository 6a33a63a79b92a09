"""`mirrorstack import`: from what runs MirrorMaker today to a stack file."""

from __future__ import annotations

import json
from pathlib import Path

import click

from mirrorstack.findings import UserError
from mirrorstack.importing.origins import discover_in_connect, discover_in_files, is_url
from mirrorstack.importing.stack import import_flows
from mirrorstack.rendering.notes import as_document


@click.command("import")
@click.argument("origins", nargs=-1, required=True, metavar="FILE...|URL")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="Write the stack file there; it must not exist yet. Otherwise it is printed.",
)
@click.option(
    "--credentials-file",
    type=click.Path(path_type=Path),
    help="For a URL: JSON or properties with username and password, mode 0600.",
)
@click.option("--ca-file", type=click.Path(path_type=Path), help="For a URL: PEM, for https.")
@click.option("--json", "as_json", is_flag=True, help="Print settings and notes as one document.")
def import_stack(
    origins: tuple[str, ...],
    output: Path | None,
    credentials_file: Path | None,
    ca_file: Path | None,
    as_json: bool,
) -> None:
    """Write a stack file from mm2.properties, connectors, Strimzi's resources or a running Connect.

    What the file cannot say as the original did is told on standard error and at the top of the
    file. Passwords are never taken over, and nothing is changed anywhere.

    \b
    Examples:
      mirrorstack import mm2.properties -o stacks/Pulumi.dr.yaml
      mirrorstack import source.json checkpoint.json heartbeat.json
      mirrorstack import kafka-mirror-maker-2.yaml
      mirrorstack import https://connect.example:8083 --credentials-file rest.json
    """
    if output and output.exists():
        raise UserError(f"{output} exists already.", "give another name, or move it away")
    origin = ", ".join(origins)
    if any(is_url(one) for one in origins):
        if len(origins) > 1:
            raise UserError(f"{origin} are several things.", "import one URL at a time")
        found = discover_in_connect(origin, credentials_file, ca_file)
    else:
        found = discover_in_files([Path(one) for one in origins])
    made = import_flows(found, origin)
    for note in made.notes:
        click.echo(f"note: {note}", err=True)
    page = made.content(origin)
    if output:
        try:
            output.write_text(page)
        except OSError as error:
            raise UserError(f"{output} cannot be written: {error.strerror}", "check it") from None
        click.echo(f"wrote {output}: look at it, then `pulumi preview`", err=True)
    if as_json:
        click.echo(json.dumps({"stack": made.values, "notes": as_document(made.notes)}, indent=2))
    elif not output:
        click.echo(page, nl=False)
