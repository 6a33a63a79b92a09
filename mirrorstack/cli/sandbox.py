"""`mirrorstack sandbox`: two real Kafka clusters on this machine."""

from __future__ import annotations

import json
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import click

from mirrorstack.cli.command_group import ErrorReportingGroup
from mirrorstack.cli.options import format_option
from mirrorstack.cli.sandbox_output import print_seed, print_status
from mirrorstack.console import Console
from mirrorstack.findings import UserError
from mirrorstack.local.home import home
from mirrorstack.runtimes.installed import installed_kafka
from mirrorstack.runtimes.local_worker import all_below
from mirrorstack.sandbox.live_writer import LiveWriter
from mirrorstack.sandbox.names import DEFAULT_NAME, Cluster, command
from mirrorstack.sandbox.sandbox import Sandbox, all_names
from mirrorstack.sandbox.seed_plan import DEFAULT_SEED, SeedPlan
from mirrorstack.sandbox.seeder import Seeder
from mirrorstack.sandbox.settings import DEFAULT_BROKERS, DEFAULT_PORTS, SandboxOptions

Command = TypeVar("Command", bound=Callable[..., Any])

NAME = click.option(
    "--name",
    default=DEFAULT_NAME,
    show_default=True,
    help="Name of the sandbox; several can run at once.",
)


def _sizes(function: Command) -> Command:
    """The options of `up` and `reset`."""
    options = [
        click.option(
            "--brokers",
            type=int,
            help=f"Brokers per cluster. Default: as before, else {DEFAULT_BROKERS}.",
        ),
        *(
            click.option(
                f"--{cluster}-port",
                type=int,
                help=f"Port of the first broker of {cluster}; controllers use the ports 1000 "
                f"above. 0 picks free ports. Default: as before, else {DEFAULT_PORTS[cluster]}.",
            )
            for cluster in Cluster
        ),
        click.option(
            "--authorizer/--no-authorizer",
            default=None,
            help="Whether brokers check ACLs; without, every client may do everything. Default: as "
            "before, else --authorizer.",
        ),
    ]
    for option in reversed(options):
        function = option(function)
    return function


@click.group(cls=ErrorReportingGroup)
def sandbox() -> None:
    """Two real Kafka clusters on this machine, east and west.

    With TLS, SCRAM and deny-by-default ACLs, as in production. They keep running when the terminal
    is closed, and keep their data until it is deleted.

    \b
    Example:
      mirrorstack sandbox up
      mirrorstack sandbox seed
      mirrorstack sandbox status
      mirrorstack sandbox down --delete
    """


@sandbox.command()
@NAME
@_sizes
@format_option("text", "json")
def up(name: str, output_format: str, **options: Any) -> None:
    """Start both clusters, or those of their nodes that do not run.

    Size and ports are stored: the next `up` needs no options. Safe to run again after a crash or an
    interruption, and when everything runs.

    \b
    Examples:
      mirrorstack sandbox up
      mirrorstack sandbox up --name trial --east-port 0 --west-port 0
      mirrorstack sandbox up --name open --no-authorizer
    """
    console = Console()
    outcome = Sandbox(name, console=console).up(installed_kafka(), SandboxOptions(**options))
    if output_format == "json":
        click.echo(
            json.dumps(
                {"started": outcome.started, **outcome.status.model_dump(mode="json")}, indent=2
            )
        )
        return
    if not outcome.started:
        console.say(f"the sandbox {name!r} runs already")
    print_status(outcome.status)


@sandbox.command()
@NAME
@format_option("text", "json")
@click.pass_context
def status(ctx: click.Context, name: str, output_format: str) -> None:
    """Show every node, and which ones crashed.

    Exit status 0 if all nodes run, 1 if some do not, 2 if there is no such sandbox.

    \b
    Examples:
      mirrorstack sandbox status
      mirrorstack sandbox status --json | jq -r .bootstrap_servers.east
    """
    current = Sandbox(name).status()
    if output_format == "json":
        click.echo(current.model_dump_json(indent=2))
    elif current.nodes:
        print_status(current)
    if not current.nodes:
        raise UserError(f"there is no sandbox {name!r}", f"start it: `{command('up', name)}`")
    ctx.exit(0 if current.running else 1)


