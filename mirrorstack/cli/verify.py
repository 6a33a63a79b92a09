"""`mirrorstack verify`: whether the copy is the original."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import click

from mirrorstack.cli.options import Seconds, Words
from mirrorstack.cli.stack import clusters, stack_file
from mirrorstack.config.smoke_test import check_spark_setting
from mirrorstack.config.stack_file import read_stack
from mirrorstack.console import Console
from mirrorstack.findings import UserError
from mirrorstack.verify.interrupts import defer_interrupts, exit_on_interrupt
from mirrorstack.verify.request import report_directory


@click.command()
@click.option(
    "-s",
    "--stack",
    type=Words(),
    default="local",
    show_default=True,
    help="The stack to verify.",
)
@click.option(
    "--wait",
    "wait_seconds",
    type=Seconds(),
    metavar="SECONDS",
    help="How long the target may take to catch up; not given: as `smoke-test` says, or 60.",
)
@click.option(
    "--rpo",
    "rpo_seconds",
    type=Seconds(),
    metavar="SECONDS",
    help="How old a record that has not arrived may be; older is a failure. Not given: as each "
    "flow says, or all must have arrived.",
)
@click.option("--payloads", is_flag=True, help="Show the values of records that differ.")
@click.option("--full", is_flag=True, help="Read everything, not only what is new since last time.")
@click.option(
    "--master",
    type=Words(),
    metavar="URL",
    help="Spark's master; not given: as `smoke-test` says, or this machine.",
)
@click.option(
    "--conf",
    "spark_settings",
    type=Words(),
    multiple=True,
    metavar="KEY=VALUE",
    help="A setting of Spark's, such as spark.executor.memory=4g.",
)
@click.option(
    "--report",
    "directory",
    type=Words(),
    metavar="DIRECTORY",
    help="Where report.json and report.html go; not given: .mirrorstack/verify/<stack>.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the report as one JSON document.")
@click.option(
    "--stack-file",
    "file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Another file than stacks/Pulumi.<stack>.yaml.",
)
@click.pass_context
def verify(
    ctx: click.Context,
    stack: str,
    wait_seconds: float | None,
    rpo_seconds: float | None,
    payloads: bool,
    full: bool,
    master: str | None,
    spark_settings: tuple[str, ...],
    directory: str | None,
    as_json: bool,
    file: Path | None,
) -> None:
    """Compare source and target record by record, and say what differs.

    What was found equal before is not read again, except in compacted topics and with --full.

    Exit status 0 when the copy is equal, 1 when it differs, 2 when that cannot be told, for example
    because the target is still behind.

    \b
    Examples:
      mirrorstack verify -s local
      mirrorstack verify -s local --full
      mirrorstack verify -s dr-prod --wait 300 --rpo 60 --json
      mirrorstack verify -s dr-prod --master spark://host:7077 --conf spark.executor.memory=4g
    """
    ctx.with_resource(exit_on_interrupt())
    # Spark's packages take a second to import; the other commands need not wait for them.
    from mirrorstack.verify.reading.session import LOCAL_MASTER, session
    from mirrorstack.verify.report.files import prepare, read_previous_run, write
    from mirrorstack.verify.report.summary import summary
    from mirrorstack.verify.verification import VerifyOptions
    from mirrorstack.verify.verification import verify as run

    console = Console()
    chosen = file or stack_file(stack)
    settings = read_stack(chosen)
    asked = settings.comparison
    spark_conf = {**asked.spark, **dict(map(_spark_setting, spark_settings))}
    output = Path(directory) if directory else report_directory(stack)
    prepare(output)
    held = clusters(settings, stack, chosen)
    held.inventories()  # whether the clusters answer is known before Spark starts
    wait = asked.wait_seconds if wait_seconds is None else wait_seconds
    wishes = VerifyOptions(wait, rpo_seconds, payloads)
    memory = read_previous_run(output, console, full=full)
    with ExitStack() as ended:
        with console.step("starting Spark"):
            spark = ended.enter_context(session(master or asked.master or LOCAL_MASTER, spark_conf))
        report = run(spark, settings, held, stack, wishes, console, memory)
    click.echo(report.to_json() if as_json else summary(report))
    with defer_interrupts():
        console.say(str(write(report, output)))
    ctx.exit(report.verdict.exit_status)


def _spark_setting(pair: str) -> tuple[str, str]:
    name, _, value = pair.partition("=")
    if not name or not value:
        lacking = "value" if name else "key"
        raise UserError(f"--conf {name or pair} has no {lacking}.", "write it as KEY=VALUE")
    try:
        return check_spark_setting(name), value
    except ValueError as reason:
        raise UserError(f"--conf {name}: {reason}.", "take it off or correct it") from None
