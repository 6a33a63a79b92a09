"""`mirrorstack verify`: compare source and target record by record."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import click
from click.core import ParameterSource

from mirrorstack.cli.options import STACKS, NonEmptyText, Seconds, format_option, stack_option
from mirrorstack.cli.stack_clusters import stack_clusters
from mirrorstack.config.base import InvalidValueError
from mirrorstack.config.smoke_test import check_spark_setting
from mirrorstack.config.stack_file import read_stack, stack_of, stack_path
from mirrorstack.console import Console
from mirrorstack.findings import UserError
from mirrorstack.verify.interrupts import defer_interrupts, exit_on_interrupt
from mirrorstack.verify.request import report_directory


@click.command()
@stack_option
@click.option(
    "--wait",
    "wait_seconds",
    type=Seconds(),
    metavar="SECONDS",
    help="Maximum time for the target to catch up. Default: `smoke-test.wait-seconds`, else 60.",
)
@click.option(
    "--rpo",
    "rpo_seconds",
    type=Seconds(),
    metavar="SECONDS",
    help="Maximum age of a record that is not yet on the target. Default: `rpo-seconds` of each "
    "flow, else all records must have been replicated.",
)
@click.option("--payloads", is_flag=True, help="Show the values of records that differ.")
@click.option(
    "--full", is_flag=True, help="Read all records, not only those since the previous run."
)
@click.option(
    "--master",
    type=NonEmptyText(),
    metavar="URL",
    help="Spark master. Default: `smoke-test.master`, else this machine.",
)
@click.option(
    "--conf",
    "spark_settings",
    type=NonEmptyText(),
    multiple=True,
    metavar="KEY=VALUE",
    help="Spark setting, such as spark.executor.memory=4g; can be repeated.",
)
@click.option(
    "--report",
    "directory",
    type=NonEmptyText(),
    metavar="DIRECTORY",
    help="Directory for report.json and report.html. Default: .mirrorstack/verify/<stack>.",
)
@format_option("text", "json")
@click.option(
    "--stack-file",
    "file",
    type=click.Path(path_type=Path),
    help="Stack file. Default: stacks/Pulumi.<stack>.yaml. Without -s, its name names the stack.",
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
    output_format: str,
    file: Path | None,
) -> None:
    """Compare source and target record by record, on Spark, and report what differs.

    Records that matched in the previous run are not read again, except in compacted topics and with
    --full.

    Exit status 0 if all records match, 1 if some differ, 2 if the result is inconclusive, for
    example because the target is still behind, and 2 after an error. If it is inconclusive, --json
    prints a report with the verdict "inconclusive"; after an error, nothing.

    \b
    Examples:
      mirrorstack verify -s local
      mirrorstack verify -s local --full
      mirrorstack verify -s dr-prod --wait 300 --rpo 60 --json
      mirrorstack verify -s dr-prod --master spark://host:7077 --conf spark.executor.memory=4g
    """
    ctx.with_resource(exit_on_interrupt())
    # Spark's packages take a second to import; other commands do not need them.
    from mirrorstack.verify.reading.session import LOCAL_MASTER, session
    from mirrorstack.verify.report.files import prepare, read_previous_run, write
    from mirrorstack.verify.report.summary import summary
    from mirrorstack.verify.verification import VerifyOptions
    from mirrorstack.verify.verification import verify as run

    console = Console()
    chosen = file or stack_path(stack, STACKS)
    settings = read_stack(chosen)
    if file and ctx.get_parameter_source("stack") is ParameterSource.DEFAULT:
        stack = stack_of(file)
    comparison = settings.comparison
    spark_conf = {**comparison.spark, **dict(map(_spark_setting, spark_settings))}
    output = Path(directory) if directory else report_directory(stack)
    prepare(output)
    clusters = stack_clusters(settings, stack, chosen)
    clusters.inventories()  # an unreachable cluster is reported before Spark starts
    wait = comparison.wait_seconds if wait_seconds is None else wait_seconds
    options = VerifyOptions(wait, rpo_seconds, payloads)
    previous = read_previous_run(output, console, full=full)
    with ExitStack() as stopped:
        with console.step("starting Spark"):
            spark = stopped.enter_context(
                session(master or comparison.master or LOCAL_MASTER, spark_conf)
            )
        report = run(spark, settings, clusters, stack, options, console, previous)
    click.echo(report.to_json() if output_format == "json" else summary(report))
    with defer_interrupts():
        console.say(str(write(report, output)))
    ctx.exit(report.verdict.exit_status)


def _spark_setting(pair: str) -> tuple[str, str]:
    name, _, value = pair.partition("=")
    if not name or not value:
        missing = "value" if name else "key"
        raise UserError(f"--conf {name or pair} has no {missing}", "write it as KEY=VALUE")
    try:
        return check_spark_setting(name), value
    except InvalidValueError as error:
        raise UserError(f"--conf {name}: {error}", error.fix) from None