@sandbox.command()
@NAME
@click.option("--delete", is_flag=True, help="Delete the data, passwords and certificates too.")
@click.option("--all", "everything", is_flag=True, help="Stop every sandbox.")
def down(name: str, delete: bool, everything: bool) -> None:
    """Stop both clusters. Their data stays, except with --delete.

    \b
    Examples:
      mirrorstack sandbox down
      mirrorstack sandbox down --all --delete
    """
    console = Console()
    ended = 0
    for each in all_names(home()) if everything else [name]:
        ended += Sandbox(each, console=console).down(delete=delete)
    if not ended:
        console.say("nothing was running")


@sandbox.command()
@NAME
@_sizes
def reset(name: str, **options: Any) -> None:
    """Delete the data of both clusters and start them empty.

    Without confirmation. Certificates, passwords and ports stay, so that client configurations
    remain valid; the cluster ids change.

    \b
    Examples:
      mirrorstack sandbox reset
      mirrorstack sandbox reset --brokers 3
    """
    cleared = Sandbox(name, console=Console())
    # A worker without brokers runs on for a minute, and looks alive.
    for worker in all_below(cleared.layout.home):
        if worker.uses(cleared.layout.directory):
            worker.stop()
    print_status(cleared.reset(installed_kafka(), SandboxOptions(**options)).status)
    click.echo(
        f"\nThe topics and ACLs of deployed stacks are deleted, too. Run `{command('seed', name)}` "
        "to fill east,\nthen `pulumi up -s <stack> --refresh --run-program` to deploy them again."
    )


@sandbox.command()
@NAME
@click.option(
    "--seed",
    "value",
    type=int,
    default=DEFAULT_SEED,
    show_default=True,
    help="Seed of the generator: another value gives other records.",
)
@click.option(
    "--scale",
    type=click.IntRange(1, 100),
    default=1,
    show_default=True,
    help="Number of records, in units of 20,000.",
)
@click.option(
    "--rate",
    type=click.IntRange(1, 50_000),
    help="Afterwards keep writing to orders and clicks, so many records per second.",
)
@click.option(
    "--for",
    "seconds",
    type=click.FloatRange(min=0, min_open=True),
    help="Stop --rate after so many seconds. Default: until Ctrl-C.",
)
def seed(name: str, value: int, scale: int, rate: int | None, seconds: float | None) -> None:
    """Fill east with topics, records and consumer groups that are hard to replicate.

    The same --seed and --scale produce the same keys, values, headers, timestamps, partitions and
    committed offsets on every machine.

    \b
    Examples:
      mirrorstack sandbox seed
      mirrorstack sandbox seed --rate 200 --for 60
    """
    if seconds is not None and rate is None:
        raise click.UsageError("--for needs --rate.")
    console = Console()
    target = Sandbox(name, console=console)
    outcome = Seeder(target, console).seed(SeedPlan(value, scale))
    if outcome.already:
        console.say(f"the sandbox {name!r} is already seeded")
    print_seed(outcome)
    if rate is None:
        return
    writer = LiveWriter(target, console)
    with _stop_on_signal() as stop:
        live = writer.run(rate, seconds, stop)
    click.echo(f"wrote {live.delivered:,} records in {live.seconds:.1f} s ({live.rate:,.1f}/s)")
    if live.lost:
        click.echo(f"{live.lost:,} more were sent and not acknowledged", err=True)


@contextmanager
def _stop_on_signal() -> Iterator[threading.Event]:
    """Ctrl-C and SIGTERM stop the writer, which then flushes. Set explicitly, because a shell
    starts background commands with SIGINT ignored."""
    stop = threading.Event()
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(number, lambda *_: stop.set()) for number in numbers]
    try:
        yield stop
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)
