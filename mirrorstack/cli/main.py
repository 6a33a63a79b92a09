"""`mirrorstack`: the command line."""

from __future__ import annotations

import click

from mirrorstack.ops.commands import ProblemGroup
from mirrorstack.ops.demo import demo
from mirrorstack.ops.doctor import doctor
from mirrorstack.ops.down import down
from mirrorstack.ops.import_stack import import_stack
from mirrorstack.ops.lint import lint
from mirrorstack.ops.recover import recover
from mirrorstack.ops.render import render_stack
from mirrorstack.ops.sandbox import sandbox
from mirrorstack.ops.schema import schema
from mirrorstack.ops.verify import verify


@click.group(cls=ProblemGroup, context_settings={"help_option_names": ["-h", "--help"]})
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
