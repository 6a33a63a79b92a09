"""`mirrorstack`: the command line."""

from __future__ import annotations

import click

from mirrorstack.cli.command_group import ErrorReportingGroup, add_verbose_option
from mirrorstack.cli.demo import demo
from mirrorstack.cli.doctor import doctor
from mirrorstack.cli.down import down
from mirrorstack.cli.import_stack import import_stack
from mirrorstack.cli.lint import lint
from mirrorstack.cli.recover import recover
from mirrorstack.cli.render import render
from mirrorstack.cli.restart import restart
from mirrorstack.cli.sandbox import sandbox
from mirrorstack.cli.schema import schema
from mirrorstack.cli.verify import verify


@click.group(cls=ErrorReportingGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="mirrorstack")
def main() -> None:
    """Kafka MirrorMaker 2 replication as code.

    Exit status of every command: 0 fine, 1 findings or differences, 2 error, 130 interrupted.

    \b
    Try it:                   mirrorstack demo
    Change something:         $EDITOR stacks/Pulumi.local.yaml && pulumi preview -s local
    Check the installation:   mirrorstack doctor
    """


COMMANDS = (
    demo,
    doctor,
    down,
    import_stack,
    lint,
    recover,
    render,
    restart,
    sandbox,
    schema,
    verify,
)
for command in COMMANDS:
    main.add_command(command)
add_verbose_option(main)
