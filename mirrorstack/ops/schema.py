"""`mirrorstack schema`: what editors need to complete and check stack files."""

from __future__ import annotations

import json

import click

from mirrorstack.model.reference import stack_file_page
from mirrorstack.model.schema import stack_file_schema


@click.command()
@click.option("--page", is_flag=True, help="Print the page about stack files instead.")
def schema(page: bool) -> None:
    """Print the JSON schema of stack files.

    Stack files name it in their first line, and editors with a YAML language server then complete
    and check them while you type.

    \b
    Example:
      mirrorstack schema > stacks/schema.json
    """
    click.echo(stack_file_page().rstrip() if page else json.dumps(stack_file_schema(), indent=2))
