"""`mirrorstack demo`: two clusters, a deployed stack and its verification, in one command."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Mapping
from pathlib import Path

import click
from click.exceptions import Exit

from mirrorstack.cli.options import DEFAULT_STACK as STACK
from mirrorstack.cli.recover import recover_stack
from mirrorstack.cli.verify import verify
from mirrorstack.console import Console
from mirrorstack.runtimes.installed import installed_kafka
from mirrorstack.sandbox.live_writer import LiveWriter
from mirrorstack.sandbox.names import Cluster
from mirrorstack.sandbox.sandbox import Sandbox
from mirrorstack.sandbox.seed_plan import SeedPlan
from mirrorstack.sandbox.seeder import Seeder
from mirrorstack.sandbox.settings import SandboxOptions
from mirrorstack.verify.request import report_directory

LIVE_RATE, LIVE_SECONDS = 100, 5.0
# With so few records, Java's optimising compiler takes longer than the comparison.
QUICK_JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"


@click.command()
@click.option(
    "--east-port",
    type=int,
    envvar="MIRRORSTACK_EAST_PORT",
    help="Port of the first broker of east; 0 picks a free port.",
)
@click.option(
    "--west-port",
    type=int,
    envvar="MIRRORSTACK_WEST_PORT",
    help="Port of the first broker of west; 0 picks a free port.",
)
@click.pass_context
def demo(ctx: click.Context, east_port: int | None, west_port: int | None) -> None:
    """Start two Kafka clusters, fill one with test data, replicate it to the other with
    `pulumi up`, and compare both record by record.

    Safe to interrupt: run it again and it resumes. `mirrorstack down` stops everything.

    \b
    Examples:
      mirrorstack demo
      mirrorstack demo --east-port 0 --west-port 0    # if the default ports are in use
    """
    # The Automation API takes a second to import.
    from mirrorstack.cli.workspace import PulumiProject

    console = Console()
    project = PulumiProject()
    sandbox = Sandbox(console=console)
    sandbox.up(installed_kafka(), SandboxOptions(east_port=east_port, west_port=west_port))
    if not Seeder(sandbox, console).seed(SeedPlan()).already:
        # The clusters are new: the previous report is about topics that no longer exist.
        shutil.rmtree(report_directory(STACK), ignore_errors=True)
    recover_stack(project, STACK, console)
    # The sandbox may have been reset or deleted since the last run. The program knows the current
    # addresses; the state may hold those of a sandbox that no longer exists.
    project.up(STACK, "--refresh", "--run-program")
    # The timestamps of the seed are old; these records show the replication latency.
    LiveWriter(sandbox, console).run(LIVE_RATE, LIVE_SECONDS, threading.Event())
    _verify(ctx)
    # As in `verify`: Spark's packages take a second to import.
    from mirrorstack.verify.report.files import HTML

    servers = sandbox.status().bootstrap_servers
    console.say(next_steps(servers, report_directory(STACK) / HTML))


def next_steps(servers: Mapping[Cluster, str], report: Path) -> str:
    """What the demo prints at its end. Every command in it ends by itself."""
    return f"""
Two Kafka clusters are running, and the stack `{STACK}` replicates east to west:
  east, the source    {servers[Cluster.EAST]}
  west, the target    {servers[Cluster.WEST]}

Next:
  source ./activate
  pulumi preview -s {STACK}                      # show what would change: nothing
  mirrorstack sandbox seed --rate 100 --for 30 # write to east; the records arrive on west
  mirrorstack verify -s {STACK}                  # compare both clusters again
  mirrorstack sandbox status                   # show the clusters and how to connect to them
  make down                                    # stop everything

Report of the comparison, with latency and topology:
  {report}"""


def _verify(ctx: click.Context) -> None:
    """Compare, and end the demo with the exit status of `verify` if anything differs."""
    os.environ.setdefault("JDK_JAVA_OPTIONS", QUICK_JAVA)
    try:
        ctx.invoke(verify, stack=STACK)
    except Exit as ended:
        if ended.exit_code != 0:
            raise
