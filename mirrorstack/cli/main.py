"""`mirrorstack`: the command line."""

from __future__ import annotations

import click

from mirrorstack.cli.demo import demo
from mirrorstack.cli.doctor import doctor
from mirrorstack.cli.down import down
from mirrorstack.cli.group import ErrorReportingGroup
from mirrorstack.cli.import_stack import import_stack
from mirrorstack.cli.lint import lint
from mirrorstack.cli.recover import recover
from mirrorstack.cli.render import render_stack
from mirrorstack.cli.sandbox import sandbox
from mirrorstack.cli.schema import schema
from mirrorstack.cli.verify import verify


@click.group(cls=ErrorReportingGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="mirrorstack")
def main() -> None:
    """Kafka MirrorMaker 2 replication as code.

    \b
    See all of it work:        mirrorstack demo
    Then change something:     $EDITOR stacks/Pulumi.local.yaml && pulumi preview -s local
    When something is wrong:   mirrorstack doctor
    """


COMMANDS = (
    demo,
    doctor,
    down,
    import_stack,
    lint,
    recover,
    render_stack,
    sandbox,
    schema,
    verify,
)
for command in COMMANDS:
    main.add_command(command)
