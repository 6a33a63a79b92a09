"""`mirrorstack schema`: what editors need to check stack files, and programs to read reports."""

from __future__ import annotations

import json

import click

from mirrorstack.config.reference import stack_file_page
from mirrorstack.config.schema import stack_file_schema


@click.command()
@click.option("--page", is_flag=True, help="Print the page about stack files instead.")
@click.option("--report", is_flag=True, help="Print the JSON schema of report.json instead.")
def schema(page: bool, report: bool) -> None:
    """Print the JSON schema of stack files.

    Stack files name it in their first line, and editors with a YAML language server then complete
    and check them while you type.

    \b
    Example:
      mirrorstack schema > stacks/schema.json
    """
    if page:
        click.echo(stack_file_page().rstrip())
        return
    if report:
        # As in `verify`: what needs Spark's packages comes late.
        from mirrorstack.verify.report.schema import report_schema

    click.echo(json.dumps(report_schema() if report else stack_file_schema(), indent=2))
