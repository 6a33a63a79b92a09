"""`mirrorstack demo`: all of it, on this machine, in one command."""

from __future__ import annotations

import os
import shutil
import threading

import click
from click.exceptions import Exit

from mirrorstack.cli.pulumi_cli import PulumiCli
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

STACK = "local"
LIVE_RATE, LIVE_SECONDS = 100, 5.0
# With so few records, Java would take longer to optimise itself than to compare them.
QUICK_JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"


@click.command()
@click.option("--east-port", type=int, envvar="MIRRORSTACK_EAST_PORT", help="See `sandbox up`.")
@click.option("--west-port", type=int, envvar="MIRRORSTACK_WEST_PORT", help="See `sandbox up`.")
@click.pass_context
def demo(ctx: click.Context, east_port: int | None, west_port: int | None) -> None:
    """Two real Kafka clusters, hard data on one, and `pulumi up` that mirrors it to the other; then
    both are compared, record by record.

    Run it again after an interruption: it goes on where it was. `make down` stops everything.

    \b
    Examples:
      mirrorstack demo
      mirrorstack demo --east-port 0 --west-port 0    # when the usual ports are taken
    """
    console = Console()
    pulumi = PulumiCli()
    sandbox = Sandbox(console=console)
    sandbox.up(installed_kafka(), SandboxOptions(east_port=east_port, west_port=west_port))
    if not Seeder(sandbox, console).seed(SeedPlan()).already:
        # The last report knows the topics of clusters that are gone: these are no copies of them.
        shutil.rmtree(report_directory(STACK), ignore_errors=True)
    recover_stack(pulumi, STACK, console)
    # The sandbox may have been reset or deleted since the last time. The program knows how to
    # reach the one that is there now; the state may know only one that is gone.
    current = ("--refresh", "--run-program")
    pulumi.show("up", "--stack", STACK, "--yes", "--skip-preview", *current)
    # The seed is old by its timestamps; these tell how long a record takes.
    LiveWriter(sandbox, console).run(LIVE_RATE, LIVE_SECONDS, threading.Event())
    _verify(ctx)
    # As in `verify`: what needs Spark's packages comes late.
    from mirrorstack.verify.report.files import HTML

    status = sandbox.status()
    console.say(
        f"""
Two Kafka clusters are running, and the stack `local` mirrors one to the other:
  east, the source    {status.bootstrap_servers[Cluster.EAST]}
  west, the target    {status.bootstrap_servers[Cluster.WEST]}

Next:
  source ./activate
  pulumi preview -s {STACK}             what would change: nothing
  mirrorstack sandbox seed --rate 100 write to east; it arrives on west
  mirrorstack verify -s {STACK}         compare both again
  mirrorstack sandbox status          the clusters, and how to connect to them
  make down                           stop everything

What was compared, and how the mirror does:
  {report_directory(STACK) / HTML}"""
    )


def _verify(ctx: click.Context) -> None:
    """With the table of what differs, and the end of the demo, where anything does."""
    os.environ.setdefault("JDK_JAVA_OPTIONS", QUICK_JAVA)
    try:
        ctx.invoke(verify, stack=STACK)
    except Exit as ended:
        if ended.exit_code != 0:
            raise
