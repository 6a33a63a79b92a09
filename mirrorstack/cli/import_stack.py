"""`mirrorstack import`: a stack file from an existing MirrorMaker configuration."""

from __future__ import annotations

import json
from pathlib import Path

import click

from mirrorstack.cli.options import format_option
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
    help="File to write; it must not exist yet. Default: standard output.",
)
@click.option(
    "--credentials-file",
    type=click.Path(path_type=Path),
    help="For a URL: JSON or properties file with username and password, mode 0600.",
)
@click.option(
    "--ca-file",
    type=click.Path(path_type=Path),
    help="For an https URL: PEM file with the CA certificates.",
)
@format_option("text", "json")
def import_stack(
    origins: tuple[str, ...],
    output: Path | None,
    credentials_file: Path | None,
    ca_file: Path | None,
    output_format: str,
) -> None:
    """Write a stack file from mm2.properties, connectors as JSON, Strimzi resources or a running
    Connect cluster.

    What the stack file cannot express is listed on standard error and at the top of the file.
    Passwords are not imported, and nothing is changed in the running cluster.

    \b
    Examples:
      mirrorstack import mm2.properties -o stacks/Pulumi.dr.yaml
      mirrorstack import source.json checkpoint.json heartbeat.json
      mirrorstack import kafka-mirror-maker-2.yaml
      mirrorstack import https://connect.example:8083 --credentials-file rest.json
    """
    if output and output.exists():
        raise UserError("exists already", "choose another name, or move the file", file=str(output))
    origin = ", ".join(origins)
    if any(is_url(one) for one in origins):
        if len(origins) > 1:
            raise UserError(f"several origins with a URL: {origin}", "import one URL at a time")
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
            raise UserError(
                f"cannot be written: {error.strerror}",
                "check the path and its permissions",
                file=str(output),
            ) from None
        click.echo(f"wrote {output}; check it, then run `pulumi preview`", err=True)
    if output_format == "json":
        click.echo(json.dumps({"stack": made.values, "notes": as_document(made.notes)}, indent=2))
    elif not output:
        click.echo(page, nl=False)
