"""`mirrorstack lint`: find mistakes in MirrorMaker's files before they are deployed."""

from __future__ import annotations

from pathlib import Path

import click

from mirrorstack.cli.options import format_option
from mirrorstack.findings import Finding, UserError
from mirrorstack.lint import reader
from mirrorstack.lint.cross_file import LintedFile, check_files
from mirrorstack.lint.properties_files import PropertiesKind
from mirrorstack.lint.reports import as_json, as_sarif, as_text

FORMATS = {"text": as_text, "json": as_json, "sarif": as_sarif}


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@format_option(*FORMATS)
@click.option(
    "--as",
    "kind",
    type=click.Choice([kind.value for kind in PropertiesKind]),
    help="Kind of a properties file whose keys do not show it.",
)
@click.pass_context
def lint(ctx: click.Context, files: tuple[Path, ...], output_format: str, kind: str | None) -> None:
    """Report unknown and removed keys, invalid values, and configurations that break replication.

    FILES are mm2.properties, properties of a Connect worker or a connector, connectors as JSON,
    Strimzi's KafkaMirrorMaker2, KafkaConnector and KafkaConnect, stack files, and shell scripts
    (for removed commands). No cluster is contacted: the keys are those of the Kafka version that
    this release is built for. Several files are also checked against each other.

    Exit status 0 if there are no findings, 1 if there are, 2 if a file cannot be read.

    \b
    Examples:
      mirrorstack lint mm2.properties
      mirrorstack lint connectors/*.json stacks/*.yaml
      mirrorstack lint --as worker connect.properties
      mirrorstack lint --format sarif mm2.properties > lint.sarif
    """
    read: dict[Path, LintedFile] = {}
    errors: list[Finding] = []
    for file in dict.fromkeys(files):
        try:
            read[file] = reader.read_file(file, PropertiesKind(kind) if kind else None)
        except UserError as error:
            errors += error.findings
            click.echo(error.report(), err=True)
    findings = check_files(read)
    if read or output_format != "text":
        click.echo(FORMATS[output_format](findings, list(read), errors))
    ctx.exit(2 if errors else 1 if findings else 0)
