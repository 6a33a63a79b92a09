"""`mirrorstack sandbox`: two real Kafka clusters on this machine."""

from __future__ import annotations

import json
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any, TypeVar

import click

from mirrorstack.cli.group import ErrorReportingGroup
from mirrorstack.console import Console, table
from mirrorstack.local.home import home
from mirrorstack.runtimes.installed import installed_kafka
from mirrorstack.runtimes.local import all_below
from mirrorstack.sandbox.live_writer import LiveWriter
from mirrorstack.sandbox.names import CLIENT_PRINCIPALS, DEFAULT_NAME, Cluster, command
from mirrorstack.sandbox.sandbox import Sandbox, all_names
from mirrorstack.sandbox.seed_plan import DEFAULT_SEED, SeedPlan
from mirrorstack.sandbox.seed_topics import GROUPS, PAYMENTS, TOPICS
from mirrorstack.sandbox.seeder import Seeder, SeedOutcome
from mirrorstack.sandbox.settings import DEFAULT_BROKERS, DEFAULT_PORTS, SandboxOptions
from mirrorstack.sandbox.status import NodeState, SandboxStatus

Command = TypeVar("Command", bound=Callable[..., Any])

NAME = click.option(
    "--name", default=DEFAULT_NAME, show_default=True, help="Which sandbox; several can run."
)
AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")


def _sizes(function: Command) -> Command:
    """The options that `up` and `reset` share."""
    options = [
        click.option(
            "--brokers",
            type=int,
            help=f"Brokers per cluster; {DEFAULT_BROKERS} unless remembered. 3 lets you try "
            "replication factors.",
        ),
        *(
            click.option(
                f"--{cluster}-port",
                type=int,
                help=f"First broker of {cluster}; {DEFAULT_PORTS[cluster]} unless remembered. "
                "Controllers take the ports 1000 above. 0 picks free ports.",
            )
            for cluster in Cluster
        ),
    ]
    for option in reversed(options):
        function = option(function)
    return function


@click.group(cls=ErrorReportingGroup)
def sandbox() -> None:
    """Two real Kafka clusters on this machine, east and west.

    TLS, SCRAM passwords and deny-by-default ACLs, as in production; only the machine is small.
    They keep running when the terminal closes, and keep their data until you delete it.

    \b
    A first round:
      mirrorstack sandbox up
      mirrorstack sandbox seed
      mirrorstack sandbox status
      mirrorstack sandbox down --delete
    """


@sandbox.command()
@NAME
@_sizes
@AS_JSON
def up(
    name: str, brokers: int | None, east_port: int | None, west_port: int | None, as_json: bool
) -> None:
    """Start both clusters, or whatever of them is missing.

    Size and ports are remembered: the next `up` needs no options. Run it again after a crash or
    an interruption; it harms nothing when all is up already.

    \b
    Examples:
      mirrorstack sandbox up
      mirrorstack sandbox up --name trial --east-port 0 --west-port 0
    """
    wishes = SandboxOptions(brokers=brokers, east_port=east_port, west_port=west_port)
    console = Console()
    outcome = Sandbox(name, console=console).up(installed_kafka(), wishes)
    if as_json:
        click.echo(json.dumps({"started": outcome.started, **_document(outcome.status)}, indent=2))
        return
    if not outcome.started:
        console.say(f"the sandbox {name!r} is up already")
    _print_status(outcome.status)


@sandbox.command()
@NAME
@AS_JSON
@click.pass_context
def status(ctx: click.Context, name: str, as_json: bool) -> None:
    """Show every node, and name those that crashed.

    Exit status 0 when all nodes run, 1 otherwise.

    \b
    Examples:
      mirrorstack sandbox status
      mirrorstack sandbox status --json | jq -r .bootstrap_servers.east
    """
    seen = Sandbox(name).status()
    if as_json:
        click.echo(json.dumps(_document(seen), indent=2))
    else:
        _print_status(seen)
    ctx.exit(0 if seen.running else 1)


