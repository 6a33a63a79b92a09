"""`mirrorstack demo`: all of it, on this machine, in one command."""

from __future__ import annotations

import click

from mirrorstack.console import Console
from mirrorstack.ops.pulumi_cli import PulumiCli
from mirrorstack.ops.recover import recover_stack
from mirrorstack.sandbox.names import Cluster
from mirrorstack.sandbox.runtime import kafka_runtime
from mirrorstack.sandbox.sandbox import Sandbox
from mirrorstack.sandbox.seed_plan import SeedPlan
from mirrorstack.sandbox.seeder import Seeder
from mirrorstack.sandbox.settings import Wishes

STACK = "local"


@click.command()
@click.option("--east-port", type=int, envvar="MIRRORSTACK_EAST_PORT", help="See `sandbox up`.")
@click.option("--west-port", type=int, envvar="MIRRORSTACK_WEST_PORT", help="See `sandbox up`.")
def demo(east_port: int | None, west_port: int | None) -> None:
    """Two real Kafka clusters, hard data on one, and `pulumi up` that mirrors it to the other.

    Run it again after an interruption: it goes on where it was. `make down` stops everything.

    \b
    Examples:
      mirrorstack demo
      mirrorstack demo --east-port 0 --west-port 0    # when the usual ports are taken
    """
    console = Console()
    pulumi = PulumiCli()
    sandbox = Sandbox(console=console)
    sandbox.up(kafka_runtime(), Wishes(east_port=east_port, west_port=west_port))
    Seeder(sandbox, console).seed(SeedPlan())
    recover_stack(pulumi, STACK, console)
    # The sandbox may have been reset or deleted since the last time. The program knows how to
    # reach the one that is there now; the state may know only one that is gone.
    current = ("--refresh", "--run-program")
    pulumi.show("up", "--stack", STACK, "--yes", "--skip-preview", *current)
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
  mirrorstack verify -s {STACK}         compare both, record by record
  mirrorstack sandbox status          the clusters, and how to connect to them
  make down                           stop everything
"""
    )
