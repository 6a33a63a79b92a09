"""`mirrorstack schema`: the JSON schemas of stack files and reports."""

from __future__ import annotations

import json

import click

from mirrorstack.config.reference import stack_file_page
from mirrorstack.config.schema import stack_file_schema


@click.command()
@click.argument("document", type=click.Choice(["stack-file", "report"]), default="stack-file")
@click.option(
    "--format",
    "output_format",
    type=click.Choice(["json", "markdown"]),
    default="json",
    show_default=True,
    help="JSON schema, or the reference page (only of stack-file).",
)
def schema(document: str, output_format: str) -> None:
    """Print the JSON schema of stack files, or of the report.json of `mirrorstack verify`.

    Stack files name the schema in their first line; editors with a YAML language server then
    complete and check their keys.

    \b
    Examples:
      mirrorstack schema > stacks/schema.json
      mirrorstack schema report
      mirrorstack schema stack-file --format markdown
    """
    if output_format == "markdown":
        if document != "stack-file":
            raise click.UsageError(f"{document} has no reference page; use --format json.")
        click.echo(stack_file_page().rstrip())
    elif document == "report":
        # As in `verify`: Spark's packages take a second to import.
        from mirrorstack.verify.report.schema import report_schema

        click.echo(json.dumps(report_schema(), indent=2))
    else:
        click.echo(json.dumps(stack_file_schema(), indent=2))