@sandbox.command()
@NAME
@click.option("--delete", is_flag=True, help="Delete the data, passwords and certificates too.")
@click.option("--all", "everything", is_flag=True, help="Every sandbox of this home.")
def down(name: str, delete: bool, everything: bool) -> None:
    """Stop both clusters. The data stays unless you say --delete.

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
def reset(name: str, brokers: int | None, east_port: int | None, west_port: int | None) -> None:
    """Delete the data of both clusters and start them empty.

    Does not ask. Certificates, passwords and ports stay, so that clients need no new settings;
    the clusters get new ids.

    \b
    Examples:
      mirrorstack sandbox reset
      mirrorstack sandbox reset --brokers 3
    """
    wishes = SandboxOptions(brokers=brokers, east_port=east_port, west_port=west_port)
    cleared = Sandbox(name, console=Console())
    # A worker that loses its brokers lingers for a minute, and looks alive.
    for worker in all_below(cleared.layout.home):
        if worker.uses(cleared.layout.directory):
            worker.stop()
    _print_status(cleared.reset(installed_kafka(), wishes).status)
    click.echo(
        f"\nWhat stacks had deployed here is gone, too. `{command('seed', name)}` fills east "
        "again,\nand then `pulumi up -s <stack> --refresh --run-program` brings the rest back."
    )


@sandbox.command()
@NAME
@click.option(
    "--seed",
    "value",
    type=int,
    default=DEFAULT_SEED,
    show_default=True,
    help="Another value, other records.",
)
@click.option(
    "--scale",
    type=click.IntRange(1, 100),
    default=1,
    show_default=True,
    help="How many times 20,000 records.",
)
@click.option(
    "--rate",
    type=click.IntRange(1, 50_000),
    help="Then keep writing so many records a second to orders and clicks.",
)
@click.option(
    "--for",
    "seconds",
    type=click.FloatRange(min=0, min_open=True),
    help="End --rate after so many seconds; otherwise Ctrl-C ends it.",
)
def seed(name: str, value: int, scale: int, rate: int | None, seconds: float | None) -> None:
    """Fill east with topics, records and groups that are hard to mirror.

    The same --seed and --scale always make the same keys, values, headers, timestamps,
    partitions and committed offsets, on every machine.

    \b
    Examples:
      mirrorstack sandbox seed
      mirrorstack sandbox seed --rate 200 --for 60
    """
    if seconds is not None and rate is None:
        raise click.UsageError("--for needs --rate")
    console = Console()
    target = Sandbox(name, console=console)
    outcome = Seeder(target, console).seed(SeedPlan(value, scale))
    if outcome.already:
        console.say(f"the sandbox {name!r} is seeded already")
    _print_seed(outcome)
    if rate is None:
        return
    writer = LiveWriter(target, console)
    with _stop_on_signal() as stop:
        live = writer.run(rate, seconds, stop)
    click.echo(f"wrote {live.delivered:,} records in {live.seconds:.1f} s ({live.rate:,.1f}/s)")
    if live.lost:
        click.echo(f"{live.lost:,} more were on their way and are not confirmed", err=True)


@contextmanager
def _stop_on_signal() -> Iterator[threading.Event]:
    """Ctrl-C and SIGTERM end the writing in good order. Set explicitly, because a shell starts
    background commands with SIGINT ignored."""
    stop = threading.Event()
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(number, lambda *_: stop.set()) for number in numbers]
    try:
        yield stop
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)


def _document(seen: SandboxStatus) -> dict[str, Any]:
    return seen.model_dump(mode="json")


def _print_status(seen: SandboxStatus) -> None:
    if not seen.nodes:
        click.echo(f"there is no sandbox {seen.name!r}; start one: {command('up', seen.name)}")
        return
    rows = [
        (
            node.cluster.value,
            node.node,
            node.state.value,
            str(node.pid or "-"),
            node.address,
            "-" if node.uptime_seconds is None else str(timedelta(seconds=node.uptime_seconds)),
            str(node.log),
        )
        for node in seen.nodes
    ]
    click.echo(table(("cluster", "node", "state", "pid", "address", "uptime", "log"), rows))
    for node in seen.crashed:
        click.echo(f"\n{node.node} was to be up, but there is no process. Its last errors:")
        for line in node.errors or ("none: it was ended from outside (kill, out of memory)",):
            click.echo(f"    {line}")
    if seen.crashed or any(node.state is NodeState.STOPPED for node in seen.nodes):
        click.echo(f"\nbring it up: {command('up', seen.name)}")
    principals = "|".join(CLIENT_PRINCIPALS)
    click.echo(
        f"\nfor Kafka's own tools: {seen.directory}/client-<east|west>-<{principals}>.properties"
    )


def _print_seed(outcome: SeedOutcome) -> None:
    plan = outcome.plan
    rows = [
        (
            topic.name,
            str(topic.partitions),
            f"{plan.count(topic):,}",
            topic.note + (f" ({outcome.aborted:,} records)" if topic.name == PAYMENTS else ""),
        )
        for topic in TOPICS
    ]
    click.echo(table(("topic", "partitions", "records", "what is hard about it"), rows))
    click.echo(f"groups: {', '.join(group.name for group in GROUPS)}")
