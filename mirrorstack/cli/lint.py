"""`mirrorstack lint`: what is wrong with MirrorMaker's files, before they do harm."""

from __future__ import annotations

from pathlib import Path

import click

from mirrorstack.findings import UserError
from mirrorstack.lint import reader
from mirrorstack.lint.cross_file import LintedFile, check_files
from mirrorstack.lint.properties_files import PropertiesKind
from mirrorstack.lint.reports import as_json, as_sarif, as_text

FORMATS = {"text": as_text, "json": as_json, "sarif": as_sarif}


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--format",
    "form",
    type=click.Choice(list(FORMATS)),
    default="text",
    show_default=True,
    help="For people, for programs, or for code scanning.",
)
@click.option(
    "--as",
    "kind",
    type=click.Choice([kind.value for kind in PropertiesKind]),
    help="What a properties file is, where its keys do not tell.",
)
@click.pass_context
def lint(ctx: click.Context, files: tuple[Path, ...], form: str, kind: str | None) -> None:
    """Name keys that nothing reads or Kafka refuses, and what breaks replication.

    FILES are mm2.properties, a worker's or a connector's properties, connectors as JSON, Strimzi's
    KafkaMirrorMaker2, KafkaConnector and KafkaConnect, stack files, and shell scripts, for commands
    that are gone. Nothing is contacted: the keys are those of the Kafka that this release was made
    for. Several files are also looked at together.

    Exit status 0 when nothing is found, 1 when something is, 2 when a file cannot be read.

    \b
    Examples:
      mirrorstack lint mm2.properties
      mirrorstack lint connectors/*.json stacks/*.yaml
      mirrorstack lint --as worker connect.properties
      mirrorstack lint --format sarif mm2.properties > lint.sarif
    """
    read: dict[Path, LintedFile] = {}
    unreadable = False
    for file in dict.fromkeys(files):
        try:
            read[file] = reader.read_file(file, PropertiesKind(kind) if kind else None)
        except UserError as problem:
            unreadable = True
            click.echo(problem.report(), err=True)
    found = check_files(read)
    if read or form != "text":
        click.echo(FORMATS[form](found, list(read)))
    ctx.exit(2 if unreadable else 1 if found else 0)
